import { hasContent } from "../html/has-content";
import { openPage } from "../html/visible-page";
import { now } from "../lib/clock";
import { SECOND_MS } from "../model/limits";
import {
  LARGE_PAGE_BYTES,
  LOAD_MAX_MS,
  LOAD_TICK_MS,
  OTHER_SITES_LOAD_MS,
  OWN_PARSE_MAX_MS,
  OWN_SITE_LOAD_MS,
} from "../model/page-limits";
import { evaluate, readResponseBody, toExpression, toSnapshot } from "./evaluate";
import { ACTIVE_MS, type PendingRequest } from "./pending-requests";
import type { Tab } from "./tab";

/**
 * The number of times that a page is reloaded without the resources that didn't respond. Only a page whose scripts add
 * further such resources one after another needs more than one reload.
 */
const MAX_RELOADS = 5;
const TICK_MAX_MS = 4 * LOAD_TICK_MS;
/** A reload also blocks requests that are almost as old as the limit, so that they don't delay the page again. */
const NEARLY_DEAD_MS = OTHER_SITES_LOAD_MS - 2 * LOAD_TICK_MS;

/**
 * Waits for `load` (or with the tab's `waitUntil`, only for `DOMContentLoaded`), but not for resources that don't
 * respond:
 * - After `DOMContentLoaded`, the wait ends after OWN_SITE_LOAD_MS without progress of the page's own requests, or after
 *   OTHER_SITES_LOAD_MS if only requests to other sites are pending. If the page has content, it already ends when these
 *   requests are inactive. A page without content gets more time as long as a pending request may add some.
 * - If a resource that doesn't respond blocks the parser or the first paint, the page is reloaded without it. A request
 *   that was continued can't be failed, and stopping the load would lose the rest of the page.
 * - After LOAD_MAX_MS, the wait ends in any case as soon as the page is parsed, because `load` also waits for all images.
 * - A resource that is slow blocks the parser until LOAD_MAX_MS, or until OWN_PARSE_MAX_MS if it belongs to the page's
 *   own site. Then the page is reloaded without it.
 */
export async function waitForLoad(tab: Tab): Promise<void> {
  const { main, pending } = tab;
  const end = AbortSignal.timeout(OWN_PARSE_MAX_MS);
  let late = AbortSignal.timeout(LOAD_MAX_MS);
  let progress: number | null = null;
  let idleMs = 0;
  for (;;) {
    const startedAt = now();
    if (await loadsInTime(tab)) return;
    // A longer tick isn't counted in full. An isolate that is busy for a while reads no events of the browser.
    const tickMs = Math.min(Math.max(now() - startedAt, LOAD_TICK_MS), TICK_MAX_MS);
    pending.addSilence(tickMs);
    idleMs = main.isReady && progress === pending.ownProgress ? idleMs + tickMs : 0;
    progress = main.isReady ? pending.ownProgress : null;
    const isOver = main.isReady
      ? idleMs >= (pending.delaysOwnLoad ? OWN_SITE_LOAD_MS : OTHER_SITES_LOAD_MS)
      : isParserBlocked(tab);
    const isLate = late.aborted && (end.aborted || !isParsingOwn(tab));
    if (!isOver && !isLate && !(idleMs >= ACTIVE_MS && (await hasAllContent(tab)))) continue;
    idleMs = 0;
    const blocked = findDeadUrls(tab, isLate ? 0 : isOver ? NEARLY_DEAD_MS : ACTIVE_MS);
    if (blocked.length > 0) {
      await reloadWithout(tab, blocked);
      late = AbortSignal.timeout(LOAD_MAX_MS);
    } else if (isLate || !(await mayGetContent(tab))) {
      await tab.until(() => main.isReady);
      main.isGivenUp = true;
      pending.giveUp();
      return;
    }
  }
}

/** Returns true as soon as the page has loaded, or false after LOAD_TICK_MS. */
async function loadsInTime(tab: Tab): Promise<boolean> {
  const { main, waitUntil } = tab;
  return await tab.untilWithin(() => (waitUntil === "domcontentloaded" ? main.isReady : main.isLoaded), LOAD_TICK_MS);
}

/** Returns true if the document has been received, and each resource that blocks its parser doesn't respond. */
function isParserBlocked(tab: Tab): boolean {
  const { main, pending } = tab;
  if (main.response === null || pending.find(main.response.requestId) !== null || !knowsSilence(tab)) return false;
  const blockers = findBlockers(tab);
  return blockers.some(({ isOwn }) => !isOwn) && blockers.every((request) => isDead(request, OTHER_SITES_LOAD_MS));
}

