// Small websites with robots.txt, sitemaps and feeds. Each site has a separate port, because robots.txt is at the root.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { listen } from "./loopback.ts";

interface SiteFile {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  body: string | Uint8Array;
}

type Site = (origin: string) => Record<string, SiteFile>;

const xml = (body: string | Uint8Array): SiteFile => ({ type: "application/xml", body });
const html = (body: string): SiteFile => ({ type: "text/html; charset=utf-8", body });
const text = (body: string): SiteFile => ({ type: "text/plain", body });
const failing: SiteFile = { status: 500, body: "Internal error" };
const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url>${url}</url>`).join("")}</urlset>`;

const SITES = {
  /** An application shell without sitemaps. */
  shell: () => ({ "/": html('<title>App</title><div id="root"></div><script src="/app.js"></script>') }),
  /** A page whose script adds its links. */
  scripted: () => ({
    "/": html(
      `<title>App</title><div id="root"></div><script>root.innerHTML = "<p>${"The keeper writes down the tide. ".repeat(40)}</p><a href=/one>The first page</a> <a href=/two>More</a> <a href=/three>More</a> <a href=/four>4</a>"</script>`,
    ),
  }),
  /** Sites whose sitemaps have other usual addresses. */
  indexed: (origin) => ({
    "/": html("<title>Indexed</title>"),
    "/sitemap_index.xml": xml(`<sitemapindex><sitemap><loc>${origin}/pages.xml</loc></sitemap></sitemapindex>`),
    "/pages.xml": xml(urlset(`<loc>${origin}/one</loc>`)),
    "/wp-sitemap.xml": xml(urlset(`<loc>${origin}/not-read</loc>`)),
  }),
  wordpress: (origin) => ({
    "/": html("<title>Blog</title>"),
    "/wp-sitemap.xml": xml(urlset(`<loc>${origin}/one</loc>`)),
  }),
  /** A site whose first sitemap has only the URLs of another site. */
  moved: (origin) => ({
    "/": html("<title>Moved</title>"),
    "/sitemap.xml": xml(urlset("<loc>https://other.example/one</loc>")),
    "/sitemap_index.xml": xml(urlset(`<loc>${origin}/one</loc>`)),
  }),
  zipped: (origin) => ({
    "*": html("<title>Zipped</title>"),
    "/sitemap.xml.gz": { type: "application/gzip", body: gzipSync(urlset(`<loc>${origin}/one</loc>`)) },
  }),
  /** A site with all kinds of sources. Some of its sitemaps can't be read. */
  whole: (origin) => ({
    "/robots.txt": text(
      `User-agent: *\nDisallow: /private\nSitemap: ${origin}/index.xml\nSitemap: https://files.example/map.xml\n`,
    ),
    "/": html(
      `<title>The site</title><link rel=alternate type=application/rss+xml href=/feed.xml>
      <a href="/about?utm_source=nav#team">About us</a> <a href="/cranes">Harbor cranes</a> <a href="https://example.com/">Out</a>
      <a href="/login;jsessionid=4F5A6B7C8D9E" rel=nofollow>Sign in</a>`,
    ),
    "/index.xml": xml(
      `<sitemapindex>${["/a.xml", "/b.xml.gz", "/index.xml", "/broken.xml", "/page.xml"].map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join("")}</sitemapindex>`,
    ),
    "/a.xml": xml(
      urlset(
        `<loc>${origin}/about</loc><lastmod>2026-11-01</lastmod>`,
        `<loc>${origin}/news/1</loc><news:news><news:title>The first news</news:title></news:news>`,
        "<loc>https://example.com/other</loc>",
      ),
    ),
    "/b.xml.gz": { type: "application/gzip", body: gzipSync(urlset(`<loc>${origin}/zipped?b=2&amp;a=1</loc>`)) },
    "/broken.xml": failing,
    "/page.xml": html("<p>This isn't a sitemap.</p>"),
    "/feed.xml": xml(
      `<rss><channel><item><title>A post</title><link>${origin}/posts/1</link><pubDate>Mon, 23 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>`,
    ),
  }),
  /** A site with only a page. Every other path responds with 404. */
  bare: () => ({ "/": html(`<title>Bare</title><a href=/one>One</a><a href=/two>Two</a>`) }),
  /** A site that responds to every path with the same page. */
  soft: () => ({ "*": html(`<title>Soft</title><a href=/one>One</a>`) }),
  /** A site whose robots.txt and sitemap fail. */
  failing: () => ({
    "/": html(`<title>Failing</title><a href=/one>One</a>`),
    "/robots.txt": failing,
    "/sitemap.xml": failing,
  }),
  /** A site that returns a bot challenge for each path. */
  blocked: () => ({
    "*": {
      status: 403,
      type: "text/html",
      headers: { "cf-mitigated": "challenge", server: "cloudflare" },
      body: "<title>Just a moment...</title>",
    },
  }),
  /** A site that blocks its page, but not its sitemap. */
  "half-blocked": (origin) => ({
    "/robots.txt": text("User-agent: *\n"),
    "/sitemap.xml": xml(urlset(`<loc>${origin}/one</loc>`)),
    "*": {
      status: 403,
      type: "text/html",
      headers: { "cf-mitigated": "challenge", server: "cloudflare" },
      body: "<title>Just a moment...</title>",
    },
  }),
  /** A site whose sitemap has 60 MB after decompression. */
  bomb: (origin) => ({
    "/": html("<title>Bomb</title>"),
    "/sitemap.xml": xml(gzipSync(`<urlset><url><loc>${origin}/one</loc></url>${" ".repeat(60_000_000)}</urlset>`)),
  }),
  /** A site with 12,000 URLs. */
  large: (origin) => ({
    "/": html("<title>Large</title>"),
    "/sitemap.xml": xml(urlset(...Array.from({ length: 12_000 }, (_, i) => `<loc>${origin}/products/${i}</loc>`))),
  }),
  /** A site whose sitemap has more than 1 MB. */
  heavy: (origin) => ({
    "/": html("<title>Heavy</title>"),
    "/sitemap.xml": xml(`${urlset(`<loc>${origin}/one</loc>`)}<!--${" ".repeat(1_100_000)}-->`),
  }),
} satisfies Record<string, Site>;

export type MappedSites = Record<keyof typeof SITES, string>;

/** Starts the sites. `origins` contains the origin of each site by name. */
export async function startMappedSites(): Promise<{ origins: MappedSites; hosts: string[]; close: () => void }> {
  const started = await Promise.all(
    Object.entries<Site>(SITES).map(async ([name, site]) => {
      let files: ReturnType<Site> = {};
      const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
        const path = new URL(request.url ?? "/", "http://site").pathname;
        const { status = 200, type, headers, body } = files[path] ?? files["*"] ?? { status: 404, body: "Not found" };
        response.writeHead(status, { ...(type && { "content-type": type }), ...headers }).end(body);
      });
      const loopback = await listen(server);
      files = site(loopback.origin);
      return { name, ...loopback };
    }),
  );
  return {
    origins: Object.fromEntries(started.map(({ name, origin }) => [name, origin])) as MappedSites,
    hosts: started.map(({ origin }) => new URL(origin).host),
    close: () => {
      for (const { close } of started) close();
    },
  };
}
