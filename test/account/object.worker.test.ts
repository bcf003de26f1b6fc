import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Effects, queueOf } from "../../src/account/effects";
import type { DispatchedJob, Transaction } from "../../src/account/storage/transaction";
import { newTaggedId, toIdStart, toIdTime } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { DeliveryMessage } from "../../src/model/delivery";
import type { Job } from "../../src/model/job";
import { DAY_MS, LEASE_MS, MINUTE_MS } from "../../src/model/limits";
import { newJob, objectOf, openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN } from "../support/client";
import { dropMessages } from "../support/webhooks";

afterEach(() => vi.useRealTimers());

async function alarmAt(account: AccountRef): Promise<number | null> {
  return await runInDurableObject(objectOf(account), (_, { storage }) => storage.getAlarm());
}

const end = (more: { charge?: number; result?: string | null } = {}) => ({
  ...({ status: "completed", result: "{}", extras: null, charge: 1, processingTimeMs: 5 } as const),
  ...{ endedAt: Date.now(), ...more },
});

describe("the settings of an account", () => {
  it("are replaced unless the stored ones have a later version", async () => {
    const account = await openObject({ version: 3, credits: 10, createdAt: Date.now() });
    const settings = {
      ...({ plan: "pro", monthlyCredits: 20, suspendedAt: null, concurrentJobs: 1, concurrentRenders: 1 } as const),
      grantsEnabled: true,
      chargeFreeOutcomes: false,
      dailyCredits: null,
    };
    const stored = async () =>
      (
        await sqlIn(
          account,
          `SELECT version, plan, monthly_credits, suspended_at, concurrent_jobs, concurrent_renders, grants_enabled,
             charge_free_outcomes FROM account`,
        )
      ).map((row) => Object.values(row))[0];
    const first = [3, "enterprise", 10, null, 1_000, 1_000, 1, 0];
    expect(await stubOf(account).update({ ...settings, version: 2 })).toEqual({ kind: "open" });
    expect(await stored()).toEqual(first);
    await stubOf(account).open({ account, createdAt: 0, settings: { ...settings, version: 2 } });
    expect(await stored()).toEqual(first);
    await stubOf(account).update({ ...settings, version: 3, suspendedAt: 7 });
    expect(await stored()).toEqual([3, "pro", 20, 7, 1, 1, 1, 0]);
    await stubOf(account).open({
      ...{ account, createdAt: 0 },
      settings: {
        ...settings,
        version: 4,
        concurrentJobs: 2,
        concurrentRenders: 3,
        grantsEnabled: false,
        chargeFreeOutcomes: true,
        dailyCredits: null,
      },
    });
    expect(await stored()).toEqual([4, "pro", 20, null, 2, 3, 0, 1]);
  });
});

