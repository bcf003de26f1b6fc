import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { readHealth } from "../../src/health/report";
import { sumService, watchService } from "../../src/health/watch";
import { MINUTE_MS } from "../../src/model/limits";
import { type Counts, toPeriod } from "../../src/model/service-counts";
import { putPeriods } from "../../src/store/account-periods";
import { putSummaries } from "../../src/store/account-summaries";
import { call } from "../support/admin";
import { ANALYTICS_ACCOUNT_ID, ANALYTICS_TOKEN } from "../support/analytics";
import { createAccount } from "../support/client";
import { readEmails } from "../support/emails";
import { recordLines } from "../support/lines";

const NOW = Date.now();

const summaryOf = (accountId: string, counts: Counts, more = {}) => ({
  ...{ accountId, balance: 0, reserved: 0, granted: 0, used: 0, queued: 0, processing: 0, waiting: 0 },
  ...{ browserWaits: 0, queuedSince: null, lastJobAt: null, nextDueAt: null, at: NOW },
  periods: [{ start: toPeriod(NOW), counts }],
  ...more,
});

/** A database whose statements fail. */
const DOWN = { prepare: () => ({ bind: () => fails, ...fails() }) } as unknown as D1Database;

function fails() {
  const reject = () => Promise.reject(new Error("D1 is down"));
  return { first: reject, all: reject, run: reject };
}

beforeEach(async () => {
  const tables = ["account_periods", "account_summaries", "service_hours", "service_state", "serp_checks"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await env.STORE.delete("service/alerts.json");
});
afterEach(() => vi.restoreAllMocks());

describe("the health report", () => {
  it("has the figures of all accounts, the waiting jobs and the affected accounts", async () => {
    const [a, b] = [await createAccount(), await createAccount()];
    const summaries = [
      summaryOf(a, { "job/scrape/plain/ok/40": 5, "job/scrape/rendered/render_failed/": 3 }),
      summaryOf(b, { "job/scrape/plain/ok/40": 12 }, { queued: 4, waiting: 1, queuedSince: NOW - 4 * MINUTE_MS }),
    ];
    await putSummaries(env.DB, summaries);
    await putPeriods(env.DB, summaries, NOW);
    await sumService(env, NOW);
    for (const range of ["hour", "day", "week"] as const) {
      expect(await readHealth(env, range, NOW)).toMatchObject({
        ...{
          range,
          headline: "The cause is this service.",
          // The queue may also deliver reports of accounts of other tests.
          countedAt: expect.any(Number),
          queueAgeMs: 4 * MINUTE_MS,
        },
        figures: { jobs: 20, failed: 3, causes: { service: 3 } },
        queues: [{ accountId: b, queued: 4, waiting: 1 }],
        affected: [{ accountId: a, failed: 3 }],
        slots: { size: 8 },
        alerts: [],
      });
    }
  });

  it("has the responses of Analytics Engine if it can be read", async () => {
    const bindings = {
      ...env,
      ...{ ANALYTICS_ORIGIN: inject("analytics"), ANALYTICS_ACCOUNT_ID, ANALYTICS_TOKEN },
    };
    expect(await readHealth(bindings, "day", NOW)).toMatchObject({
      requests: { requests: 100, errors: [{ status: 429, code: "rate_limited", requests: 8 }, { status: 402 }] },
    });
    const lines = recordLines();
    expect(await readHealth({ ...bindings, ANALYTICS_TOKEN: "wrong" }, "day", NOW)).toMatchObject({ requests: null });
    expect(lines.of("health_unreadable")).toMatchObject([
      { part: "requests", error: "Analytics Engine responded with status 403." },
    ]);
  });

  it("works while the database is down", async () => {
    recordLines();
    const report = await readHealth({ ...env, DB: DOWN }, "hour", NOW);
    expect(report).toMatchObject({
      headline: "The cause is this service.",
      figures: null,
      queues: null,
      engines: null,
      alerts: [],
    });
    expect(report.findings.map(({ text }) => text)).toEqual(["The database (D1) failed its check."]);
  });

  it("is in the admin API", async () => {
    expect((await call("GET", "/health?range=day")).data).toMatchObject({
      ...{ range: "day", render_slots: { in_use: 0, size: 8, waiting: 0 }, alerts: [] },
      engines: [{ engine: "google", outcome: null }, { engine: "bing" }, { engine: "yandex" }],
    });
    expect((await call("GET", "/health?range=year")).status).toBe(400);
  });
});

describe("the alerts", () => {
  it("are emailed once when a condition begins and once when it ends, even if the database is down", async () => {
    const to = `${crypto.randomUUID()}@a.example`;
    const bindings = { ...env, PUBLIC_URL: "https://api.a.example", ALERT_EMAIL: to };
    const lines = recordLines();
    for (let minute = 0; minute < 4; minute++)
      await watchService({ ...bindings, DB: DOWN }, NOW + minute * MINUTE_MS).catch(() => undefined);
    expect((await readHealth(bindings, "hour", NOW)).alerts).toMatchObject([
      { text: "The check of the database (D1) fails.", since: NOW },
    ]);
    for (let minute = 4; minute < 12; minute++) await watchService(bindings, NOW + minute * MINUTE_MS);
    const emails = await readEmails(to, 2);
    expect(emails.map(({ subject }) => subject)).toEqual([
      "Alert: The check of the database (D1) fails.",
      "Ended: The check of the database (D1) fails.",
    ]);
    expect(emails[0]?.text).toContain("https://api.a.example/dashboard/admin/health");
    expect([lines.of("alert_began").length, lines.of("alert_ended").length]).toEqual([1, 1]);
    expect((await readHealth(bindings, "hour", NOW)).alerts).toEqual([]);
  });

  it("are sent again if the email isn't accepted", async () => {
    const lines = recordLines();
    const bindings = {
      ...env,
      PUBLIC_URL: "https://api.a.example",
      ALERT_EMAIL: "refused-x@a.example",
      JOBS: undefined,
    };
    for (let minute = 0; minute < 3; minute++) await watchService(bindings as unknown as Env, NOW + minute * MINUTE_MS);
    expect(lines.of("alert_began").length).toBe(2);
  });

  it("count the checks of each minute for the status page", async () => {
    for (let i = 0; i < 3; i++) await watchService(env, NOW);
    const counts = await env.DB.prepare(
      "SELECT counts FROM account_periods WHERE account_id = 'service'",
    ).first<string>("counts");
    expect(JSON.parse(counts ?? "")).toMatchObject({ "check/database/ok": 3, "check/queues/ok": 3 });
  });
});
