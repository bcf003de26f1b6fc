import type { Post } from "../../test/support/receiver.ts";
import { type Blows, isWornOut } from "./accidents.ts";
import type { Called } from "./callers.ts";
import { checkEvent } from "./events.ts";
import { KINDS } from "./kinds.ts";
import { checkCredits, checkUsage, type ShownCredits } from "./money.ts";
import type { DeliveryRow, JobRow, State } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

export interface Evidence {
  called: Called[];
  state: State;
  /** What its webhook's receiver got, by the planned job's id. */
  posts: Map<string, Post[]>;
  /** With which such posts are signed. */
  signing: { live: string; test: string };
  /** The credits as the API showed them at the end. */
  shown: ShownCredits;
  /** Jobs whose results couldn't be read back. */
  unreadable: string[];
  blows: Blows;
  /** When the service was to be killed, and had ended by itself. */
  ownEnds: string[];
  /** Runs that failed while the service lived on, by the job's id. */
  accidents: Map<string, number>;
}

/** Nobody waits for longer (ms): what ends later is pushed. */
const SYNC_WAIT_MS = 60_000;

/** Whatever isn't as it should be, once nothing is under way any more. */
export function findViolations(evidence: Evidence): Violation[] {
  const { state } = evidence;
  return [
    ...state.damage.map((detail) => broken("the databases are whole", "SQLite", detail)),
    ...evidence.ownEnds.map((when) => broken("the service lives until it is killed", when, "It had ended by itself.")),
    ...state.jobs.flatMap(checkEnd),
    ...evidence.called.flatMap((called) => checkAnswers(called, evidence)),
    ...state.jobs.flatMap((job) => checkDelivery(job, state)),
    ...evidence.called.flatMap((called) => checkPosts(called, evidence)),
    ...checkCredits(state, evidence.shown),
    ...checkUsage(state),
    ...checkObjects(state),
    ...evidence.unreadable.map((id) => broken("a completed job's result can be read", id, "It can't.")),
    ...(state.outbox === 0 ? [] : [broken("objects learn of changes", "outbox", `${state.outbox} entries are left.`)]),
  ];
}

/** The job that a request became; undefined when it never arrived. */
export function jobOf({ job, answers }: Called, state: State): JobRow | undefined {
  const id = answers.find(({ jobId }) => jobId !== null)?.jobId ?? keyed(job.idempotencyKey, state);
  return state.jobs.find((row) => row.id === id) ?? state.jobs.find((row) => row.request.includes(job.id));
}

function keyed(key: string | null, state: State): string | undefined {
  return key === null ? undefined : state.idempotency.find((row) => row.key === key)?.job_id;
}

function checkEnd(job: JobRow): Violation[] {
  const found: Violation[] = [];
  if (job.status !== "completed" && job.status !== "failed") found.push(broken("every job ends", job.id, job.status));
  if (job.waits !== 0 || job.due_at !== null || job.lease_until !== null) {
    const detail = `waits ${job.waits}, due_at ${job.due_at}, lease_until ${job.lease_until}`;
    found.push(broken("what has ended holds nothing", job.id, detail));
  }
  return found;
}

/** What callers were told holds, and one request is one job. */
function checkAnswers(called: Called, evidence: Evidence): Violation[] {
  const { state } = evidence;
  const { job, answers } = called;
  const found: Violation[] = [];
  const ids = new Set(answers.flatMap(({ jobId }) => (jobId === null ? [] : [jobId])));
  if (ids.size > 1) found.push(broken("one key, one job", job.id, [...ids].join(", ")));
  const rows = state.jobs.filter((row) => row.request.includes(job.id));
  if (rows.length > 1) found.push(broken("one request, one job", job.id, rows.map(({ id }) => id).join(", ")));
  for (const { status, jobId, code } of answers) {
    if (jobId === null) {
      found.push(broken("a request is admitted", job.id, `Status ${status}, ${code}.`));
      continue;
    }
    const row = state.jobs.find(({ id }) => id === jobId);
    if (row === undefined) found.push(broken("an accepted job is there", jobId, `Status ${status} had named it.`));
    else if (status === 200 && row.status !== "completed") found.push(contradicted(row, "completed"));
    else if (status >= 400 && row.code !== code) found.push(contradicted(row, String(code)));
  }
  const row = jobOf(called, state);
  if (row !== undefined && !endsAsExpected(called, row, evidence)) {
    const how = `${row.code ?? row.status} after ${row.attempts} runs`;
    found.push(broken("a job ends as its target has it", row.id, `${job.kind}: ${how}`));
  }
  return found;
}