describe("the state that operators see", () => {
  it("contains the credits, the unfinished jobs and the storage", async () => {
    const createdAt = Date.now() - 1_000;
    const account = await openObject({ credits: 100, createdAt, concurrentJobs: 2 });
    const object = stubOf(account);
    const jobs = [1, 2, 3, 4].map((credits) => newJob(account, { credits, waiting: credits === 4 }));
    for (const job of jobs) await object.createJob(job);
    const [first, second] = jobs;
    if (first === undefined || second === undefined) throw new Error("There are no jobs.");
    for (const job of [first, second]) await object.claim(job, "token");
    await object.finish(first, 1, end());
    const nextGrantAt = (await object.usage({ mode: "live", since: "2000-01-01" })) as { period: { end: number } };
    expect(await object.inspect()).toEqual({
      ...{
        kind: "open",
        balance: 90,
        reserved: 9,
        granted: 100,
        used: 1,
        queued: 1,
        processing: 2,
        concurrentJobs: expect.any(Number),
      },
      ...{ nextGrantAt: nextGrantAt.period.end, storageBytes: expect.any(Number), storageLevel: "inline" },
      ...{ archivedBefore: null, maintenanceAt: expect.any(Number) },
    });
    await sqlIn(account, "UPDATE account SET archived_before = '2020-01-02', maintenance_at = NULL");
    expect(await object.inspect()).toMatchObject({ archivedBefore: "2020-01-02", maintenanceAt: null });
    await object.discard();
    expect(await object.inspect()).toEqual({ kind: "erased", tag: null });
    expect(await object.readState()).toEqual({ kind: "erased", tag: null });
  });

  it.each([
    [{}, "inline"],
    [{ ACCOUNT_INLINE_BYTES: "1" }, "r2"],
    [{ ACCOUNT_INLINE_BYTES: "1", ACCOUNT_ARCHIVE_BYTES: "1" }, "archive"],
    [{ ACCOUNT_INLINE_BYTES: "1", ACCOUNT_ARCHIVE_BYTES: "1", ACCOUNT_MAX_BYTES: "1" }, "full"],
  ])("contains the storage level with the limits %j: %s", async (limits, storageLevel) => {
    const account = await openObject();
    const job = newJob(account);
    await stubOf(account).createJob(job);
    await runInDurableObject(objectOf(account), (object) => Reflect.set(object, "env", { ...env, ...limits }));
    expect(await stubOf(account).inspect()).toMatchObject({ storageLevel });
    const settings = { isStorageLarge: storageLevel !== "inline" };
    expect(await stubOf(account).claim(job, "token")).toMatchObject({ kind: "run", job: { settings } });
    const reply = await stubOf(account).createJob(newJob(account));
    expect(reply.kind).toBe(storageLevel === "full" ? "full" : "created");
  });
});

describe("a job line", () => {
  it("contains the columns of the dashboard's job list", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const request = { engine: "bing", prompt: "p".repeat(400) };
    const [prompt, serp, failed] = [
      newJob(account, { endpoint: "parse", request: JSON.stringify(request), credits: 5 }),
      newJob(account, {
        endpoint: "serp",
        subject: "s".repeat(400),
        request: '{"engine":"google"}',
        credits: 5,
        keyId: "dashboard",
      }),
      newJob(account, { request: null }),
    ];
    for (const job of [prompt, serp, failed]) await object.createJob(job);
    await object.claim(serp, "token");
    await object.finish(serp, 1, end({ charge: 2 }));
    await object.cancel(failed);
    await sqlIn(account, "UPDATE jobs SET expired = 1 WHERE id = ?1", failed.id);
    const page = await object.listLines({ mode: "live", limit: 10, offset: 0 });
    const line = { outcome: null, errorCode: null, keyId: "key", processingTimeMs: null, expired: false, engine: null };
    expect(page.kind === "page" && page.items).toEqual([
      {
        ...{ ...line, id: failed.id, endpoint: "scrape", status: "failed", subject: null, errorCode: "cancelled" },
        ...{ credits: 0, processingTimeMs: 0, expired: true, createdAt: expect.any(Number) },
      },
      {
        ...{ ...line, id: serp.id, endpoint: "serp", status: "completed", subject: "s".repeat(400), engine: "google" },
        ...{ keyId: "dashboard", credits: 2, outcome: "ok", processingTimeMs: 5, createdAt: expect.any(Number) },
      },
      {
        ...{ ...line, id: prompt.id, endpoint: "parse", status: "queued", subject: "p".repeat(300), engine: "bing" },
        ...{ credits: 5, createdAt: expect.any(Number) },
      },
    ]);
  });
});

