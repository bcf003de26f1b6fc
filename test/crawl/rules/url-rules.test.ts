import { describe, expect, it } from "vitest";
import { findSkipReason, isInScope, toUrlRules } from "../../../src/crawl/url-rules";
import type { CrawlOptions } from "../../../src/model/crawl";

const OPTIONS: CrawlOptions = {
  url: "https://example.com/",
  limit: 100,
  maxDepth: null,
  includePaths: [],
  excludePaths: [],
  allowSubdomains: false,
  sitemap: "include",
  delayMs: null,
  robots: "respect",
};

describe("isInScope", () => {
  it.each<[start: string, url: string, without: boolean, withSubdomains: boolean]>([
    ["https://example.com/", "https://example.com/a", true, true],
    ["https://example.com/", "http://www.example.com/a", true, true],
    ["https://example.com/", "https://docs.example.com/", false, true],
    ["https://docs.example.com/", "https://example.com/", false, true],
    ["https://docs.example.com/", "https://blog.example.com/", false, true],
    ["https://example.co.uk/", "https://shop.example.co.uk/", false, true],
    ["https://example.co.uk/", "https://other.co.uk/", false, false],
    // Each user of these hosts has a separate site, so the hosts are on the list of public suffixes.
    ["https://a.github.io/", "https://b.github.io/", false, false],
    ["https://a.github.io/", "https://docs.a.github.io/", false, true],
    ["https://a.s3.amazonaws.com/", "https://b.s3.amazonaws.com/", false, false],
    ["https://bücher.example/", "https://blog.xn--bcher-kva.example/", false, true],
    ["https://example.com/", "https://example.com.evil.example/", false, false],
    ["https://example.com/", "https://evilexample.com/", false, false],
    ["https://example.com/", "https://docs.example.com:8443/", false, false],
    ["http://10.0.0.1/", "http://1.10.0.0.1/", false, false],
    ["http://localhost/", "http://a.localhost/", false, false],
  ])("of a crawl of %s decides about %s", (start, url, without, withSubdomains) => {
    expect(isInScope(url, { ...OPTIONS, url: start }, null)).toBe(without);
    expect(isInScope(url, { ...OPTIONS, url: start, allowSubdomains: true }, null)).toBe(withSubdomains);
  });

  it("includes the site to which the first page redirects", () => {
    expect(isInScope("https://new.example/a", OPTIONS, null)).toBe(false);
    expect(isInScope("https://new.example/a", OPTIONS, "https://new.example/")).toBe(true);
    expect(isInScope("https://docs.new.example/a", OPTIONS, "https://new.example/")).toBe(false);
  });
});

describe("findSkipReason", () => {
  it.each<[path: string, depth: number, options: Partial<CrawlOptions>, reason: string | null]>([
    ["/a", 1, {}, null],
    ["/a.PNG", 1, {}, "file"],
    ["/a.png/b", 1, {}, null],
    ["/a.pdf", 1, {}, null],
    ["/a.html?file=b.zip", 1, {}, null],
    ["/app.mjs", 1, {}, "file"],
    ["/a", 1, { includePaths: ["/b/*"] }, "excluded"],
    ["/b/1", 1, { includePaths: ["/b/*"] }, null],
    ["/b/1", 1, { includePaths: ["/b/*"], excludePaths: ["*/1"] }, "excluded"],
    ["/a", 1, { excludePaths: ["/A"] }, null],
    ["/docs/api/1", 1, { includePatterns: ["/api/\\d+$"] }, null],
    ["/docs/api/1", 1, { includePatterns: ["^/api"], includePaths: ["/docs/*"] }, null],
    ["/docs/api/1?page=2", 1, { includePatterns: ["page=2"] }, "excluded"],
    ["/docs/api/1?page=2", 1, { includePatterns: ["^https://example\\.com/.*page=2"], patternTarget: "url" }, null],
    ["/docs/api/1", 1, { includePaths: ["/docs/*"], excludePatterns: ["api"] }, "excluded"],
    ["/docs/my-page", 1, { excludePatterns: ["my\\-page"] }, "excluded"],
    ["/a", 3, { maxDepth: 3 }, null],
    ["/a", 4, { maxDepth: 3 }, "depth"],
    ["/a", 0, { maxDepth: 0 }, null],
    ["/a/a/a", 1, {}, "trap"],
    ["/a/a/a", 4, { maxDepth: 3, excludePaths: ["/a/*"] }, "excluded"],
    ["/a/a/a", 4, { maxDepth: 3 }, "trap"],
    ["/logout", 1, {}, null],
    ...[
      "/logout",
      "/users/sign_out",
      "/a/Log-Off.php",
      "/wp-login.php?action=logout&_wpnonce=1",
      "/?do=logout",
      "/j_spring_security_logout",
      "/index.php?option=com_users&task=user.logout",
      "/cerrar_sesion",
      "/salir.php",
    ].map((path): [string, number, Partial<CrawlOptions>, string] => [path, 1, { sendsCookies: true }, "sign_out"]),
    ["/w/index.php?title=Special%3AUserLogout", 1, { sendsCookies: true }, "sign_out"],
    ["/d%C3%A9connexion", 1, { sendsCookies: true }, "sign_out"],
    ["/help/how-to-log-out", 1, { sendsCookies: true }, null],
    ["/login?next=/logout", 1, { sendsCookies: true }, null],
    ["/search?q=logout", 1, { sendsCookies: true }, null],
    ["/catalog/outdoor?from=login", 1, { sendsCookies: true }, null],
  ])("of %s at the depth %i with %j is %s", (path, depth, options, reason) => {
    expect(findSkipReason(new URL(path, OPTIONS.url), depth, toUrlRules({ ...OPTIONS, ...options }))).toBe(reason);
  });
});
