import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JobEnd } from "../../src/account/storage/types";
import type { AccountRef } from "../../src/model/account";
import { toPeriod } from "../../src/model/period";
import { expireLease, newJob, openObject, sqlIn, stubOf } from "../support/account";

const error = { code: "target_timeout", message: "Too late.", status: 504, retryable: true } as const;
const failed = (): JobEnd => ({ status: "failed", error, processingTimeMs: 1, endedAt: Date.now() });
const completed = (charge: number): JobEnd => ({
  status: "completed",
  result: "{}",
  extras: null,
  charge,
  processingTimeMs: 1,
  endedAt: Date.now(),
});

/** Returns the account's credits and the totals of its job and ledger rows. */
async function balanceSheet(account: AccountRef) {
  const [sheet] = await sqlIn<Record<"funds" | "used" | "charged" | "reserved" | "entered", number>>(
    account,
    `SELECT funds, used, (SELECT COALESCE(SUM(credits_used), 0) FROM jobs) AS charged,
       (SELECT COALESCE(SUM(credits), 0) FROM jobs WHERE ended_at IS NULL) AS reserved,
       (SELECT SUM(amount) FROM ledger) AS entered
     FROM account`,
  );
  if (sheet === undefined) throw new Error("The account isn't open.");
  return sheet;
}

