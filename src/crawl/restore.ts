import type { PageLine, PageLineFilter, PageLinesReply } from "../account/batches/batch-list";
import { callAccountOrGone } from "../account/client";
import type { Gone } from "../account/storage/types";
import type { CrawlRef } from "../model/crawl";
import type { Frontier } from "./frontier";
import type { Hosts } from "./hosts";
import type { CrawlState } from "./state";

/** The number of pages that one call to the account returns. */
const PAGES_PER_CALL = 1_000;

/** Returns the pages that a crawl has started. If the crawl has lost its own record, they are read from the account. */
export async function readStartedPages(env: Env, { account, mode, id }: CrawlRef): Promise<PageLine[]> {
  const pages: PageLine[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const filter: PageLineFilter = { mode, id, after, limit: PAGES_PER_CALL };
    const reply: PageLinesReply | Gone = await callAccountOrGone(env, account, (stub) => stub.listPageLines(filter));
    if (reply.kind !== "pages") return pages;
    pages.push(...reply.pages);
    after = reply.next;
  }
  return pages;
}

/**
 * Adds the pages that a crawl has started before it lost its record, so that it doesn't visit them again. Must be
 * called within a transaction. The links of ended pages are no longer known.
 */
export function restorePages(
  { frontier, hosts }: { frontier: Frontier; hosts: Hosts },
  { options }: CrawlState,
  pages: readonly PageLine[],
): void {
  for (const { number, url, status } of pages) {
    if (url === null) continue;
    const hasEnded = status === null || status === "completed" || status === "failed";
    // The page's number of links from the first page isn't known. If the crawl has a limit for it, the page gets the
    // maximum, so that its links aren't followed.
    const depth = number === 1 ? 0 : (options.maxDepth ?? 0);
    frontier.restore({ url, number, depth, hasEnded, failed: status === "failed" });
    hosts.add(new URL(url).host);
  }
}
