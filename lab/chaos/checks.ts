import type { Post } from "../../test/support/receiver.ts";
import type { CallRecord } from "./callers.ts";
import { checkEvent } from "./events.ts";
import { KINDS } from "./kinds.ts";
import { checkCredits, checkUsage, type ShownCredits } from "./money.ts";
import { type InjectedKills, mayExhaustAttempts } from "./run-failures.ts";
import type { DeliveryRow, JobRow, State } from "./state.ts";
import { broken, type Violation } from "./violation.ts";

export interface Evidence {
  calls: CallRecord[];
  state: State;
  /** The requests that the webhook receiver got, by the planned job's id. */
  posts: Map<string, Post[]>;
  /** The webhook signing secrets. */
  signing: { live: string; test: string };
  /** The credits that the API returned at the end. */
  shown: ShownCredits;
  /** The ids of completed jobs whose result can't be read. */
  unreadable: string[];
  injectedKills: InjectedKills;
  /** The rounds that ended because the service exited before the test killed it, such as `round 2`. */
  unexpectedExits: string[];
  /** The number of runs that failed with an unexpected error, by job id. */
  runFailures: Map<string, number>;
}

/** The maximum time that a synchronous request waits. If its job ends later, the result is sent to the webhook. */
const SYNC_WAIT_MS = 60_000;

/** Runs all checks and returns the violations. All jobs and deliveries must have finished. */
export function findViolations(evidence: Evidence): Violation[] {
  const { state } = evidence;
  return [
    ...state.damage.map((detail) => broken("the databases are intact", "SQLite", detail)),
    ...evidence.unexpectedExits.map((when) =>
      broken("the service runs until it is killed", when, "The service had already exited."),
    ),
    ...state.jobs.flatMap(checkEnd),
    ...evidence.calls.flatMap((call) => checkResponses(call, evidence)),
    ...state.jobs.flatMap((job) => checkDelivery(job, state)),
    ...evidence.calls.flatMap((call) => checkPosts(call, evidence)),
    ...checkCredits(state, evidence.shown),
    ...checkUsage(state),
    ...checkObjects(state),
    ...evidence.unreadable.map((id) => broken("a completed job's result can be read", id, "The result can't be read.")),
    ...(state.outbox === 0 ? [] : [broken("the outbox is empty", "outbox", `${state.outbox} entries are left.`)]),
  ];
}

/** Returns the job that a request created. Returns undefined if the request created no job. */
export function findJob({ job, responses }: CallRecord, state: State): JobRow | undefined {
  const id = responses.find(({ jobId }) => jobId !== null)?.jobId ?? findIdByKey(job.idempotencyKey, state);
  return state.jobs.find((row) => row.id === id) ?? state.jobs.find((row) => row.request.includes(job.id));
}

function findIdByKey(key: string | null, state: State): string | undefined {
  return key === null ? undefined : state.idempotency.find((row) => row.key === key)?.job_id;
}

function checkEnd(job: JobRow): Violation[] {
  const found: Violation[] = [];
  if (job.status !== "completed" && job.status !== "failed") {
    found.push(broken("every job ends", job.id, `Its status is ${job.status}.`));
  }
  if (job.waits !== 0 || job.due_at !== null || job.lease_until !== null) {
    const detail = `waits ${job.waits}, due_at ${job.due_at}, lease_until ${job.lease_until}`;
    found.push(broken("an ended job holds no slot or lease", job.id, detail));
  }
  return found;
}

/** Checks that each response matches the job's row, and that a request created only one job. */
function checkResponses(call: CallRecord, evidence: Evidence): Violation[] {
  const { state } = evidence;
  const { job, responses } = call;
  const found: Violation[] = [];
  const ids = new Set(responses.flatMap(({ jobId }) => (jobId === null ? [] : [jobId])));
  if (ids.size > 1) found.push(broken("an idempotency key creates one job", job.id, [...ids].join(", ")));
  const rows = state.jobs.filter((row) => row.request.includes(job.id));
  if (rows.length > 1) found.push(broken("a request creates one job", job.id, rows.map(({ id }) => id).join(", ")));
  for (const { status, jobId, code } of responses) {
    if (jobId === null) {
      found.push(broken("every request creates a job", job.id, `The response was ${status} ${code}.`));
      continue;
    }
    const row = state.jobs.find(({ id }) => id === jobId);
    if (row === undefined)
      found.push(
        broken(
          "every accepted job exists",
          jobId,
          `A response with status ${status} contained this job id, but the job isn't in the database.`,
        ),
      );
    else if (status === 200 && row.status !== "completed") found.push(contradicted(row, "completed"));
    else if (status >= 400 && row.code !== code) found.push(contradicted(row, String(code)));
  }
  const row = findJob(call, state);
  if (row !== undefined && !endsAsExpected(call, row, evidence)) {
    const outcome = `${row.code ?? row.status} after ${row.attempts} attempts`;
    found.push(broken("a job ends with the expected outcome", row.id, `${job.kind}: ${outcome}`));
  }
  return found;
}

