import { createRoute, z } from "@hono/zod-openapi";
import { Usage } from "../contract/usage";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { DAY_MS, USAGE_DAYS } from "../limits";
import { getAccount, listUsage } from "../store/accounts";
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
  const { accountId, mode } = c.var.caller;
  const account = await getAccount(c.env.DB, accountId);
  if (account === null) throw new Error(`The account ${accountId} is not there.`);
  const since = toIso(now() - USAGE_DAYS * DAY_MS).slice(0, 10);
  const days = await listUsage(c.env.DB, { accountId, mode, since });
  const { balance, reserved, granted, used, periodStart, nextGrantAt } = account;
  const period = { start: toIso(periodStart), end: toIso(nextGrantAt), granted, used };
  return c.json({ success: true as const, data: { balance, reserved, period, days } }, 200);
});
