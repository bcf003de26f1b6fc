import type { MapData, MapRequest } from "../../contract/map";
import type { MockContext } from "../shared/definition";
import { LARGE_CHARS, toFiller } from "../shared/mocks";
import { UrlList } from "./url-list";

const PAGES: readonly (readonly [path: string, title: string, lastModified: string | null])[] = [
  ["/about", "About us", null],
  ["/pricing", "Pricing", "2026-10-01"],
  ["/contact", "Contact", null],
  ["/blog", "Blog", "2026-11-20"],
  ["/blog/harbor-cranes", "How harbor cranes work", "2026-11-20"],
  ["/blog/tide-lamps", "Tide lamps compared", "2026-11-02"],
  ["/docs", "Documentation", "2026-09-15"],
  ["/docs/start", "First steps", "2026-09-15"],
];
const SUBDOMAIN_PAGE = "/status";

/** Runs the job of a test key. */
export async function runMock(request: MapRequest, { large }: MockContext) {
  return { data: mockMap(request, { large }) };
}

/** Returns the mock map of any site. The same request always gets the same URLs. */
function mockMap(request: MapRequest, { large }: { large: boolean }): MapData {
  const start = new URL(request.url);
  const list = new UrlList();
  if (request.sitemap !== "only")
    list.add({ url: start.href, title: `Mock page of ${start.host}`, lastModified: null, source: "page" });
  const filler = large ? ` ${toFiller(LARGE_CHARS / PAGES.length)}` : "";
  const source = request.sitemap === "skip" ? "page" : "sitemap";
  for (const [path, title, lastModified] of PAGES)
    list.add({ url: new URL(path, start).href, title: title + filler, lastModified, source });
  if (request.include_subdomains && start.hostname.includes("."))
    list.add({
      url: `${start.protocol}//status.${start.host.replace(/^www\./, "")}${SUBDOMAIN_PAGE}`,
      title: "Status",
      lastModified: null,
      source,
    });
  const { urls, isTruncated } = list.select(large ? { limit: list.size } : request);
  const hasSitemap = request.sitemap !== "skip";
  return {
    url: start.href,
    urls,
    ...(isTruncated && { truncated: true }),
    sources: {
      robots: { found: hasSitemap },
      ...(request.sitemap !== "only" && { page: { urls: PAGES.length } }),
      sitemaps: hasSitemap ? [{ url: new URL("/sitemap.xml", start).href, urls: PAGES.length }] : [],
      feeds: [],
    },
  };
}