function endsAsExpected({ job }: CallRecord, row: JobRow, { injectedKills, runFailures }: Evidence): boolean {
  const ends: "completed" | readonly string[] = job.mode === "test" ? "completed" : KINDS[job.kind].ends;
  if (row.code === "internal_error") return mayExhaustAttempts(row, injectedKills, runFailures);
  return ends === "completed" ? row.status === "completed" : ends.includes(row.code ?? "");
}

/**
 * Checks that the job has a delivery only if its outcome must be sent to a webhook. Also checks that the delivery's row
 * is consistent.
 */
function checkDelivery(job: JobRow, { deliveries }: State): Violation[] {
  const delivery = deliveries.find((row) => row.job_id === job.id);
  const isDue = job.webhook_url !== null && (job.waiting === 0 || Number(job.ended_at) > job.created_at + SYNC_WAIT_MS);
  if (!isDue) {
    if (delivery === undefined) return [];
    return [broken("no event is sent if the caller got the result", job.id, "There is a delivery.")];
  }
  if (delivery === undefined) return [broken("every ended job's event is sent", job.id, "There is no delivery.")];
  const found: Violation[] = [];
  if (delivery.event !== `job.${job.status}`) {
    found.push(broken("an event matches the job's status", job.id, `The event is ${delivery.event}.`));
  }
  if (delivery.status === "pending" && (delivery.next_attempt_at === null || delivery.due_at === null)) {
    found.push(broken("a pending delivery has a next attempt", job.id, "No attempt is scheduled."));
  }
  return found;
}

/** Checks that the delivery's row matches the requests that the receiver got. */
function checkPosts(call: CallRecord, evidence: Evidence): Violation[] {
  const { state } = evidence;
  const row = findJob(call, state);
  const delivery = row && state.deliveries.find(({ job_id }) => job_id === row.id);
  const posts = evidence.posts.get(call.job.id) ?? [];
  const found = posts.flatMap(({ headers }) => {
    const id = headers["x-webhook-id"] ?? "The event has no id.";
    return id === delivery?.id ? [] : [broken("every received event has a delivery", row?.id ?? call.job.id, id)];
  });
  if (row === undefined || delivery === undefined) return found;
  found.push(...posts.flatMap((post) => checkEvent(post, row, evidence.signing[call.job.mode])));
  if (posts.length > delivery.attempt) {
    const detail = `${posts.length} requests in ${delivery.attempt} attempts`;
    found.push(broken("an attempt sends the event at most once", row.id, detail));
  }
  if (delivery.status === "succeeded" && posts.length === 0) {
    found.push(broken("the receiver got every succeeded delivery", row.id, "The receiver got no request."));
  }
  if (posts.length === 0 && delivery.status === "pending") {
    found.push(broken("every ended job's event is sent", row.id, "The receiver got no request."));
  }
  if (delivery.status !== expectedStatus(call.job.receiver, delivery)) {
    found.push(broken("a delivery has the expected status", row.id, `${call.job.receiver}: ${delivery.status}`));
  }
  return found;
}

/**
 * Returns the expected status of a delivery that has no due attempt. The status depends on the behavior of the
 * receiver. If a kill interrupted an attempt, the delivery still waits for its next attempt.
 */
function expectedStatus(receiver: string | null, { status, attempts }: DeliveryRow): string {
  if (receiver === "hangup") return "pending";
  if (status === "pending" && attempts !== "[]") return "pending";
  return receiver === "gone" ? "abandoned" : "succeeded";
}

/** Checks that R2 has every object that a job's row refers to. */
function checkObjects({ account: { tag }, jobs, objects }: State): Violation[] {
  const there = new Set(objects);
  return jobs.flatMap((job) => {
    const expected = [
      ...(job.request_stored ? [`requests/${tag}/${job.id}`] : []),
      ...(job.result_in === "r2" ? [`results/${tag}/${job.id}/${job.run}`] : []),
      ...(job.result?.includes("screenshot_url") && job.mode === "live"
        ? [`screenshots/${tag}/${job.id}/${job.run}`]
        : []),
      ...(job.result?.includes("pdf_url") && job.mode === "live"
        ? [`screenshots/${tag}/${job.id}/${job.run}.pdf`]
        : []),
    ];
    return expected
      .filter((key) => !there.has(key))
      .map((key) => broken("every object that a row names exists", job.id, key));
  });
}

/**
 * Returns the R2 objects that no row refers to. They belong to lost runs, or to requests that created no job. The
 * bucket's lifecycle rules delete them when their retention period ends.
 */
export function findLeftovers({ account: { tag }, jobs, objects }: State): string[] {
  const named = new Set(
    jobs.flatMap(({ id, run }) => [
      `requests/${tag}/${id}`,
      `results/${tag}/${id}/${run}`,
      `screenshots/${tag}/${id}/${run}`,
      `screenshots/${tag}/${id}/${run}.pdf`,
    ]),
  );
  return objects.filter((key) => !named.has(key));
}

function contradicted(row: JobRow, reported: string): Violation {
  const detail = `The response has ${reported}, but the row has ${row.code ?? row.status}.`;
  return broken("a response matches the job", row.id, detail);
}
