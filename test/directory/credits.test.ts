import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adjustCredits, grant, grantDue } from "../../src/directory/credits";
import { createJob } from "../../src/jobs/create";
import { LEASE_MS } from "../../src/model/limits";
import { toPeriod } from "../../src/model/period";
import { getAccount, insertAccount } from "../../src/store/accounts";
import { claimJob, completeJob, failExhaustedJob, failJob, releaseJob } from "../../src/store/job-runs";
import { getJob } from "../../src/store/jobs";
import { createAccount, createClient, ORIGIN, page, read } from "../support/client";

const JOBS = { send: async () => undefined } as unknown as Queue;
const error = { code: "target_timeout", message: "Too late.", status: 504, retryable: true } as const;

async function tryAdmit(accountId: string, rendered: boolean): Promise<string | null> {
  try {
    const admitted = await createJob(
      { ...env, JOBS, RENDERS: JOBS },
      {
        caller: { id: "key", accountId, mode: "live", scopes: [], allowedIps: [], revokedAt: null },
        endpoint: "scrape",
        request: {},
        rendered,
        waiting: false,
        origin: ORIGIN,
        idempotencyKey: null,
        now: Date.now(),
      },
    );
    return admitted.kind === "new" ? admitted.job.id : null;
  } catch {
    return null;
  }
}

async function balanceSheet(accountId: string) {
  const account = await getAccount(env.DB, accountId);
  const sums = await env.DB.prepare(
    `SELECT SUM(balance_change) AS balance, SUM(reserved_change) AS reserved,
       SUM(CASE kind WHEN 'charge' THEN -reserved_change ELSE 0 END) AS charged,
       SUM(CASE WHEN kind IN ('grant', 'adjustment', 'expiry') THEN balance_change ELSE 0 END) AS granted
     FROM ledger WHERE account_id = ?1`,
  )
    .bind(accountId)
    .first<{ balance: number; reserved: number; charged: number; granted: number }>();
  return { account, sums };
}

