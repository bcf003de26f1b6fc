import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, it } from "vitest";
import { readMetrics } from "../../src/health/metrics";
import { sumService } from "../../src/health/watch";
import { toPeriod } from "../../src/model/service-counts";
import { putPeriods } from "../../src/store/account-periods";
import { putSummaries } from "../../src/store/account-summaries";
import { call } from "../support/admin";
import { ANALYTICS_ACCOUNT_ID } from "../support/analytics";
import { createAccount } from "../support/client";
import { recordLines } from "../support/lines";

const NOW = Date.now();
/** The lines of the text format that the metrics use. */
const LINE =
  /^(?:# HELP \w+ .+|# TYPE \w+ (?:counter|gauge)|\w+(?:\{\w+="[^"\\\n]*"(?:,\w+="[^"\\\n]*")*\})? [\d.e+-]+)$/;
/** A database whose statements fail. */
const reject = () => Promise.reject(new Error("D1 is down"));
const failing = { first: reject, all: reject, run: reject };
const DOWN = { prepare: () => ({ bind: () => failing, ...failing }) } as unknown as D1Database;

beforeEach(async () => {
  const tables = ["account_periods", "account_summaries", "service_hours"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

describe("GET /admin/v1/metrics", () => {
  it("has the jobs, queue, deliveries, renders and credits of all accounts", async () => {
    const counts = {
      "job/scrape/plain/ok/40": 5,
      "job/scrape/plain/ok/41": 2,
      "job/scrape/rendered/render_failed/": 3,
      "deliveries/abandoned": 4,
    };
    const none = { balance: 0, granted: 0, waiting: 0, browserWaits: 0, lastJobAt: null, nextDueAt: null };
    const summaries = [1, 2].map(async (n) => ({
      ...{ ...none, accountId: await createAccount(), used: 40 * n, reserved: n, queued: 2, processing: n, at: NOW },
      queuedSince: n === 2 ? NOW - 90_000 : null,
      periods: [{ start: toPeriod(NOW), counts }],
    }));
    const sent = await Promise.all(summaries);
    await putSummaries(env.DB, sent);
    await putPeriods(env.DB, sent, NOW);
    await sumService(env, NOW);
    const lines = (await readMetrics(env, NOW)).trimEnd().split("\n");
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    const name = (rest: string) => `web_data_extraction_${rest}`;
    expect(lines).toEqual(
      expect.arrayContaining(
        [
          'jobs_total{endpoint="scrape",method="plain",status="completed",code="ok"} 14',
          'jobs_total{endpoint="scrape",method="rendered",status="failed",code="render_failed",cause="service"} 6',
          "deliveries_abandoned_total 8",
          "queue_age_seconds 90",
          'account_jobs{status="queued"} 4',
          'account_jobs{status="processing"} 3',
          "render_slots 8",
          "credits_used 120",
          "credits_reserved 3",
          'part_up{part="database"} 1',
        ].map(name),
      ),
    );
  });

  it("has the metrics that can be read while the database is down", async () => {
    const text = await readMetrics({ ...env, DB: DOWN }, NOW);
    expect(text).toContain('web_data_extraction_part_up{part="database"} 0\n');
    expect(text).toContain("web_data_extraction_render_slots 8\n");
    expect(text).not.toContain("credits_used");
    expect(text).not.toContain("jobs_total");
  });

  it("sends no query to Analytics Engine, which no metric needs", async () => {
    const lines = recordLines();
    await readMetrics(
      { ...env, ANALYTICS_ORIGIN: inject("analytics"), ANALYTICS_ACCOUNT_ID, ANALYTICS_TOKEN: "wrong" },
      NOW,
    );
    expect(lines.of("health_unreadable")).toEqual([]);
  });

  it("is plain text, and requires the admin token", async () => {
    const { status, headers } = await call("GET", "/metrics");
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const authorization = "Bearer wrong";
    expect(await call("GET", "/metrics", undefined, { headers: { authorization } })).toMatchObject({ status: 401 });
  });
});
