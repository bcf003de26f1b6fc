// Ends random jobs in all possible ways. The receipts must add up to the amounts in the account's ledger.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { JobEnd } from "../../src/account/storage/types";
import { type PriceLine, totalOf } from "../../src/model/receipt";
import { newJob, openObject, sqlIn, stubOf } from "../support/account";

const SCRAPE: PriceLine = { item: "scrape", credits: 1 };
const RENDERING: PriceLine = { item: "rendering", credits: 1 };
const JSON_DATA: PriceLine = { item: "json", credits: 5 };
const PRICES = [[SCRAPE], [SCRAPE, RENDERING], [SCRAPE, RENDERING, JSON_DATA]];

const error = { code: "blocked_by_target", message: "Blocked.", status: 502, retryable: true } as const;
const times = () => ({ processingTimeMs: 1, endedAt: Date.now() });

const jobs = fc.record({
  lines: fc.constantFrom(...PRICES),
  /** The number of items that the run used. Undefined if the run reports no lines. */
  used: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  mode: fc.constantFrom("live" as const, "live" as const, "test" as const),
  end: fc.constantFrom("completes", "completes", "free", "fails", "canceled", "attempts", "capacity", "handed over"),
  waiting: fc.boolean(),
});

it("the receipts of random jobs add up to the credits, the ledger and the usage", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(jobs, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (list, chargeFreeOutcomes) => {
        const account = await openObject({ credits: 60, chargeFreeOutcomes });
        const object = stubOf(account);
        for (const { lines, used, mode, end, waiting } of list) {
          const credits = mode === "test" ? 0 : totalOf(lines);
          const job = newJob(account, { mode, waiting, credits, plan: { method: "plain", lines } });
          if ((await object.createJob(job)).kind !== "created") continue;
          let run = 1;
          if (!waiting) await object.claim(job, "token");
          if (end === "attempts") await sqlIn(account, "UPDATE jobs SET attempts = 3 WHERE id = ?1", job.id);
          if (end === "capacity") await sqlIn(account, "UPDATE jobs SET no_capacity_since = 1 WHERE id = ?1", job.id);
          if (end === "handed over") {
            await object.release(job, 1, { kind: "handover" });
            await object.claim(job, "other");
            run = 2;
          }
          const reported = used === undefined ? undefined : lines.slice(0, used);
          const done: JobEnd = {
            ...{ status: "completed", result: "{}", extras: null, charge: totalOf(reported ?? lines), ...times() },
            ...(reported && { lines: reported }),
            ...(end === "free" && { outcome: "login", isFree: true }),
          };
          if (end === "canceled") await object.cancel(job);
          else if (end === "attempts") await object.release(job, run, { kind: "error" });
          else if (end === "capacity") await object.release(job, run, { kind: "no_capacity", retryAfterMs: 1 });
          else await object.finish(job, run, end === "fails" ? { status: "failed", error, ...times() } : done);
          // A repeated end or a late cancellation doesn't change the receipt.
          const ended = await object.get(job);
          await object.finish(job, run, end === "fails" ? { status: "failed", error, ...times() } : done);
          expect(await object.cancel(job)).toEqual(ended);
          expect(ended?.receipt?.total).toBe(ended?.creditsUsed);
          expect(totalOf(ended?.receipt?.lines ?? [])).toBe(ended?.creditsUsed);
          expect(ended?.creditsUsed).toBeLessThanOrEqual(credits);
          expect(ended?.endedAt).not.toBeNull();
        }
        const rows = await sqlIn<{ receipt: string }>(account, "SELECT receipt FROM jobs");
        const total = rows.reduce((sum, { receipt }) => sum + JSON.parse(receipt).total, 0);
        expect(await object.inspect()).toMatchObject({ balance: 60 - total, used: total, reserved: 0 });
        const [booked] = await sqlIn(
          account,
          `SELECT COALESCE(SUM(credits), 0) AS usage, (SELECT funds FROM account) AS funds,
           (SELECT COALESCE(SUM(amount), 0) FROM ledger) AS granted FROM usage`,
        );
        expect(booked).toEqual({ usage: total, funds: 60 - total, granted: 60 });
      },
    ),
    { numRuns: 40 },
  );
});