describe("a caller who reads a job", () => {
  it("gets an unfinished job after the given time, and an ended or unknown job immediately", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const job = newJob(account);
    await object.createJob(job);
    expect(await object.get(job)).toMatchObject({ status: "queued" });
    expect(await object.get(job, 50)).toMatchObject({ status: "queued" });
    await object.cancel(job);
    expect(await object.get(job, 120_000)).toMatchObject({ status: "failed" });
    expect(await object.get({ ...job, mode: "test" }, 120_000)).toBeNull();
  });

  it("isn't disturbed by other jobs or by the start of a run", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const [job, other] = [newJob(account), newJob(account)];
    for (const one of [job, other]) await object.createJob(one);
    const reading = object.get(job, 30_000) as unknown as Promise<Job>;
    await object.cancel(other);
    await object.claim(job, "token");
    await object.finish(job, 1, end());
    expect(await reading).toMatchObject({ status: "completed" });
  });
});

describe("the version of an account's rows", () => {
  it("changes with each write, and a call can wait for the change", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const read = async (seen: string | null, waitMs: number) => {
      const reply = await object.watch(seen, waitMs);
      return reply.kind === "version" ? reply.version : null;
    };
    const first = await read(null, 30_000);
    expect(await read(first, 0)).toBe(first);
    expect(await read(first, 20)).toBe(first);
    const next = read(first, 30_000);
    await object.createJob(newJob(account));
    expect(await next).not.toBe(first);
    expect(await read("another version", 30_000)).toBe(await next);
    const closed = { ...account, object: crypto.randomUUID() };
    expect(await stubOf(closed).watch(null, 30_000)).toEqual({ kind: "gone" });
  });
});

describe("a call that waits for a slot", () => {
  const render = { rendered: true, waiting: true };

  it("returns when the job ends", async () => {
    const account = await openObject({ concurrentRenders: 0 });
    const object = stubOf(account);
    const job = newJob(account, render);
    await object.createJob(job);
    const slot = object.awaitSlot(job, Date.now() + 30_000);
    await object.cancel(job);
    expect(await slot).toMatchObject({ kind: "ended", job: { error: { code: "cancelled" } } });
  });

  it("starts the job with a lease of 60 seconds, which is due if it expires", async () => {
    const account = await openObject({ concurrentRenders: 1 });
    const object = stubOf(account);
    const [first, second] = [newJob(account, render), newJob(account, render)];
    for (const job of [first, second]) await object.createJob(job);
    await object.cancel(first);
    vi.useFakeTimers({ toFake: ["Date"] });
    const now = Date.now();
    expect(await object.awaitSlot(second, now)).toMatchObject({
      kind: "run",
      job: { run: 1, attempts: 1, leaseUntil: now + LEASE_MS, waiting: true },
    });
    expect(await sqlIn(account, "SELECT waits, due_at FROM jobs WHERE id = ?1", second.id)).toEqual([
      { waits: 0, due_at: now + LEASE_MS },
    ]);
    // The slot is used, so the next render waits.
    expect(await object.createJob(newJob(account, render))).toMatchObject({ next: "wait" });
  });

  it("doesn't run a job that became asynchronous", async () => {
    const account = await openObject({ concurrentRenders: 0 });
    const object = stubOf(account);
    const job = newJob(account, render);
    await object.createJob(job);
    await object.detach(job, { accepted: true });
    expect(await object.awaitSlot(job, Date.now())).toEqual({ kind: "waits" });
  });
});

