import { sha256Hex } from "../../lib/crypto";
import type { FoundPage } from "../../model/crawl";
import { toCanonicalUrl } from "../../site/canonical-url";

/**
 * The links between the pages of the mock site, which a crawl with a test key visits. Each path has a list of paths.
 */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  "/": ["/about", "/docs", "/contact"],
  "/docs": ["/", "/docs/start", "/docs/api"],
};

/** Returns what a crawl with a test key finds on a page. Every start URL has the links of the path `/`. */
export async function mockFoundPage(url: string, { isFirst }: { isFirst: boolean }): Promise<FoundPage> {
  const { pathname } = new URL(url);
  const paths = (isFirst ? LINKS["/"] : LINKS[pathname]) ?? [];
  const canonical = toCanonicalUrl(url);
  return {
    url: canonical,
    canonical: null,
    hash: await sha256Hex(canonical ?? url),
    links: paths.map((path) => toCanonicalUrl(path, url)).filter((link) => link !== null),
    nofollow: false,
  };
}
