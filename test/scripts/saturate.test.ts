import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aroundDatabase } from "../../scripts/simulate/around-database";
import { toArrivals } from "../../scripts/simulate/arrivals";
import { type Assumed, toLoad } from "../../scripts/simulate/deployment";
import type { JobCounts, Measured } from "../../scripts/simulate/measured";
import { capacity, simulate } from "../../scripts/simulate/model";
import { observe, type Seen } from "../../scripts/simulate/observe";
import type { Asked } from "../../scripts/simulate/statement";
import { takeTurn } from "../../scripts/simulate/turn";

describe("a turn", () => {
  it("begins at once when nobody is there, and lasts as long as it should", () => {
    expect(takeTurn(0, 1_000, 20)).toBe(1_020);
  });

  it("begins when the others are done", () => {
    expect(takeTurn(1_500, 1_000, 20)).toBe(1_520);
  });

  it("lets nobody be served beside another, or wait for nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ gap: fc.nat(50), ms: fc.integer({ min: 1, max: 50 }) })), (visits) => {
        let now = 0;
        let freeAt = 0;
        for (const { gap, ms } of visits) {
          now += gap;
          const doneAt = takeTurn(freeAt, now, ms);
          const beganAt = doneAt - ms;
          expect(beganAt).toBe(Math.max(freeAt, now));
          freeAt = doneAt;
        }
      }),
    );
  });
});

describe("a database with something around it", () => {
  function recorded() {
    const calls: Asked[][] = [];
    const db = aroundDatabase(env.DB, async (asked, make) => {
      calls.push(asked);
      return await make();
    });
    return { db, calls };
  }

  it("answers as it does otherwise, and tells what it was asked", async () => {
    const { db, calls } = recorded();
    const statement = db.prepare("SELECT ?1 AS a, ?2 AS b").bind("one", 2);
    expect(await statement.first()).toEqual({ a: "one", b: 2 });
    expect(await statement.first("b")).toBe(2);
    expect((await statement.all()).results).toEqual([{ a: "one", b: 2 }]);
    expect((await statement.run()).success).toBe(true);
    expect(await db.prepare("SELECT 1 AS none WHERE 0").first()).toBeNull();
    expect(calls.slice(0, 4)).toEqual(Array(4).fill([{ sql: "SELECT ?1 AS a, ?2 AS b", values: ["one", 2] }]));
    expect(calls).toHaveLength(5);
  });

  it("is called once for a batch", async () => {
    const { db, calls } = recorded();
    const results = await db.batch([1, 2].map((n) => db.prepare("SELECT ?1 AS n").bind(n)));
    expect(results.map((result) => result.results)).toEqual([[{ n: 1 }], [{ n: 2 }]]);
    expect(calls.map((asked) => asked.map(({ values }) => values))).toEqual([[[1], [2]]]);
  });

  it("fails as it does otherwise", async () => {
    await expect(recorded().db.prepare("SELECT absent").first()).rejects.toThrow("no such column");
  });
});

describe("what was seen of jobs", () => {
  it("leaves the first fifth out, and what came of them after the last one had come", () => {
    const job = (cameAt: number, took: number): Seen => ({
      cameAt,
      answeredAt: cameAt + took,
      finishedAt: cameAt + took + 1_000,
    });
    const jobs = [job(0, 10), job(1_000, 900), job(2_000, 100), job(3_000, 200), job(5_000, 300)];
    // The window is 1 s to 5 s: four came in it; finished in it are those of 0 s, 1 s, 2 s and 3 s, the first at 1,010 ms.
    expect(observe(jobs.toReversed())).toEqual({ offered: 1, throughput: 1, p50: 200 });
  });

  it("is what the model says of the same jobs", () => {
    const arrivals = toArrivals({ perSecond: 50, jobs: 2_000, seed: 5 });
    const outcome = simulate({
      stations: { desk: { servers: 1 } },
      routes: [{ share: 1, route: () => [{ at: "desk", ms: 15 }, { answered: true }] }],
      arrivals,
      seed: 6,
    });
    let freeAt = 0;
    const seen = arrivals.map((cameAt): Seen => {
      freeAt = takeTurn(freeAt, cameAt, 15);
      return { cameAt, answeredAt: freeAt, finishedAt: freeAt };
    });
    const { offered, throughput, p50 } = observe(seen);
    expect(offered).toBeCloseTo(outcome.offered, 6);
    expect(throughput).toBeCloseTo(outcome.throughput, 6);
    expect(p50).toBeCloseTo(outcome.p50, 6);
  });
});

describe("the way of a job", () => {
  const counts: JobCounts = {
    kind: "scrape, plain",
    mode: "async",
    d1Calls: {},
    statements: [
      { what: "fetch: INSERT jobs", times: 1, rowsRead: 7, rowsWritten: 11 },
      { what: "queue: UPDATE jobs (processing)", times: 1, rowsRead: 4, rowsWritten: 3 },
      { what: "queue: UPDATE jobs (completed)", times: 1, rowsRead: 9, rowsWritten: 9 },
    ],
    rowsRead: 0,
    rowsWritten: 0,
    keyStatements: 0,
    objectCalls: 0,
    objectRowsRead: 0,
    objectRowsWritten: 0,
    objectMs: {},
    messages: 1,
    r2Writes: 0,
    r2Reads: 0,
    invocations: 2,
    cpuMs: 30,
  };
  const pushed: JobCounts = {
    ...counts,
    mode: "async, webhook",
    statements: [
      ...counts.statements,
      { what: "WebhookDelivery: SELECT jobs", times: 3, rowsRead: 1, rowsWritten: 0 },
      { what: "WebhookDelivery: UPDATE deliveries (status)", times: 1, rowsRead: 2, rowsWritten: 2 },
    ],
    cpuMs: 50,
  };
  const measured = { jobs: [counts, pushed] } as unknown as Measured;
  const assumed: Assumed = {
    d1ReadMs: 4,
    d1WriteMs: 20,
    verifierMs: 1,
    queueMs: 1,
    hopMs: 5,
    pageMs: 0,
    renderMs: 0,
    modelMs: 0,
    receiverMs: 0,
    browsers: 1,
    rendersPerBrowser: 1,
    jobsConsumers: 1,
    jobsBatch: 1,
    rendersConsumers: 1,
    rendersBatch: 1,
    keys: 1,
    d1Shards: 1,
  };

  it.each([
    { mode: "async", heldMs: 5 + 2 + 30 + 5 + 2 },
    // And until the delivery's object was told; what that object does is nobody's turn.
    { mode: "async, webhook", heldMs: 5 + 2 + 30 + 5 + 2 + 5 },
  ])("holds a consumer from its claim to its end: $mode", ({ mode, heldMs }) => {
    const load = toLoad(measured, { ...assumed, d1ReadMs: 1, d1WriteMs: 2 }, { [`scrape, plain, ${mode}`]: 1 });
    const { at, perSecond } = capacity(load);
    expect(at).toBe("consumers of jobs");
    expect(1_000 / perSecond).toBeCloseTo(heldMs, 6);
  });

  it("asks the database as often as was counted, for as long as is assumed", () => {
    const load = toLoad(measured, { ...assumed, jobsBatch: 10 }, { "scrape, plain, async, webhook": 1 });
    const { at, perSecond } = capacity(load);
    expect(at).toBe("D1 1");
    expect(1_000 / perSecond).toBeCloseTo(4 * 20 + 3 * 4, 6);
  });
});
