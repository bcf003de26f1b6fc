import { createRoute, z } from "@hono/zod-openapi";
import { readUsage } from "../accounts/usage";
import { Usage } from "../contract/usage";
import { requireScope } from "../keys/middleware";
import { now } from "../lib/clock";
import { createRouter, errorResponses } from "./http";

export const usage = createRouter();

const usageRoute = createRoute({
  method: "get",
  path: "/usage",
  operationId: "getUsage",
  summary: "Read the balance and what was used",
  tags: ["Usage"],
  security: [{ bearer: [] }],
  middleware: [requireScope("jobs")] as const,
  request: { query: z.strictObject({}) },
  responses: {
    200: { description: "Balance, period and days", content: { "application/json": { schema: Usage } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope", "rate_limited"),
  },
});

usage.openapi(usageRoute, async (c) => {
  const data = await readUsage(c.env, c.var.caller, now());
  return c.json({ success: true as const, data }, 200);
});
