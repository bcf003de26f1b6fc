import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { EventFilter } from "../../src/account/event-log";
import { type JobEvent, toJobEvent, writeJobEvent } from "../../src/account/events";
import type { Job } from "../../src/model/job";

const JOB: Job = {
  ...{ mode: "live", id: "job", keyId: "key", endpoint: "scrape", status: "completed", rendered: true },
  account: { id: "account", tag: "0123456789", object: "account", jurisdiction: null },
  ...{ subject: "https://www.example.com:8080/path", request: null, waiting: false, webhookUrl: null, origin: "" },
  ...{ credits: 5, createdAt: 1_000, run: 2, attempts: 1, leaseUntil: null, concurrentRenders: 1 },
  ...{
    isStorageLarge: false,
    keepsCaptures: false,
    isTemporary: false,
    secrets: null,
    receipt: null,
    labels: null,
    result: null,
    resultStored: false,
    extras: null,
    creditsUsed: 3,
    outcome: "login",
  },
  ...{ error: null, processingTimeMs: 400, endedAt: 2_000, expired: false, batchId: null, page: null, requestId: null },
};

const EVENT: JobEvent = {
  ...{ job: "job", account: "account", key: "key", mode: "live", endpoint: "scrape", rendered: true },
  ...{ status: "completed", outcome: "login", code: "", host: "www.example.com", processingMs: 400, queueMs: 600 },
  ...{ credits: 3, runs: 2, endedAt: 2_000 },
};

const error = { code: "dns_failure", message: "", status: 502, retryable: false } as const;

describe("the event of a job", () => {
  it.each<[string, Partial<Job>, Partial<JobEvent>]>([
    ["that completed", {}, {}],
    ["that failed", { status: "failed", error, outcome: null }, { status: "failed", code: "dns_failure", outcome: "" }],
    ["with a query that looks like a URL", { endpoint: "serp" }, { endpoint: "serp", host: "" }],
    ["without a URL", { endpoint: "parse", subject: null }, { endpoint: "parse", host: "" }],
    ["with an invalid URL", { subject: "not a URL" }, { host: "" }],
    ["that took longer than it existed", { processingTimeMs: 1_500 }, { processingMs: 1_500, queueMs: 0 }],
    ["without a run", { processingTimeMs: null }, { processingMs: 0, queueMs: 1_000 }],
  ])("%s", (_, job, event) => {
    expect(toJobEvent({ ...JOB, ...job })).toEqual({ ...EVENT, ...event });
  });

  it.each<Partial<Job>>([{ endedAt: null }, { status: "processing" }, { status: "queued" }])(
    "doesn't exist before the job's end: %j",
    (job) => {
      expect(toJobEvent({ ...JOB, ...job })).toBeNull();
    },
  );

  it("is written to Analytics Engine in a fixed order", async () => {
    const points: unknown[] = [];
    const ANALYTICS = { writeDataPoint: (point: unknown) => void points.push(point) };
    const bindings = { ...env, ANALYTICS, LOCAL_EVENTS: "" } as unknown as Env;
    await writeJobEvent(bindings, JOB);
    await writeJobEvent(bindings, { ...JOB, rendered: false, status: "failed", error, outcome: null, subject: null });
    await writeJobEvent(bindings, { ...JOB, endedAt: null });
    const doubles = [400, 600, 3, 2];
    expect(points).toEqual([
      {
        indexes: ["account"],
        blobs: ["job", "scrape", "completed", "", "live", "rendered", "key", "login", "www.example.com", "job"],
        doubles,
      },
      {
        indexes: ["account"],
        blobs: ["job", "scrape", "failed", "dns_failure", "live", "plain", "key", "", "", "job"],
        doubles,
      },
    ]);
  });

  it("is written to the event log only if LOCAL_EVENTS is on, and a failure isn't thrown", async () => {
    const written: unknown[] = [];
    const EVENT_LOG = { getByName: () => ({ write: async (event: unknown) => void written.push(event) }) };
    await writeJobEvent({ ...env, EVENT_LOG, LOCAL_EVENTS: "" } as unknown as Env, JOB);
    expect(written).toEqual([]);
    await writeJobEvent({ ...env, EVENT_LOG, LOCAL_EVENTS: "on" } as unknown as Env, JOB);
    expect(written).toEqual([EVENT]);
    const broken = { getByName: () => ({ write: () => Promise.reject(new Error("The log is down.")) }) };
    await writeJobEvent({ ...env, EVENT_LOG: broken, LOCAL_EVENTS: "on" } as unknown as Env, JOB);
  });
});

