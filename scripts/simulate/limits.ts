import type { ObjectRun } from "./measured.ts";

/** One kind of job, as the limits see it. */
export interface JobKind {
  name: string;
  /** Calls to the account's object for one job. */
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

/** Times of other services (ms), and the deployment. */
export interface Assumed {
  pageMs: number;
  renderMs: number;
  receiverMs: number;
  browsers: number;
  rendersPerBrowser: number;
  /** Messages that a consumer takes at a time. */
  jobsBatch: number;
  rendersBatch: number;
  rendersConsumers: number;
  archiveBytes: number;
  maxBytes: number;
}

/** Published limits of the platform. Sources: docs/scaling.md. */
export const PLATFORM = {
  objectRequestsPerSecond: 1_000,
  queueMessagesPerSecond: 5_000,
  consumers: 250,
  browsers: 200,
} as const;

const DAY_SECONDS = 86_400;
/** How long rows stay in the object: JOB_DAYS in src/account/archive.ts. */
const JOB_DAYS = 400;
/** Jobs that retention handles in a second: a batch of src/account/retention.ts each second. */
const RETENTION_PER_SECOND = 100;
/** Deliveries in flight: src/account/delivery-rules.ts. */
const DELIVERIES = { account: 20, receiver: 4 };
/** The directory: a verifier reads its record, and keys and accounts report to it, 100 to a statement. */
const REFRESH_SECONDS = 10 * 60;
const SUMMARY_SECONDS = 15 * 60;
const SUMMARIES_PER_STATEMENT = 100;
/** Assumed: D1 makes one call at a time, with these times. */
const D1_READ_MS = 0.5;
const D1_WRITE_MS = 3;

export interface Scenario {
  accounts: number;
  /** Jobs a second of each account. */
  perSecond: number;
  plan: Plan;
  /** Keys that each account spreads its jobs over. */
  keys: number;
  kind: JobKind;
}

export interface Limit {
  name: string;
  per: "key" | "account" | "service";
  /** Jobs a second that it allows for each key, each account or the whole service. */
  allows: number;
  /** The share that the load uses. Above 1, the limit is reached. */
  use: number;
}

function limitPer(per: Limit["per"]) {
  return (name: string, allows: number, applies = true) => ({ per, name, allows, applies });
}

const [key, ofAccount, service] = [limitPer("key"), limitPer("account"), limitPer("service")];

/** Returns the limits that apply to a load, the tightest first. */
export function toLimits(scenario: Scenario, object: ObjectRun, assumed: Assumed): Limit[] {
  const { accounts, perSecond, plan, keys, kind } = scenario;
  const { asynchronous, rendered, pushed } = kind;
  const queued = asynchronous && !rendered;
  const seconds = (rendered ? assumed.renderMs : assumed.pageMs) / 1_000;
  const receiverSeconds = assumed.receiverMs / 1_000;
  const ownMs = object.createMs + object.finishMs + (asynchronous ? object.claimMs : 0);
  const places = (browsers: number) => browsers * assumed.rendersPerBrowser;
  const batches = (consumers: number, batch: number) => batchesPerSecond(consumers, batch, seconds);
  const jobsADay = (bytes: number) => bytes / object.bytesPerJob / DAY_SECONDS;
  const { receiver, account } = DELIVERIES;
  const limits = [
    key("rate of the plan", plan.ratePerMinute / 60),
    key("requests to a verifier", PLATFORM.objectRequestsPerSecond),
    ofAccount("monthly credits", plan.monthlyCredits / (30 * DAY_SECONDS)),
    ofAccount("concurrent jobs", plan.concurrentJobs / seconds, asynchronous),
    ofAccount("concurrent renders", plan.concurrentRenders / seconds, rendered),
    ofAccount("requests to the account's object", PLATFORM.objectRequestsPerSecond / kind.accountCalls),
    ofAccount("time of the account's object", 1_000 / ownMs),
    ofAccount(`deliveries in flight (${account})`, account / receiverSeconds, pushed),
    ofAccount(`deliveries in flight to one receiver (${receiver})`, receiver / receiverSeconds, pushed),
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
    service(`browsers as configured (${assumed.browsers})`, places(assumed.browsers) / seconds, rendered),
    service(`browsers of the platform (${PLATFORM.browsers})`, places(PLATFORM.browsers) / seconds, rendered),
    service("time of D1", (accounts * perSecond) / toD1Use(accounts, keys)),
  ];
  const asked = { key: perSecond / keys, account: perSecond, service: accounts * perSecond };
  return limits
    .filter(({ applies }) => applies)
    .map(({ name, per, allows }) => ({ name, per, allows, use: asked[per] / allows }))
    .toSorted((a, b) => b.use - a.use);
}

/** Returns the share of D1's time that keys and accounts in use take. Their jobs take none. */
function toD1Use(accounts: number, keys: number): number {
  const reads = (accounts * keys) / REFRESH_SECONDS;
  const writes = (accounts * (keys + 1)) / SUMMARY_SECONDS / SUMMARIES_PER_STATEMENT;
  return (reads * D1_READ_MS + writes * D1_WRITE_MS) / 1_000;
}

/**
 * Returns the jobs a second of consumers that take `batch` messages and wait for the slowest. Times are exponential.
 */
function batchesPerSecond(consumers: number, batch: number, seconds: number): number {
  const slowest = Array.from({ length: batch }, (_, i) => 1 / (i + 1)).reduce((total, share) => total + share, 0);
  return (consumers * batch) / (seconds * slowest);
}