function endsAsExpected({ job }: Called, row: JobRow, { blows, accidents }: Evidence): boolean {
  const ends: "completed" | readonly string[] = job.mode === "test" ? "completed" : KINDS[job.kind].ends;
  if (row.code === "internal_error") return isWornOut(row, blows, accidents);
  return ends === "completed" ? row.status === "completed" : ends.includes(row.code ?? "");
}

/** A job's event is delivered, given up by its receiver's doing, or on its way. */
function checkDelivery(job: JobRow, { deliveries }: State): Violation[] {
  const delivery = deliveries.find((row) => row.job_id === job.id);
  const isDue = job.webhook_url !== null && (job.waiting === 0 || Number(job.ended_at) > job.created_at + SYNC_WAIT_MS);
  if (!isDue) return delivery === undefined ? [] : [broken("nothing is pushed that was answered", job.id, "It was.")];
  if (delivery === undefined) return [broken("an end is pushed", job.id, "There is no delivery.")];
  const found: Violation[] = [];
  if (delivery.event !== `job.${job.status}`) found.push(broken("an end is pushed as it was", job.id, delivery.event));
  if (delivery.status === "pending" && (delivery.next_attempt_at === null || delivery.due_at === null)) {
    found.push(broken("what wasn't delivered is tried again", job.id, "Nothing is scheduled."));
  }
  return found;
}

/** What a delivery says of itself, the receiver saw. */
function checkPosts(called: Called, evidence: Evidence): Violation[] {
  const { state } = evidence;
  const row = jobOf(called, state);
  const delivery = row && state.deliveries.find(({ job_id }) => job_id === row.id);
  const posts = evidence.posts.get(called.job.id) ?? [];
  const found = posts.flatMap(({ headers }) => {
    const id = headers["x-webhook-id"] ?? "without an id";
    return id === delivery?.id ? [] : [broken("a push has its delivery", row?.id ?? called.job.id, id)];
  });
  if (row === undefined || delivery === undefined) return found;
  found.push(...posts.flatMap((post) => checkEvent(post, row, evidence.signing[called.job.mode])));
  if (posts.length > delivery.attempt) {
    const detail = `${posts.length} posts, ${delivery.attempt} attempts`;
    found.push(broken("an event is posted once for each attempt", row.id, detail));
  }
  if (delivery.status === "succeeded" && posts.length === 0) {
    found.push(broken("what was delivered has arrived", row.id, "The receiver saw nothing."));
  }
  if (posts.length === 0 && delivery.status === "pending") {
    found.push(broken("an end is pushed", row.id, "No attempt has arrived."));
  }
  if (delivery.status !== statusFor(called.job.receiver, delivery)) {
    found.push(broken("a delivery ends as its receiver has it", row.id, `${called.job.receiver}: ${delivery.status}`));
  }
  return found;
}

/** How a delivery to such a receiver stands when nothing is due. An attempt that was cut short may have to wait. */
function statusFor(receiver: string | null, { status, attempts }: DeliveryRow): string {
  if (receiver === "hangup") return "pending";
  if (status === "pending" && attempts !== "[]") return "pending";
  return receiver === "gone" ? "abandoned" : "succeeded";
}

/** What the rows name is in R2. */
function checkObjects({ account: { tag }, jobs, objects }: State): Violation[] {
  const there = new Set(objects);
  return jobs.flatMap((job) => {
    const wanted = [
      ...(job.request_stored ? [`requests/${tag}/${job.id}`] : []),
      ...(job.result_in === "r2" ? [`results/${tag}/${job.id}/${job.run}`] : []),
      ...(job.result?.includes("screenshot_url") && job.mode === "live"
        ? [`screenshots/${tag}/${job.id}/${job.run}`]
        : []),
    ];
    return wanted.filter((key) => !there.has(key)).map((key) => broken("what a row names is stored", job.id, key));
  });
}

/**
 * Objects that no row names: of runs that don't count, of requests that were never admitted. They go with the
 * retention.
 */
export function findLeftovers({ account: { tag }, jobs, objects }: State): string[] {
  const named = new Set(
    jobs.flatMap(({ id, run }) => [
      `requests/${tag}/${id}`,
      `results/${tag}/${id}/${run}`,
      `screenshots/${tag}/${id}/${run}`,
    ]),
  );
  return objects.filter((key) => !named.has(key));
}

function contradicted(row: JobRow, told: string): Violation {
  return broken("an answer holds", row.id, `The caller was told ${told}, the row says ${row.code ?? row.status}.`);
}
