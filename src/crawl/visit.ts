import type { CrawlOptions, FoundPage, PageReport, ReportReply } from "../model/crawl";
import { mergeSignals, refusesUse } from "../site/content-signals";
import type { Frontier, UrlRow } from "./frontier";
import type { Hosts } from "./hosts";
import { findOther, hasContent } from "./redirects";
import { type CrawlState, needsSitemaps } from "./state";
import { isInScope, toVisited } from "./url-rules";

export interface Visit {
  frontier: Frontier;
  hosts: Hosts;
  /** The functions change the state, and the caller stores it after each step. The next step has a new copy. */
  state: CrawlState;
  now: number;
}

/**
 * Applies the report of a page's run: adds the links of the page, or delays its host. Idempotent by page and run. Each
 * step must be executed within a transaction. The report is stored in the last step, so it is repeated if a step is
 * lost. Returns null if the crawl doesn't know the page.
 */
export function* applyReport(visit: Visit, report: PageReport): Generator<void, ReportReply | null> {
  const { frontier } = visit;
  const row = frontier.findPage(report.page);
  if (row === null) return null;
  if (row.run === report.run && row.reply !== null) return JSON.parse(row.reply);
  const reply: ReportReply = { depth: row.depth, duplicateOf: null, retryAfterMs: null };
  if (report.kind === "busy") {
    const { retryAfterMs } = report;
    reply.retryAfterMs = visit.hosts.punish(row.host, { tries: row.tries, retryAfterMs, now: visit.now });
  } else visit.hosts.endPenalty(row.host);
  if (report.kind === "found") {
    Object.assign(reply, yield* visitPage(visit, row, toFound(report, visit.state.options)));
    const robots = visit.hosts.robotsOf(new URL(report.url ?? row.url).host);
    const signals = mergeSignals(robots?.signals ?? {}, report.signals ?? {});
    const isRefused = refusesUse(signals, visit.state.options.contentUse);
    if (Object.keys(signals).length > 0) Object.assign(reply, { signals, isRefused });
  }
  frontier.report(report.page, {
    run: report.run,
    reply: JSON.stringify(reply),
    failed: report.kind !== "found",
    retryAt: reply.retryAfterMs === null ? null : visit.now + reply.retryAfterMs,
  });
  return reply;
}

/** Returns the page with its own URLs in the form in which the crawl visits them. */
function toFound(found: FoundPage, options: CrawlOptions): FoundPage {
  const [url, canonical] = [found.url, found.canonical].map((own) => (own === null ? null : toVisited(own, options)));
  return { ...found, url: url ?? null, canonical: canonical ?? null };
}

/** Adds the links of a page, unless they are already known. Returns the earlier page that this page repeats. */
function* visitPage(
  visit: Visit,
  row: UrlRow,
  found: FoundPage,
): Generator<void, Required<Pick<ReportReply, "duplicateOf" | "isRedirect">>> {
  const { frontier, state } = visit;
  const { options } = state;
  const number = row.number ?? 0;
  const url = found.url ?? row.url;
  if (number === 1 && row.depth === 0 && !isInScope(url, options, state.finalUrl)) {
    state.finalUrl = url;
    // The other site has its own sitemaps, so sitemaps must be read again.
    state.hasSitemaps = !needsSitemaps(state);
  }
  const { original, isKnown, isRedirect } = findOriginal(visit, row, { ...found, url });
  const repeated = { duplicateOf: original?.url ?? null, isRedirect };
  if (isKnown) return repeated;
  const ignoresRobots = options.robots === "ignore";
  const isFollowed = options.sitemap !== "only" && (ignoresRobots || !found.nofollow);
  // A page can redirect to another site. The links of the target aren't followed.
  if (!isFollowed || !isInScope(url, options, state.finalUrl)) return repeated;
  const links = [
    ...(found.canonical === null ? [] : [found.canonical]),
    ...found.links,
    ...(ignoresRobots ? (found.nofollowLinks ?? []) : []),
  ];
  const signOut = (found.signOutLinks ?? []).filter((link) => isInScope(link, options, state.finalUrl));
  if (options.sendsCookies) frontier.exclude(signOut, row.depth + 1, "sign_out");
  const omitted = yield* frontier.add(links, row.depth + 1, { options, finalUrl: state.finalUrl });
  visit.state.omitted += omitted;
  return repeated;
}

/**
 * Returns the earlier page that a page repeats, or null. Compares the URL after redirects, the declared URL and the
 * content. `isKnown` is true if the links of the page are already known. A declared URL doesn't prove this, because
 * many sites declare the first page of a list for all its pages, or the home page for every page.
 */
function findOriginal(
  { frontier }: Visit,
  row: UrlRow,
  { url, canonical, hash, isRepeat }: FoundPage & { url: string },
): { original: UrlRow | null; isKnown: boolean; isRedirect: boolean } {
  const number = row.number ?? 0;
  if (url !== row.url) {
    const other = findOther(frontier, url, number);
    if (isRepeat) return { original: other, isKnown: true, isRedirect: true };
    // A page that is still running may fail. Its links would then be lost.
    if (other !== null) return { original: other, isKnown: hasContent(other), isRedirect: true };
    frontier.addAlias(url, number);
  }
  const declared =
    canonical === null || canonical === url || canonical === row.url ? null : findOther(frontier, canonical, number);
  const first = hash === null ? number : frontier.recognize(hash, number);
  const isKnown = first !== number;
  return { original: declared ?? (isKnown ? frontier.findPage(first) : null), isKnown, isRedirect: false };
}
