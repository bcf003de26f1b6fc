import { accountGone, callAccount } from "../account/client";
import type { JobLine } from "../account/job-lines";
import type { ListReply } from "../account/lists";
import type { Gone, JobFilter } from "../account/types";
import type { AccountRef } from "../model/account";
import type { Job } from "../model/job";

/**
 * The maximum number of calls for one page. If few jobs match the filter, the page may therefore be shorter than
 * requested.
 */
const MAX_CALLS = 50;

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  /** The number of matching jobs. If `isEstimate` is true, there may be more. */
  total: number;
  isEstimate: boolean;
  /** The cursor of the next page. Null if this is the last page. */
  next: string | null;
}

/** Returns one page of jobs, newest first, without the large members of `meta`. */
export async function listJobs(env: Env, account: AccountRef, filter: JobFilter): Promise<Page<Job>> {
  return await readPage(filter, (part) => callAccount(env, account, (stub) => stub.list(part)));
}

/** Returns one page of jobs as rows of the dashboard's job list, newest first. */
export async function listJobLines(env: Env, account: AccountRef, filter: JobFilter): Promise<Page<JobLine>> {
  return await readPage(filter, (part) => callAccount(env, account, (stub) => stub.listLines(part)));
}

type Reply<Item> = ({ kind: "page" } & ListReply<Item>) | Gone;

/** Calls the Durable Object repeatedly until the page is full, because each call reads a limited number of rows. */
async function readPage<Item>(
  filter: JobFilter,
  list: (filter: JobFilter) => Promise<Reply<Item>>,
): Promise<Page<Item>> {
  const page: Page<Item> = { items: [], total: 0, isEstimate: false, next: null };
  let { offset, cursor } = filter;
  for (let call = 0; call < MAX_CALLS; call++) {
    const part = { ...filter, cursor, offset, limit: filter.limit - page.items.length, isCounted: call === 0 };
    const reply = await list(part);
    if (reply.kind === "gone") throw accountGone();
    page.items.push(...reply.items);
    page.next = reply.next;
    if (call === 0) Object.assign(page, { total: reply.total, isEstimate: reply.isEstimate });
    if (reply.next === null || page.items.length === filter.limit) break;
    offset -= reply.skipped;
    cursor = reply.next;
  }
  if (filter.cursor !== undefined) return page;
  const read = filter.offset + page.items.length;
  if (page.isEstimate) return { ...page, total: Math.max(page.total, page.next === null ? read : read + 1) };
  return read < page.total ? page : { ...page, next: null };
}
