import type { Measured } from "./measured.ts";

/** One kind of job, as the limits see it. */
export interface JobKind {
  name: string;
  accountCalls: number;
  /** Messages in the queue of its jobs. */
  messages: number;
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

/** What isn't measured: times of other services, and the deployment. */
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
  daysKept: number;
}

/** Published limits of the platform. Sources: docs/scaling.md. */
export const PLATFORM = {
  objectRequestsPerSecond: 1_000,
  queueMessagesPerSecond: 5_000,
  consumers: 250,
  browsers: 200,
} as const;

/** Deliveries in flight. src/account/delivery-rules.ts has the same. */
const DELIVERIES_PER_ACCOUNT = 20;
const DELIVERIES_PER_RECEIVER = 4;
const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;
/** A verifier reads its record again after this time, and reports the key's use and the account's summary that often. */
const REFRESH_SECONDS = 10 * 60;
const SUMMARY_SECONDS = 15 * 60;
const SUMMARIES_PER_STATEMENT = 100;
/** Assumed: D1 makes one call at a time, with these times (ms). */
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
  /** Jobs a second that the limit allows for each key, each account or the whole service. */
  allows: number;
  /** What the scenario asks of it, as a share of what it allows. Above 1, it is reached. */
  use: number;
}

/** Returns the limits that apply to a scenario, the tightest first. */
export function toLimits(
  { accounts, perSecond, plan, keys, kind }: Scenario,
  measured: Measured,
  assumed: Assumed,
): Limit[] {
  const { object } = measured;
  const seconds = (kind.rendered ? assumed.renderMs : assumed.pageMs) / 1_000;
  const ownMs = object.createMs + object.finishMs + (kind.asynchronous ? object.claimMs : 0);
  const d1Ms =
    (keys * D1_READ_MS) / REFRESH_SECONDS + ((keys + 1) * D1_WRITE_MS) / SUMMARY_SECONDS / SUMMARIES_PER_STATEMENT;
  const entries: [Limit["per"], string, number, boolean?][] = [
    ["key", `rate of the plan (${plan.ratePerMinute} a minute)`, plan.ratePerMinute / 60],
    ["key", "requests to a verifier", PLATFORM.objectRequestsPerSecond],
    ["account", `monthly credits (${plan.monthlyCredits})`, plan.monthlyCredits / MONTH_SECONDS],
    ["account", "requests to the account's object", PLATFORM.objectRequestsPerSecond / kind.accountCalls],
    ["account", "time of the account's object", 1_000 / ownMs],
    ["account", `concurrent jobs (${plan.concurrentJobs})`, plan.concurrentJobs / seconds, kind.asynchronous],
    ["account", `concurrent renders (${plan.concurrentRenders})`, plan.concurrentRenders / seconds, kind.rendered],
    [
      "account",
      `deliveries in flight (${DELIVERIES_PER_ACCOUNT})`,
      (DELIVERIES_PER_ACCOUNT * 1_000) / assumed.receiverMs,
      kind.pushed,
    ],
    [
      "account",
      `deliveries in flight to one receiver (${DELIVERIES_PER_RECEIVER})`,
      (DELIVERIES_PER_RECEIVER * 1_000) / assumed.receiverMs,
      kind.pushed,
    ],
    [
      "account",
      `rows of ${assumed.daysKept} days in the object (ACCOUNT_ARCHIVE_BYTES)`,
      assumed.archiveBytes / object.bytesPerJob / assumed.daysKept / DAY_SECONDS,
    ],
    ["service", "messages of the queue `jobs`", PLATFORM.queueMessagesPerSecond / kind.messages, isQueued(kind, false)],
    [
      "service",
      `consumers of the queue \`jobs\` (${PLATFORM.consumers})`,
      batchesPerSecond(PLATFORM.consumers, assumed.jobsBatch, seconds),
      isQueued(kind, false),
    ],
    [
      "service",
      `consumers of the queue \`renders\` (${assumed.rendersConsumers})`,
      batchesPerSecond(assumed.rendersConsumers, assumed.rendersBatch, seconds),
      isQueued(kind, true),
    ],
    ["service", "messages of the queue `webhooks`", PLATFORM.queueMessagesPerSecond, kind.pushed],
    ["service", `browsers as configured (${assumed.browsers})`, rendersPerSecond(assumed.browsers), kind.rendered],
    ["service", `browsers of the platform (${PLATFORM.browsers})`, rendersPerSecond(PLATFORM.browsers), kind.rendered],
    // The directory's load is by keys and accounts, and doesn't grow with their jobs.
    ["service", "time of D1", accounts * perSecond * (1_000 / (accounts * d1Ms))],
  ];
  function rendersPerSecond(browsers: number): number {
    return (browsers * assumed.rendersPerBrowser) / seconds;
  }
  const asked = { key: perSecond / keys, account: perSecond, service: accounts * perSecond };
  return entries
    .filter(([, , , applies = true]) => applies)
    .map(([per, name, allows]) => ({ name, per, allows, use: asked[per] / allows }))
    .toSorted((a, b) => b.use - a.use);
}

function isQueued({ asynchronous, rendered }: JobKind, renders: boolean): boolean {
  return asynchronous && rendered === renders;
}

/** Returns the jobs a second of consumers that take `batch` messages and wait for the slowest (times are exponential). */
function batchesPerSecond(consumers: number, batch: number, seconds: number): number {
  const slowest = Array.from({ length: batch }, (_, i) => 1 / (i + 1)).reduce((total, share) => total + share, 0);
  return (consumers * batch) / (seconds * slowest);
}
