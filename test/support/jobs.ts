import { env } from "cloudflare:workers";
import { callAccount } from "../../src/account/client";
import type { JobFilter } from "../../src/account/storage/types";
import { createJob } from "../../src/jobs/create";
import type { AccountRef } from "../../src/model/account";
import type { ClaimedJob, Job, JobMessage } from "../../src/model/job";
import { type Prices, toPrices } from "../../src/model/prices";
import { callerOf, openObject, withSilentJobs } from "./account";
import { ORIGIN } from "./client";

/** Creates a job without sending a queue message, so that only the test runs it. */
export async function createTestJob(
  url: string,
  {
    waiting = false,
    account,
    request = {},
    bindings = env,
    prices = toPrices(env),
  }: {
    waiting?: boolean;
    account?: AccountRef;
    request?: Record<string, unknown>;
    bindings?: Env;
    prices?: Prices;
  } = {},
): Promise<ClaimedJob> {
  const created = await createJob(withSilentJobs(bindings), {
    caller: callerOf(account ?? (await openObject())),
    endpoint: "scrape",
    request: { url, formats: ["text"], js_render: false, only_main_content: true, ...request } as never,
    rendered: false,
    prices,
    plan: { method: "plain", lines: [{ item: "scrape", credits: prices.scrape }] },
    waiting,
    origin: ORIGIN,
    idempotencyKey: null,
    now: Date.now(),
  });
  if (created.kind !== "new") throw new Error(created.kind);
  return created.job;
}

/** Returns a job's queue message. */
export function messageOf({ account, mode, id }: Job): JobMessage {
  return { kind: "job", account, mode, job: id };
}

/** Returns one page of the account's jobs, newest first. */
export async function listJobs(account: AccountRef, filter: JobFilter) {
  return await callAccount(env, account, (object) => object.list(filter));
}

/** Returns one page of the account's jobs as rows of the dashboard's job list, newest first. */
export async function listJobLines(account: AccountRef, filter: JobFilter) {
  return await callAccount(env, account, (object) => object.listLines(filter));
}
