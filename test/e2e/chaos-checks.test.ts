import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { CallRecord } from "../../lab/chaos/callers.ts";
import { type Evidence, findLeftovers, findViolations } from "../../lab/chaos/checks.ts";
import { readOptions } from "../../lab/chaos/options.ts";
import { makePlan } from "../../lab/chaos/plan.ts";
import { countRunFailures } from "../../lab/chaos/run-failures.ts";
import { killGroup } from "../../lab/chaos/service.ts";
import type { DeliveryRow, JobRow, UsageRow } from "../../lab/chaos/state.ts";
import type { Post } from "../support/receiver.ts";

const AT = Date.parse("2026-11-20T12:00:00Z");
const SECRET = "whsec_live";
const TAG = "0123456789";

/**
 * Returns the data about one successful job that `findViolations` checks: its request, its row, its charge and its
 * webhook.
 */
function makeEvidence() {
  const called: CallRecord = {
    job: {
      id: "c1-0-0",
      kind: "scrape, large result",
      mode: "live",
      waits: false,
      receiver: "ok",
      idempotencyKey: "key-c1-0-0",
      repeated: false,
      afterMs: 0,
    },
    responses: [{ status: 202, jobId: "job-1", code: null }],
    brokenConnections: 0,
  };
  const job: JobRow = {
    id: "job-1",
    mode: "live",
    key_id: "key-1",
    endpoint: "scrape",
    status: "completed",
    waits: 0,
    request: '{"url":"http://site/c1-0-0/large"}',
    request_stored: false,
    waiting: 0,
    webhook_url: "https://receiver/c1-0-0/ok",
    credits: 1,
    credits_used: 1,
    created_at: AT,
    ended_at: AT + 1_000,
    run: 2,
    attempts: 2,
    lease_until: null,
    due_at: null,
    result: null,
    result_in: "r2",
    code: null,
    batch_id: null,
    page: null,
  };
  const delivery: DeliveryRow = {
    id: "job-1",
    job_id: "job-1",
    event: "job.completed",
    status: "succeeded",
    attempt: 1,
    attempts: "[{}]",
    next_attempt_at: null,
    due_at: null,
  };
  const account = { id: "local", tag: TAG, funds: 99, used: 1 };
  const day: UsageRow = {
    mode: "live",
    date: "2026-11-20",
    key_id: "key-1",
    endpoint: "scrape",
    requests: 1,
    credits: 1,
    durations: '{"7":1}',
  };
  const post: Post = { at: AT, method: "POST", headers: { "x-webhook-id": "job-1" }, body: "" };
  setEvent(post, { event: "job.completed", job_id: "job-1", status: "completed" });
  const evidence: Evidence = {
    calls: [called],
    state: {
      account,
      jobs: [job],
      ledger: [{ kind: "grant", key: "grant:1", amount: 100 }],
      usage: [day],
      deliveries: [delivery],
      idempotency: [{ key: "key-c1-0-0", job_id: "job-1" }],
      outbox: 0,
      damage: [],
      objects: [`results/${TAG}/job-1/2`],
    },
    posts: new Map([["c1-0-0", [post]]]),
    signing: { live: SECRET, test: "whsec_test" },
    shown: { balance: 99, reserved: 0 },
    unreadable: [],
    injectedKills: { service: [AT + 100, AT + 200, AT + 300], browsers: [AT + 400] },
    unexpectedExits: [],
    runFailures: new Map(),
  };
  return { evidence, called, job, delivery, account, day, post, state: evidence.state };
}

/** Signs an event and makes it the body of a webhook. */
function setEvent(post: Post, event: Record<string, unknown>): void {
  const bytes = Buffer.from(JSON.stringify(event));
  const signature = createHmac("sha256", SECRET).update(bytes).digest("hex");
  Object.assign(post, { body: bytes.toString("base64") });
  Object.assign(post.headers, { "x-webhook-signature": `sha256=${signature}` });
}

/**
 * Changes the successful job to a job that failed with `internal_error` after three attempts. Charges no credits for
 * the job.
 */
function exhaustAttempts({ evidence, job, delivery, account, day, post, state }: Parts): void {
  Object.assign(job, {
    status: "failed",
    code: "internal_error",
    attempts: 3,
    run: 3,
    credits_used: 0,
    result_in: null,
  });
  Object.assign(delivery, { event: "job.failed" });
  Object.assign(account, { funds: 100, used: 0 });
  Object.assign(evidence.shown, { balance: 100 });
  Object.assign(day, { credits: 0 });
  state.objects.pop();
  setEvent(post, { event: "job.failed", job_id: "job-1", status: "failed" });
}

