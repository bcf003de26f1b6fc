import { Hono } from "hono";
import { z } from "zod";
import { toBrowserNetwork } from "../../browser/network";
import { inspectBrowsers } from "../../browser/render-client";
import { METRICS_TYPE, readMetrics } from "../../health/metrics";
import { RANGES, readHealth } from "../../health/report";
import { now, toIso } from "../../lib/clock";
import type { AppEnv } from "../../model/env";
import { readQuery } from "./input";

export const health = new Hono<AppEnv>();

const HealthQuery = z.strictObject({ range: z.enum(RANGES).default("hour") });

/** Returns the state of the service, as the health page shows it. Works while the database is down. */
health.get("/health", async (c) => {
  const { range } = readQuery(c, HealthQuery);
  const report = await readHealth(c.env, range, now());
  const time = (at: number | null) => (at === null ? null : toIso(at));
  const data = {
    at: time(report.at),
    range,
    since: time(report.since),
    headline: report.headline,
    findings: report.findings,
    parts: report.checks.parts,
    problems: report.checks.problems,
    figures: report.figures,
    requests: report.requests,
    counted_at: time(report.countedAt),
    render_slots: report.slots && {
      in_use: report.slots.inUse,
      size: report.slots.size,
      waiting: report.slots.waiting,
    },
    queue_age_ms: report.queueAgeMs,
    queues:
      report.queues?.map(({ accountId, queued, waiting, browserWaits }) => ({
        account_id: accountId,
        queued,
        waiting,
        browser_waits: browserWaits,
      })) ?? null,
    affected: report.affected?.map(({ accountId, failed }) => ({ account_id: accountId, failed })) ?? null,
    engines:
      report.engines?.map(({ engine, lastOutcome, lastAt, isFailing }) => ({
        engine,
        outcome: lastOutcome,
        checked_at: time(lastAt),
        failing: isFailing,
      })) ?? null,
    alerts: report.alerts?.map(({ text, since }) => ({ text, since: time(since) })) ?? null,
  };
  return c.json({ success: true, data });
});

/** Returns metrics for Prometheus. Works while the database is down. */
health.get("/metrics", async (c) => c.body(await readMetrics(c.env, now()), 200, { "Content-Type": METRICS_TYPE }));

/** Returns the browsers and the variables that depend on them, for `npm run deploy -- --verify`. */
health.get("/browsers", async (c) => {
  const { env } = c;
  const found = await inspectBrowsers(env);
  const data = {
    network: toBrowserNetwork(env),
    shared: env.BROWSER_SHARED === "on",
    fetch_via: env.FETCH_VIA,
    browsers: found.map(({ name, facts }) => ({
      name,
      running: facts !== null,
      product: facts?.product ?? null,
      intercepts_whole_browser: facts?.interceptsWholeBrowser ?? null,
      pauses_targets: facts?.pausesTargets ?? null,
    })),
  };
  return c.json({ success: true, data });
});