/** Returns true if the document isn't parsed yet, and its parser waits only for resources of the page's own site. */
function isParsingOwn(tab: Tab): boolean {
  return !tab.main.isReady && findBlockers(tab).every((request) => request.isOwn && !isDead(request, 0));
}

/**
 * Returns false if the requests are sent through a `PageProxy`. It queues requests, so silence doesn't mean that a host
 * is dead. It also fails a request that takes too long, so no reload is needed.
 */
function knowsSilence({ proxy }: Tab): boolean {
  return proxy === null;
}

/** Returns the pending requests that block the parser, or the first paint if the document has been parsed. */
function findBlockers({ main, pending, frameId }: Tab): PendingRequest[] {
  return pending
    .list()
    .filter((request) => request.frameId === frameId && (main.isReady ? request.blocksPaint : request.blocksParser));
}

function isDead({ isOwn, silentMs }: PendingRequest, otherSitesMs: number): boolean {
  return silentMs >= (isOwn ? OWN_SITE_LOAD_MS : otherSitesMs);
}

/**
 * Returns the patterns of the URLs to block in a reload. Returns no patterns if a reload wouldn't help. `silentMs` is the
 * silence of the resources of other sites to block. If it is 0, also blocks resources that respond too slowly.
 */
function findDeadUrls(tab: Tab, silentMs: number): string[] {
  if (tab.reloads >= MAX_RELOADS || !knowsSilence(tab)) return [];
  const blockers = findBlockers(tab).filter((request) => silentMs === 0 || isDead(request, silentMs));
  if (blockers.length === 0) return [];
  const others = tab.pending.list().filter((request) => !request.isOwn && isDead(request, silentMs || NEARLY_DEAD_MS));
  return [...new Set([...blockers, ...others].map((request) => toPattern(tab, request)))];
}

/** Returns a pattern for `Network.setBlockedURLs`: the whole host, if it is another site that has never responded. */
function toPattern({ pending }: Tab, { url, isOwn }: PendingRequest): string {
  const { host, origin, pathname } = new URL(url);
  // The query is ignored, because it may contain the time or a random number.
  return isOwn || pending.hasResponded(host) ? `${origin}${pathname}*` : `*://${host}/*`;
}

/** Reloads the page without the blocked URLs. If possible, the document that was received is used again. */
async function reloadWithout(tab: Tab, patterns: string[]): Promise<void> {
  const { main } = tab;
  tab.reloads++;
  tab.blocked.dead.push(...patterns);
  tab.replay = await toReplay(tab);
  const { count } = main;
  const blocking = tab.blocked.apply();
  await Promise.all([blocking, tab.sendToPage("Page.reload", {})]);
  await tab.until(() => main.count > count);
}

/** Returns the response that the main document was loaded from, or null if its body isn't available. */
async function toReplay(tab: Tab): Promise<Tab["replay"]> {
  const { response } = tab.main;
  if (response === null || tab.pending.find(response.requestId) !== null) return null;
  const received = await readResponseBody(tab);
  if (received === null) return null;
  const { body, base64Encoded } = received;
  // The browser has decoded a text body with the charset of the page.
  const isText = !base64Encoded;
  return {
    url: response.url,
    responseCode: response.status,
    responseHeaders: Object.entries(response.headers)
      .filter(([name]) => !BODY_HEADERS.has(name) && !(isText && name === "content-type"))
      .flatMap(([name, values]) => values.split("\n").map((value) => ({ name, value })))
      .concat(isText ? { name: "content-type", value: `${response.contentType ?? "text/html"}; charset=utf-8` } : []),
    body: isText ? Buffer.from(body).toString("base64") : body,
  };
}

/** Headers that describe the body as it was sent, or that the browser has already processed. */
const BODY_HEADERS: ReadonlySet<string> = new Set([
  "content-encoding",
  "content-length",
  "transfer-encoding",
  "set-cookie",
]);

/**
 * Returns true if the page has content, and waits only for inactive requests to other sites. Looks at the content about
 * once per second, because that takes time.
 */
export async function hasAllContent(tab: Tab): Promise<boolean> {
  const { pending } = tab;
  if (!pending.areInactive || tab.lookedAt + SECOND_MS > now()) return false;
  tab.lookedAt = now();
  return !(await mayGetContent(tab));
}

/** Returns true if the page has no content yet, and a pending request may still add some. */
async function mayGetContent(tab: Tab): Promise<boolean> {
  const { main, pending } = tab;
  if (!main.isReady) return true;
  if (!pending.list().some((request) => request.isOwn || request.silentMs < OTHER_SITES_LOAD_MS)) return false;
  const snapshot = toSnapshot(await evaluate(tab, toExpression("takeSnapshot", LARGE_PAGE_BYTES)));
  return snapshot !== null && !hasContent(openPage(snapshot.html));
}