type Parts = ReturnType<typeof makeEvidence>;

/** Each entry is a rule of `findViolations` and a function that changes the data so that it violates this rule. */
const FAULTS: [rule: string, fault: (parts: Parts) => void][] = [
  ["every job ends", ({ job }) => Object.assign(job, { status: "queued", ended_at: null })],
  ["an ended job holds no slot or lease", ({ job }) => Object.assign(job, { due_at: AT })],
  ["an ended job holds no slot or lease", ({ job }) => Object.assign(job, { lease_until: AT })],
  ["an ended job holds no slot or lease", ({ job }) => Object.assign(job, { waits: 1 })],
  ["every accepted job exists", ({ called }) => called.responses.push({ status: 202, jobId: "job-2", code: null })],
  [
    "an idempotency key creates one job",
    ({ called }) => called.responses.push({ status: 202, jobId: "job-2", code: null }),
  ],
  ["a request creates one job", ({ state, job }) => state.jobs.push({ ...job, id: "job-2" })],
  [
    "every request creates a job",
    ({ called }) => called.responses.push({ status: 500, jobId: null, code: "internal_error" }),
  ],
  [
    "a response matches the job",
    ({ called }) => called.responses.push({ status: 502, jobId: "job-1", code: "dns_failure" }),
  ],
  [
    "a response matches the job",
    ({ called, job }) => {
      called.responses.push({ status: 200, jobId: "job-1", code: null });
      Object.assign(job, { status: "failed", code: "internal_error", attempts: 3 });
    },
  ],
  [
    "a job ends with the expected outcome",
    ({ job }) => Object.assign(job, { status: "failed", code: "internal_error", attempts: 2 }),
  ],
  [
    "a job ends with the expected outcome",
    (parts) => {
      exhaustAttempts(parts);
      parts.evidence.runFailures.set("job-1", 3);
    },
  ],
  [
    "a job ends with the expected outcome",
    (parts) => {
      exhaustAttempts(parts);
      parts.evidence.injectedKills = { service: [AT - 1, AT + 100, AT + 1_001], browsers: [AT + 400] };
    },
  ],
  ["the service runs until it is killed", ({ evidence }) => evidence.unexpectedExits.push("round 2")],
  ["a job ends with the expected outcome", ({ job }) => Object.assign(job, { status: "failed", code: "dns_failure" })],
  ["the ledger balances", ({ account }) => Object.assign(account, { funds: 98 })],
  ["the ledger balances", ({ account }) => Object.assign(account, { used: 2 })],
  ["the ledger balances", ({ state }) => state.ledger.push({ kind: "grant", key: "grant:2", amount: 100 })],
  ["the balance isn't negative", ({ account }) => Object.assign(account, { funds: -1 })],
  ["the API returns the stored balance", ({ evidence }) => Object.assign(evidence.shown, { balance: 98 })],
  ["no credits stay reserved", ({ evidence }) => Object.assign(evidence.shown, { reserved: 1 })],
  ["only a completed job is charged, and once", ({ job }) => Object.assign(job, { credits_used: 2 })],
  ["only a completed job is charged, and once", ({ job }) => Object.assign(job, { credits_used: 0 })],
  ["only a completed job is charged, and once", ({ job }) => Object.assign(job, { status: "failed" })],
  ["usage matches the jobs", ({ day }) => Object.assign(day, { requests: 2 })],
  ["usage matches the jobs", ({ state }) => state.usage.pop()],
  ["usage matches the jobs", ({ day }) => Object.assign(day, { durations: '{"7":2}' })],
  ["every ended job's event is sent", ({ state }) => state.deliveries.pop()],
  [
    "every ended job's event is sent",
    ({ delivery, evidence }) => {
      Object.assign(delivery, { status: "pending", attempts: "[]", next_attempt_at: AT, due_at: AT });
      evidence.posts.clear();
    },
  ],
  ["an event matches the job's status", ({ delivery }) => Object.assign(delivery, { event: "job.failed" })],
  ["a pending delivery has a next attempt", ({ delivery }) => Object.assign(delivery, { status: "pending" })],
  [
    "an attempt sends the event at most once",
    ({ evidence, post }) => evidence.posts.set("c1-0-0", [post, { ...post, at: AT + 1 }]),
  ],
  ["the receiver got every succeeded delivery", ({ evidence }) => evidence.posts.clear()],
  ["every received event has a delivery", ({ post }) => Object.assign(post.headers, { "x-webhook-id": "job-2" })],
  ["an event is signed", ({ post }) => delete post.headers["x-webhook-signature"]],
  ["an event is signed", ({ evidence }) => Object.assign(evidence.signing, { live: "whsec_another" })],
  [
    "an event describes its job",
    ({ post }) => setEvent(post, { event: "job.failed", job_id: "job-1", status: "completed" }),
  ],
  [
    "an event describes its job",
    ({ post }) => setEvent(post, { event: "job.completed", job_id: "job-2", status: "completed" }),
  ],
  [
    "an event describes its job",
    ({ post }) => setEvent(post, { event: "job.completed", job_id: "job-1", status: "failed" }),
  ],
  ["an event describes its job", ({ post }) => Object.assign(post, { body: "" })],
  ["a delivery has the expected status", ({ delivery }) => Object.assign(delivery, { status: "abandoned" })],
  ["no event is sent if the caller got the result", ({ job }) => Object.assign(job, { waiting: 1 })],
  ["every object that a row names exists", ({ state }) => state.objects.pop()],
  ["every object that a row names exists", ({ job }) => Object.assign(job, { request_stored: true })],
  ["a completed job's result can be read", ({ evidence }) => evidence.unreadable.push("job-1")],
  ["the outbox is empty", ({ state }) => Object.assign(state, { outbox: 1 })],
  ["the databases are intact", ({ state }) => state.damage.push("row 7 missing from index")],
];

