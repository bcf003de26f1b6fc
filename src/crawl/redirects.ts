import type { RedirectAnswer, ReportReply } from "../model/crawl";
import { toCanonicalUrl } from "../site/canonical-url";
import { isSignOutUrl } from "../site/sign-out";
import { needsRobots } from "./choose-pages";
import type { Frontier, UrlRow } from "./frontier";
import { findRobotsRefusal, type Hosts, rulesOf } from "./hosts";
import { readRobots } from "./site-files";
import type { CrawlState } from "./state";
import { toVisited } from "./url-rules";

interface RedirectContext {
  env: Env;
  frontier: Frontier;
  hosts: Hosts;
  state: CrawlState;
  /** Returns true if the crawl is still stored. */
  isStored: () => boolean;
}

/** Decides whether a page may be redirected to this URL. Allows URLs without a host, such as blob:. */
export async function checkRedirect(context: RedirectContext, url: string, page: number): Promise<RedirectAnswer> {
  if (!/^https?:/.test(url)) return { visited: null, refusal: null };
  if (context.state.options.sendsCookies && isSignOutUrl(new URL(url)))
    return { visited: null, refusal: `The page redirects to ${url}, which would sign out the crawl.` };
  const canonical = toCanonicalUrl(url);
  const { frontier, state } = context;
  const visited = canonical === null ? null : findVisited(frontier, toVisited(canonical, state.options), page);
  const isAllowed = visited !== null || !needsRobots(context.state);
  return { visited, refusal: isAllowed ? null : await findRefusal(context, url) };
}

/** Returns the reason why robots.txt doesn't allow a URL, or null. Reads the file if it isn't known. */
async function findRefusal({ env, hosts, state, isStored }: RedirectContext, url: string): Promise<string | null> {
  const { host } = new URL(url);
  const known = hosts.robotsOf(host);
  if (known !== null) return findRobotsRefusal(url, known);
  const fetched = await readRobots(env, url, state);
  if (isStored()) hosts.keepRobots(host, fetched);
  return findRobotsRefusal(url, rulesOf(fetched));
}

/** Returns the page other than `number` that has visited this URL or is visiting it, or null. */
export function findOther(frontier: Frontier, url: string, number: number): UrlRow | null {
  const known = frontier.find(url);
  const other = known?.same_as ?? known?.number ?? null;
  const page = other === null || other === number ? null : frontier.findPage(other);
  return page === null || page.failed === 1 ? null : page;
}

/** Returns the URL of the page other than `number` that has reported the content of this URL, or null. */
export function findVisited(frontier: Frontier, url: string, number: number): string | null {
  const page = findOther(frontier, url, number);
  return page !== null && hasContent(page) ? page.url : null;
}

/**
 * Returns true if the page has reported its own content. A page that redirects to another page has none. Such a redirect
 * is followed again, because it can depend on the cookies of the page that leads to it.
 */
export function hasContent({ reply }: UrlRow): boolean {
  if (reply === null) return false;
  const { retryAfterMs, isRedirect }: ReportReply = JSON.parse(reply);
  return retryAfterMs === null && isRedirect !== true;
}
