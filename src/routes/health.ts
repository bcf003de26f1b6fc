import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { NoQuery } from "../contract/common";
import { EXAMPLES } from "../contract/examples";
import { headersWithoutRate } from "../contract/headers";
import { Alive, Ready } from "../contract/health";
import { describeData, describeErrorResponse, describeErrors, describeOperation } from "../contract/responses";
import { SerpHealth } from "../contract/serp";
import { checkParts, type PartCheck } from "../health/checks";
import { createRouter, operation } from "../http/router";
import { rateLimited, readCallerAddress } from "../keys/errors";
import { now, toIso } from "../lib/clock";
import { isOn } from "../lib/env";
import { toCallerNetwork } from "../lib/ip-ranges";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { DAY_MS, READY_CHECKS_PER_MINUTE, READY_TIMEOUT_MS, SECOND_MS } from "../model/limits";
import { rateLimiter } from "../store/namespaces";
import { listSerpChecks } from "../store/serp-checks";

/** The health checks for load balancers and monitors. They don't require a key. */
export const health = createRouter();

const ALIVE = { success: true as const, data: { status: "alive" as const } };

const aliveRoute = createRoute({
  method: "get",
  path: "/",
  ...describeOperation("getHealth"),
  security: [],
  responses: {
    200: {
      description: "The service is alive.",
      headers: headersWithoutRate(),
      content: { "application/json": { schema: Alive, example: ALIVE } },
    },
  },
});

health.openapi(aliveRoute, (c) => {
  c.header("Cache-Control", "no-store");
  return c.json(ALIVE, 200);
});

const readyRoute = createRoute({
  method: "get",
  path: "/ready",
  operationId: "getReadiness",
  summary: "Check if every part of the service is ready",
  description: `Checks the secrets and variables, the database and its schema version, the object store, the Durable Objects and the queue bindings, each for at most ${READY_TIMEOUT_MS / SECOND_MS} seconds. Also reports the browser, which the service doesn't require. Requires no key. Each IP address is limited to ${READY_CHECKS_PER_MINUTE} requests per minute.`,
  tags: ["Health"],
  security: [],
  responses: {
    200: {
      description: "Every required component is ready.",
      headers: headersWithoutRate(),
      content: {
        "application/json": { schema: Ready, example: { success: true, data: { status: "ready", browser: "ok" } } },
      },
    },
    429: describeErrorResponse(429, ["rate_limited"], headersWithoutRate("Retry-After")),
    500: describeErrorResponse(500, ["internal_error"], headersWithoutRate()),
    503: describeErrorResponse(503, ["unavailable"], headersWithoutRate("Retry-After")),
  },
});

health.openapi(readyRoute, async (c) => {
  c.header("Cache-Control", "no-store");
  const { parts, problems } = await checkParts(c.env, () => consumeRateLimit(c));
  const browser = parts.find(({ part }) => part === "browser")?.result ?? "failed";
  if (problems.length > 0 || parts.some(({ part, result }) => part !== "browser" && result !== "ok"))
    throw notReady(parts, problems);
  return c.json({ success: true as const, data: { status: "ready" as const, browser } }, 200);
});

/** Counts the check against the limit of the caller's network. Throws AppError `rate_limited`. */
async function consumeRateLimit(c: Context<AppEnv>): Promise<void> {
  const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
  const rate = await rateLimiter(c.env, `ready:${network}`).consume(READY_CHECKS_PER_MINUTE);
  if (rate.allowed) return;
  throw rateLimited(rate, `Each IP address is limited to ${READY_CHECKS_PER_MINUTE} checks per minute.`, now());
}

function notReady(parts: readonly PartCheck[], problems: { path: string; message: string }[]): AppError {
  const details = parts
    .filter(({ result }) => result !== "ok")
    .map(({ part, result }) => ({
      path: part,
      message: result === "failed" ? "failed" : `didn't respond within ${READY_TIMEOUT_MS / SECOND_MS} seconds`,
    }));
  return new AppError("unavailable", "The service isn't ready. 'details' lists the parts that failed.", {
    details: [...details, ...problems],
    headers: { "Retry-After": "5" },
  });
}

export const serpHealth = createRouter();

const healthRoute = createRoute({
  method: "get",
  path: "/serp/health",
  ...operation("getSerpHealth", "serp"),
  request: { query: NoQuery },
  responses: {
    200: describeData("The checks, newest first.", SerpHealth, EXAMPLES.SERP_HEALTH),
    ...describeErrors(),
  },
});

serpHealth.openapi(healthRoute, async (c) => {
  const checks = await listSerpChecks(c.env.DB, now() - DAY_MS);
  return c.json(
    {
      success: true as const,
      data: {
        enabled: isOn(c.env.SERP_CANARY),
        checks: checks.map(({ engine, outcome, source, results, disputed, durationMs, checkedAt }) => ({
          engine,
          outcome,
          source,
          results,
          disputed_results: disputed,
          duration_ms: durationMs,
          checked_at: toIso(checkedAt),
        })),
      },
    },
    200,
  );
});
