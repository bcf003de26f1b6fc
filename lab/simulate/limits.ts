import type { ObjectRun } from "./measured.ts";

/** The properties of a kind of job. They determine which limits the jobs reach. */
export interface JobKind {
  name: string;
  /** The number of calls to the account's object for one job. */
  accountCalls: number;
  rendered: boolean;
  asynchronous: boolean;
  pushed: boolean;
}

/** The limits of an account. */
export interface Plan {
  name: string;
  ratePerMinute: number;
  concurrentJobs: number;
  concurrentRenders: number;
  monthlyCredits: number;
}

/** Assumed times of other services (ms), and the configuration of the deployment. */
export interface Assumed {
  pageMs: number;
  renderMs: number;
  receiverMs: number;
  browsers: number;
  rendersPerBrowser: number;
  /** The maximum number of messages in a consumer's batch. */
  jobsBatch: number;
  rendersBatch: number;
  rendersConsumers: number;
  archiveBytes: number;
  maxBytes: number;
}

/** Cloudflare's published limits. docs/evidence/load.md has the sources. */
export const PLATFORM = {
  objectRequestsPerSecond: 1_000,
  queueMessagesPerSecond: 5_000,
  consumers: 250,
  browsers: 200,
} as const;

const DAY_SECONDS = 86_400;
/** Rows stay in the account's object for this many days (JOB_DAYS in src/account/retention/archive.ts). */
const JOB_DAYS = 400;
/** The number of jobs that retention processes per second (one batch of src/account/retention/retention.ts each second). */
const RETENTION_PER_SECOND = 100;
/** The limits of concurrent webhook deliveries (src/account/deliveries/delivery-rules.ts). */
const DELIVERIES = { account: 20, receiver: 4 };
/** A key verifier reads its record from D1 at this interval. */
const REFRESH_SECONDS = 10 * 60;
/** The Durable Objects of keys and accounts write summaries to D1 at this interval. */
const SUMMARY_SECONDS = 15 * 60;
const SUMMARIES_PER_STATEMENT = 100;
/** Assumed times (ms) of D1 calls. D1 executes one call at a time. */
const D1_READ_MS = 0.5;
const D1_WRITE_MS = 3;

export interface Scenario {
  accounts: number;
  /** The jobs per second of each account. */
  perSecond: number;
  plan: Plan;
  /** The number of keys that each account uses. Its jobs are distributed over the keys. */
  keys: number;
  kind: JobKind;
}

export interface Limit {
  name: string;
  per: "key" | "account" | "service";
  /** The jobs per second that the limit allows for each key, each account or the whole service. */
  allows: number;
  /** The load as a share of the limit. Above 1, the load exceeds the limit. */
  use: number;
}

function limitPer(per: Limit["per"]) {
  return (name: string, allows: number, applies = true) => ({ per, name, allows, applies });
}

const [key, ofAccount, service] = [limitPer("key"), limitPer("account"), limitPer("service")];

/** Returns the limits that apply to a load, the most used limit first. */
export function toLimits(scenario: Scenario, object: ObjectRun, assumed: Assumed): Limit[] {
  const { accounts, perSecond, plan, keys, kind } = scenario;
  const { asynchronous, rendered, pushed } = kind;
  const queued = asynchronous && !rendered;
  const seconds = (rendered ? assumed.renderMs : assumed.pageMs) / 1_000;
  const receiverSeconds = assumed.receiverMs / 1_000;
  const ownMs = object.createMs + object.finishMs + (asynchronous ? object.claimMs : 0);
  const slots = (browsers: number) => browsers * assumed.rendersPerBrowser;
  const batches = (consumers: number, batch: number) => batchesPerSecond(consumers, batch, seconds);
  const jobsADay = (bytes: number) => bytes / object.bytesPerJob / DAY_SECONDS;
  const { receiver, account } = DELIVERIES;
  const limits = [
    key("rate limit of the plan", plan.ratePerMinute / 60),
    key("requests to the key verifier", PLATFORM.objectRequestsPerSecond),
    ofAccount("monthly credits", plan.monthlyCredits / (30 * DAY_SECONDS)),
    ofAccount("concurrent jobs", plan.concurrentJobs / seconds, asynchronous),
    ofAccount("concurrent renders", plan.concurrentRenders / seconds, rendered),
    ofAccount("requests to the account's object", PLATFORM.objectRequestsPerSecond / kind.accountCalls),
    ofAccount("CPU time of the account's object", 1_000 / ownMs),
    ofAccount(`concurrent deliveries (${account})`, account / receiverSeconds, pushed),
    ofAccount(`concurrent deliveries to one receiver (${receiver})`, receiver / receiverSeconds, pushed),
    ofAccount("retention of the account's jobs", RETENTION_PER_SECOND),
    ofAccount(`${JOB_DAYS} days of rows (ACCOUNT_ARCHIVE_BYTES)`, jobsADay(assumed.archiveBytes) / JOB_DAYS),
    ofAccount("one day of rows (ACCOUNT_MAX_BYTES)", jobsADay(assumed.maxBytes)),
    service("messages of the queue jobs", PLATFORM.queueMessagesPerSecond, queued),
    service("consumers of the queue jobs", batches(PLATFORM.consumers, assumed.jobsBatch), queued),
    service(
      "consumers of the queue renders",
      batches(assumed.rendersConsumers, assumed.rendersBatch),
      asynchronous && rendered,
    ),
    service("messages of the queue webhooks", PLATFORM.queueMessagesPerSecond, pushed),
    service(`configured browsers (${assumed.browsers})`, slots(assumed.browsers) / seconds, rendered),
    service(`platform limit of browsers (${PLATFORM.browsers})`, slots(PLATFORM.browsers) / seconds, rendered),
    service("D1 time", (accounts * perSecond) / toD1Use(accounts, keys)),
  ];
  const load = { key: perSecond / keys, account: perSecond, service: accounts * perSecond };
  return limits
    .filter(({ applies }) => applies)
    .map(({ name, per, allows }) => ({ name, per, allows, use: load[per] / allows }))
    .toSorted((a, b) => b.use - a.use);
}

/** Returns the share of D1's time that active keys and accounts use. Jobs don't use D1. */
function toD1Use(accounts: number, keys: number): number {
  const reads = (accounts * keys) / REFRESH_SECONDS;
  const writes = (accounts * (keys + 1)) / SUMMARY_SECONDS / SUMMARIES_PER_STATEMENT;
  return (reads * D1_READ_MS + writes * D1_WRITE_MS) / 1_000;
}

/**
 * Returns the jobs per second of consumers that take `batch` messages and wait for the slowest job of each batch. The
 * times are exponentially distributed.
 */
function batchesPerSecond(consumers: number, batch: number, seconds: number): number {
  const slowest = Array.from({ length: batch }, (_, i) => 1 / (i + 1)).reduce((total, share) => total + share, 0);
  return (consumers * batch) / (seconds * slowest);
}
