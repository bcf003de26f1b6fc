// A site with 2,000 pages and traps for crawlers, on loopback. It records all requests.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Loopback, listen } from "../loopback.ts";
import { link, list, toRealDocument } from "./html.ts";
import { makePages, type RealPage } from "./pages.ts";
import { toRobots, toSitemap } from "./sitemap.ts";
import { DEAD_LINKS, ENTRIES, FORBIDDEN, nextSession, type Reply, TRAPS } from "./traps.ts";
import { VisitLog } from "./visits.ts";

export interface CrawlSiteOptions {
  /** The number of real pages. At least 191. Default: 2,000. */
  pages?: number;
  /** False if the site has no traps, no errors, no slow pages and no pages that only the sitemap lists. Default: true. */
  hasTraps?: boolean;
  /** The delay (ms) of the slow pages. Default: 1,500. */
  slowMs?: number;
}

export interface CrawlSite extends Omit<Loopback, "port"> {
  /** The hosts of the site and of the other site, in the format of ALLOWED_PRIVATE_HOSTS. */
  hosts: string[];
  pages: readonly RealPage[];
  log: VisitLog;
  /** Returns the path of the real page that a URL shows, including duplicates. Returns null if it shows none. */
  toRealPath: (url: string) => string | null;
  /** Returns the requests to pages that robots.txt forbids. */
  forbiddenVisits: () => string[];
}

/** The duplicates of real pages that differ in the path. */
const DUPLICATE_PREFIX = /^\/(?:go|print|session\/[^/]*)(?=\/)/;

export async function startCrawlSite({
  pages: count = 2_000,
  hasTraps = true,
  slowMs = 1_500,
}: CrawlSiteOptions = {}): Promise<CrawlSite> {
  const pages = makePages(count).map((page) => (hasTraps ? page : withoutTraps(page)));
  const all = hasTraps ? pages : linkOrphans(pages);
  const byPath = new Map(all.map((page) => [page.path, page]));
  const titles = new Map(all.map(({ path, title }) => [path, title]));
  const log = new VisitLog();
  const addresses = { origin: "", otherOrigin: "" };

  /** Returns the real page with this path. The paths of folders also work without a slash and with index.html. */
  function findPage(path: string): RealPage | undefined {
    return byPath.get(path) ?? byPath.get(`${path}/`) ?? byPath.get(path.replace(/index\.html$/, ""));
  }

  function toReal(path: string, options: { toHref: (path: string) => string; head?: string }): string | null {
    const page = findPage(path);
    return page === undefined ? null : toRealDocument({ page, titles, ...options });
  }

  /** Returns the document of a real page. If the query has a session id, each link gets a new one. */
  function showPage(page: RealPage, session: string | null): Reply {
    const toHref = (path: string, position: number) =>
      session !== null
        ? `${path}?sid=${nextSession(session, path)}`
        : hasTraps
          ? toVariant(byPath.get(path), path, position, addresses.origin)
          : path;
    const footer = hasTraps && session === null ? toFooter(page) : "";
    const body = toRealDocument({ page, titles, toHref, footer });
    return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body };
  }

  async function reply(url: URL, isOwnHost: boolean): Promise<{ trap: string | null; reply: Reply }> {
    const trapped = (name: string, own: Reply) => ({ trap: name, reply: own });
    if (!isOwnHost) return trapped("other-host", { status: 200, body: "Another site" });
    const path = url.pathname;
    if (path === "/robots.txt") return { trap: null, reply: toRobots(addresses.origin) };
    const sitemap = toSitemap(path, { ...addresses, pages: all });
    if (sitemap !== null) return { trap: null, reply: sitemap };
    const [, name = "", ...rest] = path.split("/");
    const page = findPage(path);
    if (page !== undefined) {
      const isCanonical = page.path === `${path}${url.search}`;
      const early = isCanonical ? await delay(page) : null;
      const session = url.searchParams.get("sid");
      const trap = isCanonical ? null : session === null ? "duplicate" : "session-query";
      return { trap, reply: early ?? showPage(page, session) };
    }
    const trap = hasTraps ? TRAPS[name] : undefined;
    if (trap !== undefined) return trapped(name, trap({ url, rest, otherOrigin: addresses.otherOrigin, toReal }));
    return trapped("unknown", { status: 404, body: "Not found" });
  }

  /** Waits if the page is slow. Returns the error response that some pages send to their first request, or null. */
  async function delay({ kind, path }: RealPage): Promise<Reply | null> {
    if (kind === "slow") await sleep(slowMs);
    if (kind === "plain" || kind === "slow" || log.count(path) > 1) return null;
    return { status: kind === "limited" ? 429 : 503, headers: { "retry-after": "1" }, body: "Try again." };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", addresses.origin);
    const visit = log.start(`${url.pathname}${url.search}`, request.headers["user-agent"] ?? "");
    response.on("close", () => log.end(visit, { status: response.statusCode, isSent: response.writableFinished }));
    const { trap, reply: own } = await reply(url, `http://${request.headers.host}` === addresses.origin);
    visit.trap = trap;
    response.writeHead(own.status, own.headers);
    response.end(own.body);
  }

  // Turns keep-alive off. Otherwise, the server may close an idle connection at the moment when the next request
  // arrives, and the request would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void serve(request, response));
  const { port, origin, close } = await listen(server);
  Object.assign(addresses, { origin, otherOrigin: `http://localhost:${port}` });
  return {
    origin,
    hosts: [`127.0.0.1:${port}`, `localhost:${port}`],
    pages: all,
    log,
    toRealPath: (url) => {
      const { origin: of, pathname } = new URL(url);
      return of === origin ? (findPage(pathname.replace(DUPLICATE_PREFIX, ""))?.path ?? null) : null;
    },
    forbiddenVisits: () => log.all.flatMap(({ path, trap }) => (FORBIDDEN.includes(trap ?? "") ? [path] : [])),
    close,
  };
}

