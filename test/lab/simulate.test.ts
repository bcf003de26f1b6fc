import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BROWSER_SECONDS } from "../../lab/simulate/costs";
import { type FairnessModel, simulateFairness } from "../../lab/simulate/fairness";
import { type Assumed, type JobKind, type Plan, type Scenario, toLimits } from "../../lab/simulate/limits";
import type { JobCounts, Measured } from "../../lab/simulate/measured";
import { toCost } from "../../lab/simulate/prices";

describe("an account that shares a queue with others", () => {
  const model: FairnessModel = {
    consumers: 1,
    batch: 4,
    jobMs: 500,
    busyAccounts: 1,
    slots: 5,
    jobs: 50,
    seed: 1,
  };

  it("waits for no more jobs than the other accounts may run in parallel", () => {
    const anyModel = fc.record({
      consumers: fc.integer({ min: 1, max: 10 }),
      batch: fc.integer({ min: 1, max: 6 }),
      busyAccounts: fc.integer({ min: 0, max: 5 }),
      slots: fc.integer({ min: 1, max: 8 }),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(anyModel, (changes) => {
        const { mostJobsAhead } = simulateFairness({ ...model, ...changes });
        expect(mostJobsAhead).toBeLessThanOrEqual(changes.busyAccounts * changes.slots);
      }),
    );
  });

  it("doesn't wait while there are more consumers than jobs", () => {
    const outcome = simulateFairness({ ...model, consumers: 250, busyAccounts: 40 });
    expect(outcome).toEqual({ mostJobsAhead: 0, meanWaitMs: 0, mostWaitMs: 0 });
  });

  it("waits when the other accounts keep all consumers busy", () => {
    expect(simulateFairness({ ...model, consumers: 250, busyAccounts: 400 }).meanWaitMs).toBeGreaterThan(0);
  });

  it("gives the same result for the same seed and a different one for another seed", () => {
    expect(simulateFairness(model)).toEqual(simulateFairness(model));
    expect(simulateFairness(model)).not.toEqual(simulateFairness({ ...model, seed: 2 }));
  });
});

describe("the limits for a load", () => {
  const plan: Plan = {
    name: "test",
    ratePerMinute: 60,
    concurrentJobs: 10,
    concurrentRenders: 4,
    monthlyCredits: Number.POSITIVE_INFINITY,
  };
  const kind: JobKind = {
    name: "scrape, sync",
    accountCalls: 2,
    rendered: false,
    asynchronous: false,
    pushed: false,
  };
  const assumed: Assumed = {
    pageMs: 500,
    renderMs: 2_000,
    receiverMs: 200,
    browsers: 2,
    rendersPerBrowser: 4,
    jobsBatch: 1,
    rendersBatch: 2,
    rendersConsumers: 3,
    archiveBytes: 5e9,
    maxBytes: 8.64e9,
  };
  const costs = { createMs: 0.1, claimMs: 0.1, finishMs: 0.1, bytesPerJob: 500 };
  const object = { ...costs, syncJobsPerSecond: 0, asyncJobsPerSecond: 0 };
  const allowed = (changes: Partial<Scenario>, name: string) => {
    const scenario = { accounts: 1, perSecond: 1, plan, keys: 1, kind, ...changes };
    return toLimits(scenario, object, assumed).find((limit) => limit.name.startsWith(name));
  };

  it.each([
    // A Durable Object handles 1,000 requests per second, and each job makes two calls.
    { name: "requests to the account's object", changes: {}, allows: 500 },
    { name: "CPU time of the account's object", changes: {}, allows: 5_000 },
    { name: "one day of rows", changes: {}, allows: 200 },
    { name: "400 days of rows", changes: {}, allows: 5e9 / 500 / 400 / 86_400 },
    { name: "rate limit of the plan", changes: {}, allows: 1 },
    { name: "requests to the key verifier", changes: {}, allows: 1_000 },
    { name: "concurrent jobs", changes: { kind: { ...kind, asynchronous: true } }, allows: 20 },
    { name: "consumers of the queue jobs", changes: { kind: { ...kind, asynchronous: true } }, allows: 500 },
    { name: "messages of the queue jobs", changes: { kind: { ...kind, asynchronous: true } }, allows: 5_000 },
    { name: "concurrent deliveries (20)", changes: { kind: { ...kind, pushed: true } }, allows: 100 },
    { name: "monthly credits", changes: { plan: { ...plan, monthlyCredits: 2_592_000 } }, allows: 1 },
    { name: "retention of the account's jobs", changes: {}, allows: 100 },
    { name: "concurrent deliveries to one receiver", changes: { kind: { ...kind, pushed: true } }, allows: 20 },
    { name: "concurrent renders", changes: { kind: { ...kind, rendered: true } }, allows: 2 },
    { name: "configured browsers", changes: { kind: { ...kind, rendered: true } }, allows: 4 },
    // A batch of 2 jobs takes 1.5 times as long as one job: 3 × 2 / (2 s × 1.5).
    {
      name: "consumers of the queue renders",
      changes: { kind: { ...kind, asynchronous: true, rendered: true } },
      allows: 2,
    },
  ])("allow $allows jobs per second: $name", ({ name, changes, allows }) => {
    expect(allowed(changes, name)?.allows).toBeCloseTo(allows, 6);
  });

  it.each(["concurrent jobs", "concurrent renders", "concurrent deliveries", "messages of the queue webhooks"])(
    "don't include a limit that a synchronous plain job doesn't use: %s",
    (name) => {
      expect(allowed({}, name)).toBeUndefined();
    },
  );

  it("are compared with the load of one key, one account or the whole service", () => {
    const load = { accounts: 100, perSecond: 10, keys: 5 };
    expect(allowed(load, "rate limit of the plan")?.use).toBeCloseTo(2, 6);
    expect(allowed(load, "requests to the account's object")?.use).toBeCloseTo(10 / 500, 6);
    const asynchronous = { ...kind, asynchronous: true };
    expect(allowed({ ...load, kind: asynchronous }, "messages of the queue jobs")?.use).toBeCloseTo(1_000 / 5_000, 6);
  });

  it("start with the tightest one", () => {
    const uses = toLimits({ accounts: 1, perSecond: 1, plan, keys: 1, kind }, object, assumed).map(({ use }) => use);
    expect(uses).toEqual(uses.toSorted((a, b) => b - a));
  });

  it("depend on the number of accounts and keys for D1, not on the number of jobs", () => {
    const idle = allowed({ accounts: 10_000, perSecond: 1 }, "D1 time")?.use;
    expect(allowed({ accounts: 10_000, perSecond: 100 }, "D1 time")?.use).toBeCloseTo(idle ?? 0, 9);
    expect(allowed({ accounts: 20_000, perSecond: 1 }, "D1 time")?.use).toBeCloseTo(2 * (idle ?? 0), 9);
  });
});

describe("the cost of 1,000 jobs", () => {
  const counts: JobCounts = {
    kind: "scrape, async",
    d1Calls: 0,
    verifierCalls: 1,
    accountCalls: 3,
    browserCalls: 0,
    messages: 1,
    r2Writes: 1,
    r2Reads: 0,
    accountRows: 9,
    verifierRows: 1,
    rowsAlone: 12,
    rowsBy: {},
    invocations: 2,
    objectMs: 10,
    cpuMs: 20,
  };

  it("is calculated from Cloudflare's prices", () => {
    const cost = toCost(counts, { browserSeconds: 1 });
    expect(cost.rowsWritten).toBeCloseTo(0.01, 9);
    expect(cost.objectRequests).toBeCloseTo(0.0006, 9);
    expect(cost.queueOperations).toBeCloseTo(0.0012, 9);
    expect(cost.r2Writes).toBeCloseTo(0.0045, 9);
    expect(cost.objectGbSeconds).toBeCloseTo(0.128 * 10 * 12.5e-6, 12);
    expect(cost.logKb).toBeCloseTo(0.0005, 9);
    expect(cost.browserSeconds).toBe(0);
  });

  it("includes browser time only if the job was rendered", () => {
    const cost = toCost({ ...counts, browserCalls: 1 }, { browserSeconds: 0.5 });
    expect(cost.browserSeconds).toBeCloseTo((0.5 * 1_000 * 0.09) / 3_600, 9);
  });

  describe("in docs/scaling.md and docs/evidence/load.md", () => {
    const pages = ["docs/scaling.md", "docs/evidence/load.md"].map((path) => readFileSync(path, "utf8"));
    const { jobs }: Measured = JSON.parse(readFileSync("lab/simulate/measured.json", "utf8"));
    const total = (kind: string, browserSeconds: number) => {
      const job = jobs.find((each) => each.kind === kind);
      if (job === undefined) throw new Error(`measured.json has no counts for '${kind}'.`);
      return Object.values(toCost(job, { browserSeconds })).reduce((sum, cost) => sum + cost, 0);
    };

    /** Returns the bold figures in the table rows that start with this cell. */
    function documented(cell: string): number[] {
      const rows = pages
        .join("\n")
        .split("\n")
        .filter((line) => line.startsWith(`| ${cell}`));
      return rows.flatMap((row) => [...row.matchAll(/\*\*([\d.]+)\*\*/g)].map(([, figure]) => Number(figure)));
    }

    it.each([
      ["synchronous |", "scrape, sync", BROWSER_SECONDS.busy],
      ["asynchronous |", "scrape, async", BROWSER_SECONDS.busy],
      ["asynchronous with a webhook |", "scrape, async, webhook", BROWSER_SECONDS.busy],
      ["rendered, synchronous |", "scrape, rendered, sync", BROWSER_SECONDS.busy],
      ["Busy:", "scrape, rendered, sync", BROWSER_SECONDS.busy],
      ["One render every 10 s:", "scrape, rendered, sync", BROWSER_SECONDS["every 10 s"]],
      ["Rare:", "scrape, rendered, sync", BROWSER_SECONDS.rare],
      ["Rare, with version 0.1.0:", "scrape, rendered, sync", BROWSER_SECONDS["rare, version 0.1.0"]],
    ])("is the total of the row %s", (cell, kind, seconds) => {
      const figures = documented(cell);
      expect(figures).not.toEqual([]);
      for (const figure of figures) expect(figure / total(kind, seconds)).toBeCloseTo(1, 2);
    });
  });
});
