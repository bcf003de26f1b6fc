import { createRoute } from "@hono/zod-openapi";
import { NoQuery } from "../contract/common";
import { USAGE } from "../contract/examples";
import { describeErrors, describeResponse } from "../contract/responses";
import { Usage } from "../contract/usage";
import { readUsage } from "../directory/credits";
import { createRouter, guard } from "../http/router";
import { now } from "../lib/clock";
import { USAGE_DAYS } from "../model/limits";

export const usage = createRouter();

const usageRoute = createRoute({
  method: "get",
  path: "/usage",
  operationId: "getUsage",
  summary: "Read the balance and what was used",
  description: `The balance is the account's; the days, ${USAGE_DAYS} back, are those of the key's mode.`,
  tags: ["Usage"],
  ...guard("jobs"),
  request: { query: NoQuery },
  responses: {
    200: describeResponse("Balance, period and days.", Usage, { example: { success: true, data: USAGE } }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

usage.openapi(usageRoute, async (c) => {
  const data = await readUsage(c.env, c.var.caller, now());
  return c.json({ success: true as const, data }, 200);
});