describe("the ledger", () => {
  it("balances whatever happens to jobs in whatever order, and charges each at most once", async () => {
    const steps = fc.array(
      fc.record({
        what: fc.constantFrom(
          "admit",
          "admit",
          "claim",
          "complete",
          "fail",
          "release",
          "hand-over",
          "lose-lease",
          "exhaust",
        ),
        job: fc.nat(5),
        run: fc.nat(2),
        rendered: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 0, max: 8 }), async (sequence, credits) => {
        const accountId = await createAccount({ credits });
        const jobs: string[] = [];
        const runs = new Map<string, number>();
        for (const step of sequence) {
          const id = jobs[step.job % Math.max(1, jobs.length)] ?? "";
          // Also a run that isn't the last one: it must change nothing.
          const run = Math.max(1, (runs.get(id) ?? 0) - step.run);
          const end = { id, run, processingTimeMs: 1, endedAt: Date.now() };
          if (step.what === "admit") {
            const made = await tryAdmit(accountId, step.rendered);
            if (made !== null) jobs.push(made);
          } else if (step.what === "claim") {
            const claim = await claimJob(env.DB, id, Date.now());
            if (claim.kind === "run") runs.set(id, claim.job.run);
          } else if (step.what === "complete") {
            const credits_ = (await getJob(env.DB, id))?.credits ?? 0;
            await completeJob(env.DB, { ...end, result: "{}", meta: null, creditsUsed: credits_ });
          } else if (step.what === "fail") await failJob(env.DB, { ...end, error });
          else if (step.what === "exhaust") await failExhaustedJob(env.DB, id, error, Date.now() + LEASE_MS);
          else if (step.what === "lose-lease") {
            await env.DB.prepare("UPDATE jobs SET lease_until = 0 WHERE id = ?1 AND status = 'processing'")
              .bind(id)
              .run();
          } else await releaseJob(env.DB, { id, run, counts: step.what === "release", wakeAt: Date.now() });

          const { account, sums } = await balanceSheet(accountId);
          expect(account?.balance).toBeGreaterThanOrEqual(0);
          expect([account?.balance, account?.reserved, account?.used]).toEqual([
            sums?.balance,
            sums?.reserved,
            sums?.charged,
          ]);
          expect((sums?.balance ?? 0) + (sums?.reserved ?? 0) + (sums?.charged ?? 0)).toBe(sums?.granted);
          expect(sums?.granted).toBe(credits);
        }
        const { results } = await env.DB.prepare(
          "SELECT job_id FROM ledger WHERE account_id = ?1 AND kind IN ('charge', 'release') GROUP BY job_id HAVING COUNT(*) > 1",
        )
          .bind(accountId)
          .all();
        expect(results).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("can't be rewritten, by whatever statement", async () => {
    const accountId = await createAccount({ credits: 10 });
    const jobId = await tryAdmit(accountId, false);
    const { account } = await balanceSheet(accountId);
    const copy = (change: string) =>
      `INTO ledger (account_id, kind, job_id, period, balance_change, reserved_change, created_at)
       SELECT account_id, kind, job_id, period, ${change}, reserved_change, created_at FROM ledger WHERE account_id = ?1`;
    for (const statement of [
      "UPDATE ledger SET balance_change = 1 WHERE account_id = ?1",
      "UPDATE OR REPLACE ledger SET balance_change = 1 WHERE account_id = ?1",
      "DELETE FROM ledger WHERE account_id = ?1",
      "REPLACE INTO ledger SELECT * FROM ledger WHERE account_id = ?1",
      `REPLACE ${copy("1000")} AND job_id IS NOT NULL`,
      `INSERT OR REPLACE ${copy("1000")} AND period IS NOT NULL`,
    ])
      await expect(env.DB.prepare(statement).bind(accountId).run(), statement).rejects.toThrow("append-only");
    expect((await balanceSheet(accountId)).account).toEqual(account);

    const settle = (kind: string) =>
      env.DB.prepare(
        "REPLACE INTO ledger (account_id, kind, job_id, balance_change, reserved_change, created_at) VALUES (?1, ?2, ?3, 0, 0, 0)",
      )
        .bind(accountId, kind, jobId)
        .run();
    await settle("charge");
    await expect(settle("release")).rejects.toThrow("append-only");
  });

  it("lets an operator correct, but not below nothing", async () => {
    const accountId = await createAccount({ credits: 10 });
    const actor = "operator";
    await expect(adjustCredits(env, { accountId, by: -11, actor, now: 1 })).rejects.toThrow(
      "would make the balance negative",
    );
    await adjustCredits(env, { accountId, by: -10, actor, now: 1 });
    expect((await getAccount(env.DB, accountId))?.balance).toBe(0);
  });
});

describe("credits", () => {
  it("are reserved, charged when the job completes, and given back when it fails", async () => {
    const accountId = await createAccount({ credits: 3 });
    const client = await createClient({ accountId });
    const usage = async () =>
      (await (await client.call("GET", "/v1/usage")).json<{ data: Record<string, unknown> }>()).data;
    expect((await client.scrape({ url: page("article") })).status).toBe(200);
    expect((await client.scrape({ url: page("status?code=404") })).status).toBe(502);
    expect(await usage()).toMatchObject({ balance: 2, reserved: 0, period: { granted: 3, used: 1 } });
    expect(await usage()).toMatchObject({ days: [{ endpoint: "scrape", requests: 2, credits: 1 }] });
    const refused = await client
      .scrape({ url: page("article"), js_render: true, formats: ["html"] })
      .then(async () => client.scrape({ url: page("article") }));
    const { error: answer } = await read(refused);
    expect([refused.status, answer.code]).toEqual([402, "insufficient_credits"]);
    expect(answer.message).toBe("This request costs 1 credits; the balance is 0.");
    expect(await usage()).toMatchObject({ balance: 0, reserved: 0, period: { used: 3 } });
  });

  it("hold under many requests at once: no more jobs than can be paid", async () => {
    const accountId = await createAccount({ credits: 5 });
    const ids = await Promise.all(Array.from({ length: 20 }, () => tryAdmit(accountId, false)));
    expect(ids.filter((id) => id !== null)).toHaveLength(5);
    expect(await getAccount(env.DB, accountId)).toMatchObject({ balance: 0, reserved: 5 });
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
  ])("of an account made on %s is, on %s, the one from %s to %s", (created, now, start, end) => {
    expect(toPeriod(day(created), day(now))).toEqual({ start: day(start), end: day(end) });
  });

  it("comes once a period however often it is tried, without carry-over, and catches up a missed day", async () => {
    const created = day("2026-01-31");
    const id = crypto.randomUUID();
    await insertAccount(env.DB, {
      id,
      name: "Monthly",
      plan: "free",
      ratePerMinute: null,
      monthlyCredits: null,
      createdAt: created,
    });
    const run = async (now: number) => {
      const account = await getAccount(env.DB, id);
      if (account === null) throw new Error("no account");
      await Promise.all([grant(env, account, now), grant(env, account, now)]);
      return await getAccount(env.DB, id);
    };
    expect(await run(created)).toMatchObject({ balance: 500, granted: 500, nextGrantAt: day("2026-02-28") });
    await adjustCredits(env, { accountId: id, by: 250, actor: "operator", now: created });
    expect(await run(day("2026-02-27"))).toMatchObject({ balance: 750 });
    expect(await run(day("2026-02-28"))).toMatchObject({ balance: 500, used: 0, periodStart: day("2026-02-28") });
    // The cron did not run for months: one grant, of the period that is now.
    expect(await run(day("2026-06-10"))).toMatchObject({ balance: 500, nextGrantAt: day("2026-06-30") });
    const { results } = await env.DB.prepare(
      "SELECT kind, balance_change FROM ledger WHERE account_id = ?1 ORDER BY id",
    )
      .bind(id)
      .all();
    expect(results.map((row) => [row.kind, row.balance_change])).toEqual([
      ["grant", 500],
      ["adjustment", 250],
      ["expiry", -750],
      ["grant", 500],
      ["expiry", -500],
      ["grant", 500],
    ]);
  });

  it("carries nothing over that was reserved before it and given back after", async () => {
    const accountId = await createAccount({ credits: 10 });
    const id = (await tryAdmit(accountId, false)) ?? "";
    const account = await getAccount(env.DB, accountId);
    await grant(env, account as NonNullable<typeof account>, (account?.nextGrantAt ?? 0) + 1);
    expect(await getAccount(env.DB, accountId)).toMatchObject({ balance: 10, reserved: 1 });
    const claim = await claimJob(env.DB, id, Date.now());
    expect(claim.kind).toBe("run");
    await failJob(env.DB, { id, run: 1, error, processingTimeMs: 1, endedAt: Date.now() });
    expect(await getAccount(env.DB, accountId)).toMatchObject({ balance: 10, reserved: 0 });
  });

  it("may be of nothing", async () => {
    const id = crypto.randomUUID();
    const now = Date.now();
    await insertAccount(env.DB, {
      id,
      name: "None",
      plan: "free",
      ratePerMinute: null,
      monthlyCredits: null,
      createdAt: now,
    });
    const account = await getAccount(env.DB, id);
    expect(await grant({ ...env, CREDITS_FREE: "0" }, account as NonNullable<typeof account>, now)).toBe(true);
    expect(await getAccount(env.DB, id)).toMatchObject({ balance: 0, granted: 0 });
  });

  it("is found by the cron", async () => {
    const id = crypto.randomUUID();
    const now = Date.now();
    await insertAccount(env.DB, {
      id,
      name: "Dormant",
      plan: "pro",
      ratePerMinute: null,
      monthlyCredits: null,
      createdAt: now,
    });
    expect(await grantDue(env, now)).toBeGreaterThanOrEqual(1);
    expect(await getAccount(env.DB, id)).toMatchObject({ balance: 20_000 });
  });
});
