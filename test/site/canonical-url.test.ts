import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCanonicalUrl } from "../../src/site/canonical-url";

describe("toCanonicalUrl", () => {
  it.each([
    ["https://Example.COM:443/a#part", "https://example.com/a"],
    ["http://example.com:80", "http://example.com/"],
    ["http://example.com:443/", "http://example.com:443/"],
    ["https://example.com./a", "https://example.com/a"],
    ["https://example.com.:8443/a", "https://example.com:8443/a"],
    ["https://example.com/a/./b/../c/%2e%2E/d", "https://example.com/a/d"],
    ["https://example.com/%7euser/%c3%a9?q=%e2%82%ac%2d", "https://example.com/~user/%C3%A9?q=%E2%82%AC-"],
    ["https://example.com/é", "https://example.com/%C3%A9"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://example.com/?", "https://example.com/"],
    ["https://example.com/?utm_source=a&id=3&UTM_Medium=b", "https://example.com/?id=3"],
    ["https://example.com/?gclid=1&fbclid=2&msclkid=3&mc_cid=4&mc_eid=5&_ga=6", "https://example.com/"],
    ["https://example.com/?utm%5Fsource=a&b", "https://example.com/?b"],
    ["https://example.com/a?PHPSESSID=0123456789abcdef&x=1", "https://example.com/a?x=1"],
    ["https://example.com/a?sid=5f3c9a1b2d&x=1", "https://example.com/a?x=1"],
    ["https://example.com/a;jsessionid=1A2B.node1?x=1", "https://example.com/a?x=1"],
    ["https://example.com/a;jsessionid=1A2B/b;v=2", "https://example.com/a/b;v=2"],
    ["https://example.com/shop/(S(lit3py55t21z5v55vlm25s55))/cart", "https://example.com/shop/cart"],
    ["https://example.com/a;jsessi%6Fnid=1A2B", "https://example.com/a"],
    ["https://example.com/.;jsessionid=1A2B/b", "https://example.com/b"],
    ["https://example.com/a/..;jsessionid=1A2B/b", "https://example.com/b"],
    [
      "https://example.com/%28S(lit3py55t21z5v55vlm25s55))/cart",
      "https://example.com/%28S(lit3py55t21z5v55vlm25s55))/cart",
    ],
    ["https://BÜCHER.example:443/", "https://xn--bcher-kva.example/"],
    ["https://example.com/%2", "https://example.com/%2"],
    ["https://example.com/a%00b", "https://example.com/a%00b"],
    ["https://example.com/?&&a=1&", "https://example.com/?&&a=1&"],
    ["https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"],
    ["http://0x7f.1/a", "http://127.0.0.1/a"],
    ["  https://example.com/a b ", "https://example.com/a%20b"],
  ])("changes %s to %s", (url, canonical) => {
    expect(toCanonicalUrl(url)).toBe(canonical);
  });

  it.each([
    "https://example.com/a/",
    "https://example.com//a",
    "https://www.example.com/",
    "https://example.com/index.html",
    "https://example.com/?b=2&a=1",
    "https://example.com/?a=1&a=2&a",
    "https://example.com/?sid=20240501",
    "https://example.com/?sid=sports",
    "https://example.com/?session=spring",
    "https://example.com/?q=a%26b%3Dc+d",
    "https://example.com/a%2Fb",
    "https://example.com/a?url=https://x.example/?utm_source=y",
    "https://example.com/?ref=home",
    "https://example.com/100%",
    "https://example.com/Nirvana_(band)",
  ])("keeps %s", (url) => {
    expect(toCanonicalUrl(url)).toBe(url);
  });

  it.each([
    "",
    "/a",
    "mailto:a@b.example",
    "javascript:void(0)",
    "ftp://example.com/",
    "https://u:p@example.com/",
    "https://./",
  ])("refuses %j", (url) => {
    expect(toCanonicalUrl(url)).toBeNull();
  });

  it("refuses a URL that is too long", () => {
    expect(toCanonicalUrl(`https://example.com/${"a".repeat(9_000)}`)).toBeNull();
  });

  it("resolves a relative URL", () => {
    expect(toCanonicalUrl("../c?utm_id=1", "https://example.com/a/b/")).toBe("https://example.com/a/c");
  });

  it("doesn't change its own result", () => {
    const url = fc
      .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string())
      .map(([a, b]) => a + b);
    fc.assert(
      fc.property(url, (address) => {
        const canonical = toCanonicalUrl(address);
        fc.pre(canonical !== null);
        expect(toCanonicalUrl(canonical ?? "")).toBe(canonical);
      }),
    );
  });

  it("doesn't change its own result, also with session ids in unusual places", () => {
    const part = fc.constantFrom(
      ...["/", ".", "..", "%2e", ";", ";jsessionid=1A2B", ";jsessi%6Fnid=1A2B", ";a=1", "=", "&", "?", "#"],
      ...[
        "utm_source=a",
        "utm%5Fid=",
        "sid=5f3c9a1b2d",
        "%73id=5f3c9a1b2d",
        "(S(lit3py55t21z5v55vlm25s55))",
        "%",
        "%2",
        "%c3%a9",
        "é",
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const canonical = toCanonicalUrl(`https://example.com/${parts.join("")}`);
        expect(toCanonicalUrl(canonical ?? "")).toBe(canonical);
      }),
      { numRuns: 20_000 },
    );
  });
});