describe("the checks of the chaos test", () => {
  it("find no violation in correct evidence", () => {
    expect(findViolations(makeEvidence().evidence)).toEqual([]);
  });

  it.each(FAULTS)("detect a violation of this rule: %s", (rule, fault) => {
    const parts = makeEvidence();
    fault(parts);
    expect(findViolations(parts.evidence).map(({ rule }) => rule)).toContain(rule);
  });

  it("accept a failed job if its three runs ended by kills", () => {
    const parts = makeEvidence();
    exhaustAttempts(parts);
    parts.evidence.runFailures.set("job-1", 1);
    expect(findViolations(parts.evidence)).toEqual([]);
  });

  it("count the failed runs of each job in the service's log", () => {
    const line = (event: string, id: string) => JSON.stringify({ level: "error", event, job_id: id, run: 1 });
    const waitedFor = JSON.stringify({ level: "error", event: "run_failed", request_id: "r", job_id: "c", run: 1 });
    const log = [
      line("run_failed", "a"),
      line("lease_lost", "a"),
      waitedFor,
      line("run_failed", "b"),
      line("run_failed", "a"),
    ];
    expect(countRunFailures(log.join("\n"))).toEqual(
      new Map([
        ["a", 2],
        ["c", 1],
        ["b", 1],
      ]),
    );
  });

  it.each([
    ["process.exit(0)", false],
    ["process.kill(process.pid, 'SIGKILL')", false],
    ["console.log('up'); setInterval(() => {}, 1000)", true],
  ])("distinguish a killed service from one that had exited: %s", async (code, killed) => {
    const child = spawn(process.execPath, ["-e", code], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
    await (killed ? once(child.stdout, "data") : once(child, "exit"));
    expect(await killGroup(child)).toBe(killed);
  });

  it.each([
    ["--kills", "0"],
    ["--jobs", "0"],
    ["--kills", ""],
    ["--kills", "1.5"],
    ["--seed", "x"],
  ])("refuse the invalid option %s %s", (name, value) => {
    expect(() => readOptions([name, value])).toThrow(`${name} must be a whole number`);
    expect(readOptions([name, "1"])).toMatchObject({ [name.slice(2)]: 1 });
  });

  it("count objects in R2 that no row refers to", () => {
    const { state } = makeEvidence();
    const leftovers = [`results/${TAG}/job-1/1`, `requests/${TAG}/job-2`];
    state.objects.push(...leftovers);
    expect(findLeftovers(state)).toEqual(leftovers);
  });

  it("make the same plan for the same seed and a different one for another seed", () => {
    const figures = { seed: 7, jobs: 40, kills: 3 };
    const plan = makePlan(figures);
    expect(makePlan(figures)).toEqual(plan);
    expect(makePlan({ ...figures, seed: 8 })).not.toEqual(plan);
    expect(plan.rounds.flatMap(({ jobs }) => jobs)).toHaveLength(40);
    expect(plan.rounds.filter(({ killed }) => killed)).toHaveLength(3);
  });
});
