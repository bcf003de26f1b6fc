import { describe, expect, it } from "vitest";
import { DenyList, toDeniedTarget } from "../../src/net/deny-list";
import { findRefusal, findResolvedRefusal, parseEgressPolicy } from "../../src/net/egress";

function refuses(target: string, url: string, allowed = ""): boolean {
  const entry = toDeniedTarget(target);
  if (entry === null) throw new Error(`'${target}' isn't a valid target.`);
  const denied = { lists: [new DenyList([entry])], contact: null };
  return findRefusal(url, parseEgressPolicy(allowed, [], denied))?.includes("deny list") === true;
}

describe("a target of the deny list", () => {
  it.each([
    ["Example.COM.", "example.com"],
    ["*.Example.com", "*.example.com"],
    ["münchen.de", "xn--mnchen-3ya.de"],
    ["*.пример.рф", "*.xn--e1afmkfd.xn--p1ai"],
    ["203.0.113.7", "203.0.113.7/32"],
    ["203.0.113.7/24", "203.0.113.0/24"],
    ["0xcb.0x0.0x71.0x7", "203.0.113.7/32"],
    ["3405803783", "203.0.113.7/32"],
    ["[2001:DB8::1]", "2001:db8::1/128"],
    ["2001:db8:1::/32", "2001:db8::/32"],
    ["::ffff:203.0.113.7", "203.0.113.7/32"],
    ["::ffff:cb00:7107/120", "203.0.113.0/24"],
    ["::/64", "::/64"],
  ])("%s has the form %s", (text, expected) => {
    expect(toDeniedTarget(text)).toBe(expected);
  });

  it.each([
    "",
    "*",
    "*.",
    "https://example.com",
    "example.com/path",
    "example.com:443",
    "user@example.com",
    "a b",
    "*.203.0.113.7",
    "203.0.113.0/33",
    "203.0.113/24",
    "2001:db8::/129",
    "fe80::1%eth0/64",
    "1.2.3.4/5/6",
  ])("isn't %j", (text) => {
    expect(toDeniedTarget(text)).toBeNull();
  });
});

describe("the deny list", () => {
  it.each([
    ["example.com", "https://example.com/page"],
    ["example.com", "https://EXAMPLE.com.:8443/"],
    ["example.com", "http://ex%61mple.com/"],
    ["münchen.de", "https://MÜNCHEN.de/"],
    ["münchen.de", "https://xn--mnchen-3ya.de/"],
    ["*.example.com", "https://example.com/"],
    ["*.example.com", "https://a.b.example.com/"],
    ["203.0.113.7", "http://203.0.113.7/"],
    ["203.0.113.0/24", "http://0xcb007107/"],
    ["203.0.113.0/24", "http://3405803783./"],
    ["203.0.113.0/24", "http://0313.0.0161.07/"],
    ["203.0.113.0/24", "http://[::ffff:203.0.113.7]/"],
    ["2001:db8::/32", "http://[2001:0DB8:0::1]:8080/"],
  ])("with %s refuses %s", (target, url) => {
    expect(refuses(target, url)).toBe(true);
  });

  it.each([
    ["example.com", "https://www.example.com/"],
    ["example.com", "https://example.com.evil.org/"],
    ["*.example.com", "https://notexample.com/"],
    ["*.example.com", "https://com/"],
    ["203.0.113.0/24", "http://203.0.114.1/"],
    ["2001:db8::/32", "http://[2001:db9::1]/"],
  ])("with %s doesn't refuse %s", (target, url) => {
    expect(refuses(target, url)).toBe(false);
  });

  it("also refuses hosts of ALLOWED_PRIVATE_HOSTS", () => {
    expect(refuses("127.0.0.0/8", "http://127.0.0.1:8080/", "127.0.0.1:8080")).toBe(true);
    expect(refuses("localhost", "http://localhost:8080/", "localhost:8080")).toBe(true);
  });

  it("names the host and the operator's contact", () => {
    const denied = { lists: [new DenyList(["198.51.100.0/24"])], contact: "https://support.example" };
    expect(findResolvedRefusal("198.51.100.9", "shop.example", parseEgressPolicy("", [], denied))).toBe(
      "shop.example is on the deny list of this service's operator. Contact the operator: https://support.example",
    );
    expect(findResolvedRefusal("93.184.216.34", "shop.example", parseEgressPolicy("", [], denied))).toBeNull();
  });
});
