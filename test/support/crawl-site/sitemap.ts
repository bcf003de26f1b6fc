import { gzipSync } from "node:zlib";
import type { RealPage } from "./pages.ts";
import { FORBIDDEN, type Reply } from "./traps.ts";

interface Site {
  origin: string;
  otherOrigin: string;
  pages: readonly RealPage[];
}

/** Returns the robots.txt. The same rules apply to all robots, except for one that may not request any page. */
export function toRobots(origin: string): Reply {
  const lines = [
    "User-agent: BadBot",
    "Disallow: /",
    "",
    "User-agent: *",
    ...FORBIDDEN.map((name) => `Disallow: /${name}`),
    "Crawl-delay: 0",
    "",
    `Sitemap: ${origin}/sitemap.xml`,
  ];
  return { status: 200, headers: { "content-type": "text/plain" }, body: `${lines.join("\n")}\n` };
}

/**
 * Returns the index or a part of the sitemap, or null if the path isn't one. The parts list half of the products, and
 * all pages to which no page links. The index also lists itself, a part that doesn't exist and a part that isn't XML.
 */
export function toSitemap(path: string, { origin, otherOrigin, pages }: Site): Reply | null {
  const listed = pages.filter(({ isOrphan }, n) => isOrphan || n % 2 === 0).map((page) => `${origin}${page.path}`);
  const half = Math.ceil(listed.length / 2);
  switch (path) {
    case "/sitemap.xml":
      return xml(
        "sitemapindex",
        "sitemap",
        ["plain.xml", "compressed.xml.gz", "missing.xml", "page.xml"]
          .map((name) => `${origin}/sitemaps/${name}`)
          .concat(`${origin}/sitemap.xml`),
      );
    case "/sitemaps/plain.xml":
      return xml("urlset", "url", [...listed.slice(0, half), ...toFalseEntries(origin, otherOrigin)]);
    case "/sitemaps/compressed.xml.gz": {
      // The first ten entries are also in the other part.
      const { body = "" } = xml("urlset", "url", [...listed.slice(0, 10), ...listed.slice(half)]);
      return { status: 200, headers: { "content-type": "application/gzip" }, body: gzipSync(body) };
    }
    case "/sitemaps/page.xml":
      return { status: 200, headers: { "content-type": "text/html" }, body: "<title>Shop</title><p>No sitemap." };
    default:
      return null;
  }
}

/**
 * Returns entries with wrong URLs: of missing pages, of pages that robots.txt forbids, of another site, and invalid
 * URLs.
 */
function toFalseEntries(origin: string, otherOrigin: string): string[] {
  return [
    ...Array.from({ length: 10 }, (_, n) => `${origin}/missing/${100 + n}`),
    `${origin}/private/sitemap`,
    `${origin}/boats/?utm_source=sitemap`,
    `${origin}/boats/#top`,
    `${otherOrigin}/outside`,
    "https://shop.example/elsewhere",
    "ftp://shop.example/file",
    "no address",
    "",
  ];
}

function xml(root: string, entry: string, urls: string[]): Reply {
  const entries = urls.map((url) => `<${entry}><loc>${url.replaceAll("&", "&amp;")}</loc></${entry}>`);
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("\n")}\n</${root}>\n`;
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}
