import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { type Counts, PERIOD_MS } from "../../src/model/service-counts";
import type { AccountSummary } from "../../src/model/summary";
import {
  addServiceCounts,
  deleteOldPeriods,
  listAccountCounts,
  putPeriods,
  sumCounts,
} from "../../src/store/account-periods";
import { sumHours } from "../../src/store/service-hours";
import { createAccount } from "../support/client";

const HOUR = Date.UTC(2026, 10, 24, 12);
const NOW = HOUR + 3 * PERIOD_MS;

const summaryOf = (accountId: string, periods: Record<number, Counts>, at = NOW): AccountSummary => ({
  ...{ accountId, balance: 0, reserved: 0, granted: 0, used: 0, queued: 0, processing: 0, waiting: 0 },
  ...{ browserWaits: 0, queuedSince: null, lastJobAt: null, nextDueAt: null, at },
  periods: Object.entries(periods).map(([start, counts]) => ({ start: Number(start), counts })),
});

beforeEach(async () => {
  await env.DB.batch(["account_periods", "service_hours"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

describe("the sums of the service", () => {
  it("are those of all accounts, and a repeated or older message changes nothing", async () => {
    const [a, b] = [await createAccount(), await createAccount()];
    const late = summaryOf(a, { [HOUR]: { x: 1 } }, NOW - 1);
    const messages = [
      summaryOf(a, { [HOUR]: { x: 2 }, [HOUR + PERIOD_MS]: { x: 3 } }),
      summaryOf(b, { [HOUR]: { y: 5 } }),
    ];
    for (let i = 0; i < 2; i++)
      await putPeriods(env.DB, [...messages, late, summaryOf("unknown", { [HOUR]: { x: 9 } })], NOW);
    expect(await sumCounts(env.DB, "account_periods", HOUR)).toEqual({ x: 5, y: 5 });
    expect(await sumCounts(env.DB, "account_periods", HOUR + PERIOD_MS)).toEqual({ x: 3 });
    await sumHours(env.DB, HOUR);
    expect(await sumHours(env.DB, HOUR)).toBe(0);
    expect(await sumCounts(env.DB, "service_hours", HOUR)).toEqual({ x: 5, y: 5 });
    expect(await listAccountCounts(env.DB, { since: HOUR, names: "x%" })).toEqual([
      { accountId: a, name: "x", count: 5 },
    ]);
  });

  it("ignore counts that arrive after their hour was deleted", async () => {
    const id = await createAccount();
    await putPeriods(env.DB, [summaryOf(id, { [HOUR]: { x: 2 } })], NOW);
    await sumHours(env.DB, HOUR);
    const later = HOUR + 25 * PERIOD_MS;
    await deleteOldPeriods(env.DB, later);
    await putPeriods(env.DB, [summaryOf(id, { [HOUR]: { x: 1 } })], later);
    await sumHours(env.DB, HOUR);
    expect(await sumCounts(env.DB, "service_hours", HOUR)).toEqual({ x: 2 });
  });

  it("include the checks of the service itself", async () => {
    for (let i = 0; i < 2; i++)
      await addServiceCounts(env.DB, [{ start: HOUR, counts: { "check/database/ok": 1 } }], NOW);
    expect(await sumCounts(env.DB, "account_periods", HOUR)).toEqual({ "check/database/ok": 2 });
    expect(await listAccountCounts(env.DB, { since: HOUR, names: "%" })).toEqual([]);
  });
});