describe("the alarm", () => {
  it("is set to the earliest time at which work is due", async () => {
    const account = await openObject();
    await dropMessages(account);
    vi.useFakeTimers({ toFake: ["Date"] });
    const now = Date.now();
    const job = newJob(account, { waiting: true });
    await stubOf(account).createJob(job);
    expect(await alarmAt(account)).toBe(now + LEASE_MS);
    await stubOf(account).sendTest({
      mode: "live",
      id: newTaggedId(account.tag),
      url: "https://a.example/",
      origin: ORIGIN,
    });
    const set = async (work: {
      job: number | null;
      sending: number;
      scheduled?: number;
      maintenance: number | null;
    }) => {
      await sqlIn(account, "UPDATE jobs SET due_at = ?1", work.job === null ? null : now + work.job);
      await sqlIn(
        account,
        "UPDATE deliveries SET stage = ?1, due_at = ?2",
        work.scheduled === undefined ? "sending" : "scheduled",
        now + (work.scheduled ?? work.sending),
      );
      await sqlIn(
        account,
        "UPDATE account SET maintenance_at = ?1",
        work.maintenance === null ? null : now + work.maintenance,
      );
      await runDurableObjectAlarm(objectOf(account));
      return ((await alarmAt(account)) ?? 0) - now;
    };
    expect(await set({ job: 100_000, sending: 200_000, maintenance: 300_000 })).toBe(100_000);
    expect(await set({ job: 400_000, sending: 200_000, maintenance: 300_000 })).toBe(200_000);
    expect(await set({ job: 400_000, sending: 0, scheduled: 150_000, maintenance: null })).toBe(150_000);
    expect(await set({ job: 400_000, sending: 500_000, maintenance: 300_000 })).toBe(300_000);
    expect(await set({ job: null, sending: 500_000, maintenance: null })).toBe(500_000);
    await sqlIn(account, "DELETE FROM deliveries");
    await runDurableObjectAlarm(objectOf(account));
    expect(await alarmAt(account)).toBeNull();
  });
});

describe("the summary for the directory", () => {
  async function takeSummaries(account: AccountRef, work: () => Promise<unknown>): Promise<unknown[]> {
    const summaries: unknown[] = [];
    const send = async (message: unknown) => void summaries.push(message);
    await runInDurableObject(objectOf(account), (object) =>
      Reflect.set(object, "env", { ...env, SUMMARIES: { send } as unknown as Queue }),
    );
    await work();
    return summaries;
  }

  it("contains the credits, the jobs and the time of the last job", async () => {
    const account = await openObject({ credits: 100, concurrentJobs: 2 });
    const object = stubOf(account);
    vi.useFakeTimers({ toFake: ["Date"] });
    const first = newJob(account, { mode: "test" });
    await object.createJob(first);
    await object.cancel(first);
    vi.setSystemTime(Date.now() + 1_000);
    const jobs = [1, 2, 3].map((credits) => newJob(account, { credits }));
    for (const job of jobs) await object.createJob(job);
    vi.setSystemTime(Date.now() + 1_000);
    const done = newJob(account, { mode: "test", credits: 4, waiting: true });
    await object.createJob(done);
    await object.finish(done, 1, end());
    await object.claim(jobs[0] ?? done, "token");
    const now = Date.now();
    const summaries = await takeSummaries(account, async () => {
      await sqlIn(account, "UPDATE account SET maintenance_at = ?1", now);
      await runDurableObjectAlarm(objectOf(account));
    });
    expect(summaries).toEqual([
      {
        ...{ kind: "account", accountId: account.id, balance: 93, reserved: 6, granted: 100, used: 1, queued: 2 },
        ...{ processing: 1, lastJobAt: toIdTime(done.id), nextDueAt: await alarmAt(account), at: now },
        ...{ queuedSince: now - 1_000, waiting: 1, browserWaits: 0, periods: expect.any(Array) },
      },
    ]);
  });

  it("is sent again after 15 minutes only if the account is in use", async () => {
    const account = await openObject();
    const object = stubOf(account);
    const maintenanceAt = async () => {
      await object.wake();
      await runDurableObjectAlarm(objectOf(account));
      const [row] = await sqlIn<{ at: number | null }>(account, "SELECT maintenance_at AS at FROM account");
      return row?.at === null || row?.at === undefined ? null : row.at - Date.now();
    };
    expect(await maintenanceAt()).toBeNull();
    vi.useFakeTimers({ toFake: ["Date"] });
    const job = newJob(account);
    await object.createJob(job);
    expect(await maintenanceAt()).toBe(15 * MINUTE_MS);
    await object.cancel(job);
    expect(await maintenanceAt()).toBe(15 * MINUTE_MS);
    vi.setSystemTime(toIdTime(job.id) + 15 * MINUTE_MS);
    // The next maintenance is that of retention.
    expect(await maintenanceAt()).toBeGreaterThan(20 * DAY_MS);
  });
});

