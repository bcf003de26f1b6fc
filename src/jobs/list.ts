import { accountGone, callAccount } from "../account/client";
import type { JobLine } from "../account/job-lines";
import type { ListPage } from "../account/read-page";
import type { Gone, JobFilter } from "../account/types";
import type { AccountRef } from "../model/account";
import type { Job } from "../model/job";

/** Returns one page of jobs, newest first, without the large members of `meta`. */
export async function listJobs(env: Env, account: AccountRef, filter: JobFilter): Promise<ListPage<Job>> {
  return expectPage(await callAccount(env, account, (stub) => stub.list(filter)));
}

/** Returns one page of jobs as rows of the dashboard's job list, newest first. */
export async function listJobLines(env: Env, account: AccountRef, filter: JobFilter): Promise<ListPage<JobLine>> {
  return expectPage(await callAccount(env, account, (stub) => stub.listLines(filter)));
}

function expectPage<Item>(reply: ListPage<Item> | Gone): ListPage<Item> {
  if (reply.kind === "gone") throw accountGone();
  return reply;
}