describe("the event log", () => {
  /** Opens an empty log and writes the events to it. */
  async function logOf(events: Partial<JobEvent>[]) {
    const log = env.EVENT_LOG.getByName(crypto.randomUUID());
    for (const event of events) await log.write({ ...EVENT, ...event });
    return async (filter: Partial<EventFilter> = {}) => await log.query({ limit: 100, ...filter });
  }

  it.each<[Partial<EventFilter>, string[]]>([
    [{}, ["e", "d", "c", "b", "a"]],
    [{ limit: 2 }, ["e", "d"]],
    [{ since: 3 }, ["e", "d", "c"]],
    [{ until: 3 }, ["b", "a"]],
    [{ since: 2, until: 4 }, ["c", "b"]],
    [{ host: "example.com" }, ["c", "b", "a"]],
    [{ host: "www.example.com" }, ["b", "a"]],
    [{ host: "ample.com" }, []],
    [{ account: "other" }, ["d"]],
    [{ key: "other" }, ["d"]],
    [{ mode: "test" }, ["d"]],
    [{ endpoint: "serp" }, ["e"]],
    [{ status: "failed" }, ["e", "d"]],
    [{ outcome: "login" }, ["c", "b", "a"]],
    [{ code: "dns_failure" }, ["d"]],
    [{ status: "failed", endpoint: "scrape" }, ["d"]],
  ])("returns the events that match %j, newest first", async (filter, jobs) => {
    const query = await logOf([
      { job: "a", endedAt: 1 },
      { job: "c", endedAt: 3, host: "example.com" },
      { job: "b", endedAt: 2 },
      {
        ...{ job: "d", endedAt: 4, host: "notexample.com", account: "other", key: "other", mode: "test" },
        ...{ status: "failed", code: "dns_failure", outcome: "" },
      },
      { job: "e", endedAt: 5, endpoint: "serp", status: "failed", code: "blocked_by_target", outcome: "", host: "" },
    ]);
    const { events, groups } = await query(filter);
    expect(events.map(({ job }) => job)).toEqual(jobs);
    if (filter.limit === undefined) expect(groups.reduce((sum, group) => sum + group.jobs, 0)).toBe(jobs.length);
  });

  it("groups the events, the largest group first", async () => {
    const failed = { status: "failed", code: "dns_failure", outcome: "", credits: 0, processingMs: 10 } as const;
    const query = await logOf([
      failed,
      {},
      { credits: 4, processingMs: 501 },
      { endpoint: "serp", processingMs: 0 },
      failed,
      failed,
    ]);
    expect((await query()).groups).toEqual([
      { endpoint: "scrape", status: "failed", outcome: "", code: "dns_failure", jobs: 3, credits: 0, averageMs: 10 },
      { endpoint: "scrape", status: "completed", outcome: "login", code: "", jobs: 2, credits: 7, averageMs: 451 },
      { endpoint: "serp", status: "completed", outcome: "login", code: "", jobs: 1, credits: 3, averageMs: 0 },
    ]);
    expect((await query({ limit: 1 })).events).toHaveLength(1);
  });

  it("keeps only the latest 100,000 events", async () => {
    const log = env.EVENT_LOG.getByName(crypto.randomUUID());
    await log.query({ limit: 1 });
    await runInDurableObject(log as unknown as DurableObjectStub, (_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001)
         INSERT INTO events (id, ended_at, event) SELECT i, i, '{}' FROM n`,
      );
    });
    await log.write({ ...EVENT, endedAt: 200_000 });
    const count = async (until?: number) => {
      const { groups } = await log.query({ limit: 1, until });
      return groups.reduce((sum, group) => sum + group.jobs, 0);
    };
    expect([await count(), await count(3)]).toEqual([100_000, 0]);
  });
});