/** Returns one of several forms of a link to a real page. */
function toVariant(page: RealPage | undefined, path: string, position: number, origin: string): string {
  if (page?.isMoved) return `/go${path}`;
  const variants = [
    path,
    path,
    `${path}#details`,
    path,
    `${path}?utm_source=list&utm_medium=web`,
    `${origin}${path}`,
    origin.replace("http:", "") + path,
  ];
  return variants[position % variants.length] ?? path;
}

/**
 * Returns the links of the footer. The pages of folders link to all traps, and the pages of products to some of them.
 */
function toFooter({ path }: RealPage): string {
  const forbidden = [`/private/login?next=${path}`, `/search?q=${path}`];
  const isFolder = path.endsWith("/");
  const duplicates = isFolder && path !== "/" ? [path.slice(0, -1), `${path}index.html`] : [];
  const traps = path.split("/").length <= 3 ? ENTRIES : ["/calendar/2026/11", `/filter?path=${path}`, "/loop/"];
  const dead = path === "/" ? DEAD_LINKS : [];
  const print = path.includes("oak-") ? [`/print${path}`] : [];
  return list([
    ...[...forbidden, ...duplicates, ...(isFolder ? traps : []), ...dead, ...print].map((href) => link(href)),
    link("/nofollow/1", "Guest book", ' rel="nofollow"'),
  ]);
}

function withoutTraps(page: RealPage): RealPage {
  return { ...page, kind: "plain", isMoved: false };
}

/** Adds links to the pages that have none. */
function linkOrphans(pages: RealPage[]): RealPage[] {
  const orphans = pages.filter(({ isOrphan }) => isOrphan).map(({ path }) => path);
  return pages.map((page) => ({
    ...page,
    isOrphan: false,
    links: page.path === "/" ? [...page.links, ...orphans] : page.links,
  }));
}