describe("the queues", () => {
  const jobs = (count: number, rendered: boolean): DispatchedJob[] =>
    Array.from({ length: count }, (_, i) => ({
      message: {
        kind: "job" as const,
        account: { id: "a", tag: "", object: "a", jurisdiction: null },
        mode: "live",
        job: `${rendered} ${i}`,
      },
      rendered,
    }));

  const transaction = (dispatched: DispatchedJob[], deliveries: DeliveryMessage[] = []) =>
    ({ dispatched, deliveries, alerts: [], ended: [], files: [], crawls: new Map() }) as unknown as Transaction;
  const delivery = { delivery: "d" } as unknown as DeliveryMessage;
  /** Records the number of messages and the first message of each send. Each send waits for `until`. */
  const recordSends = (until: (name: string) => Promise<void> = async () => {}) => {
    const sends: [string, number, unknown][] = [];
    const queue = (name: string) => ({
      sendBatch: async (messages: { body: unknown }[]) => {
        sends.push([name, messages.length, messages[0]?.body]);
        await until(name);
      },
    });
    const env = { JOBS: queue("jobs"), RENDERS: queue("renders"), WEBHOOKS: queue("webhooks") } as unknown as Env;
    return { sends, env };
  };

  it("get the messages of a transaction in batches of 100", async () => {
    const { sends, env } = recordSends();
    const dispatched = [...jobs(201, false), ...jobs(1, true)];
    await new Effects().start(env, transaction(dispatched, [delivery]));
    expect(sends.toSorted(([a], [b]) => a.localeCompare(b))).toEqual([
      ["jobs", 100, dispatched[0]?.message],
      ["jobs", 100, dispatched[100]?.message],
      ["jobs", 1, dispatched[200]?.message],
      ["renders", 1, dispatched[201]?.message],
      ["webhooks", 1, delivery],
    ]);
    expect([queueOf(env, true), queueOf(env, false)]).toEqual([env.RENDERS, env.JOBS]);
  });

  it("get the messages of all transactions that were committed during a send together", async () => {
    const sent = Promise.withResolvers<void>();
    const { sends, env } = recordSends((name) => (name === "jobs" ? sent.promise : Promise.resolve()));
    const effects = new Effects();
    const all = [1, 2, 3].map(() => effects.start(env, transaction(jobs(1, false), [delivery])));
    sent.resolve();
    await Promise.all(all);
    await expect
      .poll(() => sends.map(([name, count]) => `${name} ${count}`).toSorted())
      .toEqual(["jobs 1", "jobs 2", "webhooks 1", "webhooks 2"]);
  });

  it("get later messages after a send failed, and don't wait for each other", async () => {
    const { sends, env } = recordSends(async (name) => {
      if (name === "jobs") throw new Error("jobs is down.");
    });
    const effects = new Effects();
    await effects.start(env, transaction([...jobs(1, false), ...jobs(1, true)], [delivery]));
    await effects.start(env, transaction(jobs(1, false)));
    expect(sends.map(([name]) => name).toSorted()).toEqual(["jobs", "jobs", "renders", "webhooks"]);
  });
});

it("a job is counted on the day of its id", async () => {
  const account = await openObject();
  const id = toIdStart(Date.parse("2026-01-31T23:59:59.999Z")) + newTaggedId(account.tag).slice(13);
  await stubOf(account).createJob(newJob(account, { id, waiting: true }));
  await stubOf(account).finish({ mode: "live", id }, 1, end());
  expect(
    await sqlIn(account, "SELECT mode, date, key_id, endpoint, code, failed, requests, credits FROM usage"),
  ).toEqual([
    {
      ...{ mode: "live", date: "2026-01-31", key_id: "key", endpoint: "scrape", code: "ok", failed: 0, requests: 1 },
      credits: 1,
    },
  ]);
});
