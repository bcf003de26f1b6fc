import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest";
import { writeAlertState } from "../../src/health/alert-state";
import { sendAlerts } from "../../src/health/alerts";
import { readHealth } from "../../src/health/report";
import { sumService, watchService } from "../../src/health/watch";
import { toIso } from "../../src/lib/clock";
import { newWebhookSecret } from "../../src/lib/crypto";
import { MINUTE_MS } from "../../src/model/limits";
import { type Counts, toPeriod } from "../../src/model/service-counts";
import { putPeriods } from "../../src/store/account-periods";
import { putSummaries } from "../../src/store/account-summaries";
import { call } from "../support/admin";
import { ANALYTICS_ACCOUNT_ID, ANALYTICS_TOKEN } from "../support/analytics";
import { createAccount, page, querySite } from "../support/client";
import { readEmails } from "../support/emails";
import { recordLines } from "../support/lines";
import { bodyOf, expectPosts, postsTo, receiver } from "../support/webhooks";

const NOW = Date.now();

const summaryOf = (accountId: string, counts: Counts, more = {}) => ({
  ...{ accountId, balance: 0, reserved: 0, granted: 0, used: 0, queued: 0, processing: 0, waiting: 0 },
  ...{ browserWaits: 0, queuedSince: null, lastJobAt: null, nextDueAt: null, at: NOW },
  periods: [{ start: toPeriod(NOW), counts }],
  ...more,
});

const WEBHOOK = { PUBLIC_URL: "https://api.a.example", ALERT_WEBHOOK_SECRET: newWebhookSecret() };

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

  it("are posted once to a webhook when a condition begins and when it ends, also if the email isn't accepted", async () => {
    const lines = recordLines();
    const url = receiver("ok");
    const withWebhook = { ...env, ...WEBHOOK, ALERT_WEBHOOK: url, ALERT_EMAIL: "refused-x@a.example" };
    for (let minute = 0; minute < 4; minute++)
      await watchService({ ...withWebhook, JOBS: undefined } as unknown as Env, NOW + minute * MINUTE_MS);
    expect(lines.of("mail_refused").length).toBe(3);
    for (let minute = 4; minute < 12; minute++) await watchService(withWebhook, NOW + minute * MINUTE_MS);
    const posts = await expectPosts(url, 2);
    const alert = { name: "part:queues", text: "The check of the queue bindings fails.", since: toIso(NOW) };
    const page = "https://api.a.example/dashboard/admin/health";
    expect(posts.map((post) => JSON.parse(bodyOf(post)))).toEqual([
      { type: "alert.began", ...alert, at: toIso(NOW + MINUTE_MS), url: page },
      { type: "alert.ended", ...alert, at: toIso(NOW + 9 * MINUTE_MS), url: page },
    ]);
    for (const { headers, body } of posts) {
      const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${Buffer.from(body, "base64")}`;
      const key = Buffer.from(WEBHOOK.ALERT_WEBHOOK_SECRET.slice("whsec_".length), "base64");
      const signature = createHmac("sha256", key).update(content).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
    }
    expect((await readHealth(env, "hour", NOW)).alerts).toEqual([]);
  });

  it("are posted again with the same id if the webhook fails, but not emailed again", async () => {
    const lines = recordLines();
    const to = `${crypto.randomUUID()}@a.example`;
    const url = `${receiver("fail")}?times=1`;
    const bindings = { ...env, ...WEBHOOK, ALERT_WEBHOOK: url, ALERT_EMAIL: to, JOBS: undefined } as unknown as Env;
    for (let minute = 0; minute < 5; minute++) await watchService(bindings, NOW + minute * MINUTE_MS);
    expect(lines.of("alert_webhook_refused")).toMatchObject([{ alert: "part:queues", status: 500 }]);
    const posts = await expectPosts(url, 2);
    expect(new Set(posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await readEmails(to, 1)).toHaveLength(1);
  });

  it("are posted without following redirects, and aren't posted without a secret", async () => {
    const lines = recordLines();
    const url = receiver("redirect");
    const bindings = { ...env, ...WEBHOOK, ALERT_WEBHOOK: url, JOBS: undefined } as unknown as Env;
    for (let minute = 0; minute < 2; minute++) await watchService(bindings, NOW + minute * MINUTE_MS);
    expect(lines.of("alert_webhook_refused")).toMatchObject([{ status: 301 }]);
    await watchService({ ...bindings, ALERT_WEBHOOK_SECRET: " " }, NOW + 2 * MINUTE_MS);
    await watchService(bindings, NOW + 3 * MINUTE_MS);
    expect(await postsTo(url)).toHaveLength(1);
  });

  it("are sent in parallel, so that a slow mail service doesn't use up the time of the cron", async () => {
    recordLines();
    const MAIL_URL = page("held");
    const bindings = { ...env, MAIL_URL, PUBLIC_URL: "https://api.a.example", ALERT_EMAIL: "operator@a.example" };
    const conditions = ["queue", "failures"].map((name) => ({ name, text: name, times: 1 }));
    const none = { at: NOW, alerts: {} };
    const evaluation = { conditions, isComplete: true };
    const sending = sendAlerts(bindings as Env, none, { evaluation, uncounted: [], now: NOW });
    await expect.poll(() => querySite("hits", MAIL_URL)).toBe(2);
    await querySite("release", MAIL_URL);
    expect(await sending).toBe(2);
    await writeAlertState(env, none);
  });

  it("count the checks of each minute for the status page", async () => {
    for (let i = 0; i < 3; i++) await watchService(env, NOW);
    const counts = await env.DB.prepare(
      "SELECT counts FROM account_periods WHERE account_id = 'service'",
    ).first<string>("counts");
    expect(JSON.parse(counts ?? "")).toMatchObject({ "check/database/ok": 3, "check/queues/ok": 3 });
  });
});