describe("credits", () => {
  it("stay balanced after any sequence of job events, and no job is charged twice", async () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom(
          "create",
          "create",
          "claim",
          "complete",
          "fail",
          "release",
          "handover",
          "expire",
          "cancel",
        ),
        job: fc.nat(5),
        run: fc.nat(2),
        price: fc.integer({ min: 0, max: 3 }),
        charge: fc.integer({ min: 0, max: 4 }),
        waiting: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.integer({ min: 0, max: 8 }),
        fc.integer({ min: 1, max: 3 }),
        async (sequence, credits, concurrentJobs) => {
          const account = await openObject({ credits, concurrentJobs });
          const object = stubOf(account);
          const ids: string[] = [];
          const runs = new Map<string, number>();
          const ended = new Map<string, unknown>();
          for (const { what, job, run: age, price, charge, waiting } of sequence) {
            const id = ids[job % Math.max(1, ids.length)] ?? newJob(account).id;
            const key = { mode: "live" as const, id };
            // Some calls use the number of an earlier run. These calls must have no effect.
            const run = Math.max(1, (runs.get(id) ?? 0) - age);
            if (what === "create") {
              const created = await object.createJob(newJob(account, { credits: price, waiting }));
              if (created.kind === "created") ids.push(created.job.id);
              if (created.kind === "created" && waiting) runs.set(created.job.id, 1);
            } else if (what === "claim") {
              const claim = await object.claim(key, crypto.randomUUID());
              if (claim.kind === "run") runs.set(id, claim.job.run);
            } else if (what === "complete") await object.finish(key, run, completed(charge));
            else if (what === "fail") await object.finish(key, run, failed());
            else if (what === "expire") await expireLease(account, id);
            else if (what === "cancel") await object.cancel(key);
            else await object.release(key, run, { kind: what === "release" ? "error" : "handover" });

            const sheet = await balanceSheet(account);
            expect(sheet.funds - sheet.reserved).toBeGreaterThanOrEqual(0);
            expect(sheet.used).toBe(sheet.charged);
            expect(sheet.funds + sheet.charged).toBe(sheet.entered ?? 0);
            // An ended job must never change.
            const rows = await sqlIn(
              account,
              "SELECT id, status, credits_used, code FROM jobs WHERE ended_at IS NOT NULL",
            );
            for (const row of rows) {
              if (ended.has(row.id as string)) expect(row).toEqual(ended.get(row.id as string));
              ended.set(row.id as string, row);
            }
            const [busy] = await sqlIn<{ n: number }>(
              account,
              "SELECT COUNT(*) AS n FROM jobs WHERE ended_at IS NULL AND waits = 0 AND waiting = 0 AND run = 0",
            );
            expect(busy?.n).toBeLessThanOrEqual(concurrentJobs);
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 120_000);

  it("are never overdrawn by concurrent requests", async () => {
    const account = await openObject({ credits: 7 });
    const replies = await Promise.all(Array.from({ length: 80 }, () => stubOf(account).createJob(newJob(account))));
    expect(replies.filter(({ kind }) => kind === "created")).toHaveLength(7);
    expect(replies).toContainEqual({ kind: "insufficient_credits", balance: 0 });
  });

  it("are charged up to the reserved amount, and the remainder is released", async () => {
    const account = await openObject({ credits: 10 });
    const object = stubOf(account);
    for (const charge of [0, 1, 9]) {
      const job = newJob(account, { credits: 2, waiting: true });
      await object.createJob(job);
      await object.finish(job, 1, completed(charge));
      expect(await object.get(job)).toMatchObject({ creditsUsed: Math.min(charge, 2) });
    }
    expect(await balanceSheet(account)).toMatchObject({ funds: 7, used: 3, reserved: 0 });
  });

  it("can be adjusted by an operator once for each key, and never below zero", async () => {
    const account = await openObject({ credits: 10 });
    const object = stubOf(account);
    expect(await object.adjust({ key: "a", amount: -11 })).toEqual({ kind: "insufficient_credits" });
    for (let i = 0; i < 2; i++) expect(await object.adjust({ key: "b", amount: -10 })).toEqual({ kind: "adjusted" });
    expect(await balanceSheet(account)).toMatchObject({ funds: 0, entered: 0 });
  });

  it("that unfinished jobs have reserved can't be removed by an operator", async () => {
    const account = await openObject({ credits: 10 });
    const object = stubOf(account);
    await object.createJob(newJob(account, { credits: 4 }));
    expect(await object.adjust({ key: "a", amount: -7 })).toEqual({ kind: "insufficient_credits" });
    expect(await object.adjust({ key: "b", amount: -6 })).toEqual({ kind: "adjusted" });
    expect(await object.adjust({ key: "c", amount: 5 })).toEqual({ kind: "adjusted" });
    expect(await balanceSheet(account)).toMatchObject({ funds: 9, reserved: 4, entered: 9 });
  });
});

describe("the monthly grant", () => {
  const day = (text: string) => Date.parse(`${text}T12:00:00Z`);

  it.each([
    ["2026-01-31", "2026-02-27", "2026-01-31", "2026-02-28"],
    ["2026-01-31", "2026-02-28", "2026-02-28", "2026-03-31"],
    ["2026-01-31", "2026-04-15", "2026-03-31", "2026-04-30"],
    ["2026-03-05", "2026-03-05", "2026-03-05", "2026-04-05"],
    ["2024-02-29", "2025-02-28", "2025-02-28", "2025-03-29"],
    ["2026-11-21", "2027-01-20", "2026-12-21", "2027-01-21"],
  ])("of an account created on %s has, on %s, the period from %s to %s", (created, now, start, end) => {
    expect(toPeriod(day(created), day(now))).toEqual({ start: day(start), end: day(end) });
  });

  /** Ends the account's current period. */
  async function endPeriod(account: AccountRef): Promise<void> {
    await sqlIn(account, "UPDATE account SET next_grant_at = ?1", Date.now() - 1);
  }

  it("is added once in each period, without carrying over unspent credits", async () => {
    const createdAt = Date.now() - 100 * 86_400_000;
    const account = await openObject({ credits: 10, createdAt });
    const object = stubOf(account);
    await Promise.all([object.createJob(newJob(account)), object.createJob(newJob(account))]);
    const entries = await sqlIn(account, "SELECT kind, amount FROM ledger ORDER BY id");
    expect(entries).toEqual([{ kind: "grant", amount: 10 }]);
    expect(await balanceSheet(account)).toMatchObject({ funds: 10, reserved: 2 });
  });

  it("doesn't carry over credits that were reserved before it and released after it", async () => {
    const createdAt = Date.now() - 45 * 86_400_000;
    const account = await openObject({ credits: 10, createdAt });
    const object = stubOf(account);
    const [charged, released] = [
      newJob(account, { credits: 3, waiting: true }),
      newJob(account, { credits: 2, waiting: true }),
    ];
    for (const job of [charged, released]) await object.createJob(job);
    // Move the jobs to an earlier period, so that the current period started after them.
    await sqlIn(account, "UPDATE jobs SET created_at = ?1", createdAt);
    await sqlIn(account, "DELETE FROM ledger WHERE kind = 'grant'");
    await sqlIn(account, "INSERT INTO ledger (kind, key, amount, created_at) VALUES ('grant', 'earlier', 10, 0)");
    await endPeriod(account);
    expect(await object.adjust({ key: "look", amount: 0 })).toEqual({ kind: "adjusted" });
    expect(await balanceSheet(account)).toMatchObject({ funds: 15, reserved: 5 });
    await object.finish(charged, 1, completed(1));
    await object.finish(released, 1, failed());
    // The charge was paid with the credits of the earlier period, so `used` and `balance` add up to the granted
    // credits.
    expect(await balanceSheet(account)).toMatchObject({ funds: 10, used: 0, charged: 1, reserved: 0 });
  });

  it("isn't added until grants are enabled", async () => {
    const account = await openObject({ credits: 10, grantsEnabled: false, chargeFreeOutcomes: false });
    const object = stubOf(account);
    expect(await object.createJob(newJob(account))).toEqual({ kind: "insufficient_credits", balance: 0 });
    const settings = { version: 2, plan: "free", monthlyCredits: 10, suspendedAt: null } as const;
    await object.update({
      ...settings,
      concurrentJobs: 5,
      concurrentRenders: 2,
      grantsEnabled: true,
      chargeFreeOutcomes: false,
      dailyCredits: null,
    });
    expect(await object.createJob(newJob(account))).toMatchObject({ kind: "created" });
  });

  /** Opens an account with 10 monthly credits, and sets them to these amounts one after the other. */
  async function change(...amounts: number[]) {
    const account = await openObject({ credits: 10 });
    const object = stubOf(account);
    await object.createJob(newJob(account));
    for (const [i, monthlyCredits] of amounts.entries()) {
      await object.update({
        ...{ version: i + 2, plan: "pro", monthlyCredits, suspendedAt: null, concurrentJobs: 5, concurrentRenders: 2 },
        ...{ grantsEnabled: true, chargeFreeOutcomes: false, dailyCredits: null },
      });
    }
    const report = await object.usage({ mode: "live", since: "" });
    if ("kind" in report) throw new Error(report.kind);
    const sheet = await balanceSheet(account);
    return [report.period.granted, sheet.funds, sheet.entered];
  }

  it.each([
    ["grants the difference immediately", [25], 25],
    ["grants nothing twice", [25, 25], 25],
    ["takes no credits away after a downgrade", [25, 5], 25],
    ["grants nothing twice after a downgrade", [25, 5, 25], 25],
    ["grants each further difference", [25, 40], 40],
  ])("after an upgrade %s", async (_, amounts, granted) => {
    expect(await change(...amounts)).toEqual([granted, granted, granted]);
  });

  it("ends the count of added credits with the period", async () => {
    const account = await openObject({ credits: 10, createdAt: Date.now() - 45 * 86_400_000 });
    const object = stubOf(account);
    await object.adjust({ key: "a", amount: 7 });
    await object.adjust({ key: "b", amount: -2 });
    expect(await object.usage({ mode: "live", since: "" })).toMatchObject({ balance: 15, period: { added: 5 } });
    await sqlIn(account, "DELETE FROM ledger WHERE kind = 'grant'");
    await endPeriod(account);
    expect(await object.usage({ mode: "live", since: "" })).toMatchObject({ balance: 10, period: { added: 0 } });
  });
});
