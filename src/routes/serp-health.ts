import { createRoute, z } from "@hono/zod-openapi";
import { SerpHealth } from "../contract/serp";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { isOn } from "../lib/variables";
import { DAY_MS } from "../limits";
import { listSerpChecks } from "../store/serp-checks";
import { createRouter, errorResponses } from "./http";

export const serpHealth = createRouter();

const healthRoute = createRoute({
  method: "get",
  path: "/serp/health",
  operationId: "getSerpHealth",
  summary: "See how the search engines answered in the last day",
  tags: ["Extraction"],
  security: [{ bearer: [] }],
  middleware: [requireScope("serp")] as const,
  request: { query: z.strictObject({}) },
  responses: {
    200: { description: "The canary's checks", content: { "application/json": { schema: SerpHealth } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope", "rate_limited"),
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
