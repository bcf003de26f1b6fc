import { describe, expect, it } from "vitest";
import { CookieJar, type SessionCookie } from "../../src/net/session";

const TARGET = new URL("https://www.example.co.uk/shop/cart");

function jarWith(...cookies: Partial<SessionCookie>[]): CookieJar {
  const defaults = { name: "a", value: "1", domain: null, path: "/", secure: true };
  return new CookieJar(
    TARGET,
    cookies.map((cookie) => ({ ...defaults, ...cookie })),
  );
}

function headerFor(jar: CookieJar, url: string): string | null {
  return jar.headerFor(new URL(url));
}

describe("a cookie of the request", () => {
  it.each([
    ["https://www.example.co.uk/", {}, "a=1"],
    ["https://example.co.uk/", {}, null],
    ["https://x.www.example.co.uk/", {}, null],
    ["https://x.example.co.uk/", { domain: "example.co.uk" }, "a=1"],
    ["https://badexample.co.uk/", { domain: "example.co.uk" }, null],
    ["http://www.example.co.uk/", {}, null],
    ["http://www.example.co.uk/", { secure: false }, "a=1"],
    ["https://www.example.co.uk/shop", { path: "/shop" }, "a=1"],
    ["https://www.example.co.uk/shop/a", { path: "/shop" }, "a=1"],
    ["https://www.example.co.uk/shopping", { path: "/shop" }, null],
  ])("for %s with %j: %s", (url, cookie, expected) => {
    expect(headerFor(jarWith(cookie), url)).toBe(expected);
  });

  it("with a longer path is sent first", () => {
    expect(headerFor(jarWith({}, { name: "b", path: "/shop" }), TARGET.href)).toBe("b=1; a=1");
  });
});

describe("a cookie of a response", () => {
  it.each([
    ["is kept", "b=2; Path=/", "a=1; b=2"],
    ["replaces the one with the same name", "a=2; Path=/", "a=2"],
    ["with the same name and another path is kept next to it", "a=2; Path=/shop", "a=2; a=1"],
    ["with the same name for the whole site is kept next to it", "a=2; Path=/; Domain=example.co.uk", "a=1; a=2"],
    ["with an earlier time deletes it", "a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT", null],
    ["with a date that isn't one is kept", "a=2; Path=/; Expires=0", "a=2"],
    ["with Max-Age=0 deletes it", "a=; Path=/; Max-Age=0", null],
    ["without a path has the directory of the URL", "b=2", "b=2; a=1"],
    ["for the whole site is kept", "b=2; Path=/; Domain=.example.co.uk", "a=1; b=2"],
    ["for a public suffix is ignored", "b=2; Path=/; Domain=co.uk", "a=1"],
    ["for another site is ignored", "b=2; Path=/; Domain=example.com", "a=1"],
    ["for another host of the site isn't sent to this one", "b=2; Path=/; Domain=x.www.example.co.uk", "a=1"],
    ["with a prefix that it doesn't fulfill is ignored", "__Host-b=2; Path=/; Secure; Domain=example.co.uk", "a=1"],
    ["that is too long is ignored", `b=${"2".repeat(5_000)}; Path=/`, "a=1"],
  ])("%s", (_, line, expected) => {
    const jar = jarWith({});
    jar.store(TARGET, [line]);
    expect(headerFor(jar, TARGET.href)).toBe(expected);
  });

  it("of another site is sent only to that site", () => {
    const jar = jarWith();
    jar.store(new URL("https://example.com/"), ["b=2; Path=/"]);
    expect(headerFor(jar, "https://example.com/")).toBe("b=2");
    expect(headerFor(jar, "https://example.org/")).toBeNull();
  });

  it("whose domain is a public suffix is sent only to the host that set it", () => {
    const host = new URL("https://github.io/");
    const jar = new CookieJar(host, []);
    jar.store(host, ["b=2; Path=/; Domain=github.io"]);
    expect(headerFor(jar, host.href)).toBe("b=2");
    expect(headerFor(jar, "https://other.github.io/")).toBeNull();
  });

  it("isn't stored if its domain is the end of an IP address", () => {
    const jar = jarWith();
    jar.store(new URL("https://192.0.2.1/"), ["b=2; Path=/; Domain=2.1", "c=3; Path=/; Domain=0.2.1"]);
    expect(headerFor(jar, "https://192.0.2.1/")).toBeNull();
    expect(headerFor(jar, "https://198.0.2.1/")).toBeNull();
  });
});
