import { createRoute } from "@hono/zod-openapi";
import { NoQuery } from "../contract/common";
import { SERP_HEALTH } from "../contract/examples";
import { describeErrors, describeResponse } from "../contract/responses";
import { SerpHealth } from "../contract/serp";
import { createRouter, guard } from "../http/router";
import { now, toIso } from "../lib/clock";
import { isOn } from "../lib/env";
import { DAY_MS } from "../model/limits";
import { listSerpChecks } from "../store/serp-checks";

export const serpHealth = createRouter();

const healthRoute = createRoute({
  method: "get",
  path: "/serp/health",
  operationId: "getSerpHealth",
  summary: "List the search engine checks of the last day",
  description: "If the operator has enabled the checks, the service sends a common query to each engine once an hour.",
  tags: ["Extraction"],
  ...guard("serp"),
  request: { query: NoQuery },
  responses: {
    200: describeResponse("The checks, newest first.", SerpHealth, { example: { success: true, data: SERP_HEALTH } }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

serpHealth.openapi(healthRoute, async (c) => {
  const checks = await listSerpChecks(c.env.DB, now() - DAY_MS);
  return c.json(
    {
      success: true as const,
      data: {
        enabled: isOn(c.env.SERP_CANARY),
        checks: checks.map(({ engine, outcome, source, results, durationMs, checkedAt }) => ({
          engine,
          outcome,
          source,
          results,
          duration_ms: durationMs,
          checked_at: toIso(checkedAt),
        })),
      },
    },
    200,
  );
});
