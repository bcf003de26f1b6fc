import { createRoute } from "@hono/zod-openapi";
import { accountGone, callAccount } from "../account/client";
import type { UsageTotal } from "../account/usage-totals";
import { NoQuery } from "../contract/common";
import { USAGE } from "../contract/examples";
import { describeErrors, describeResponse } from "../contract/responses";
import { Usage } from "../contract/usage";
import { createRouter, guard } from "../http/router";
import { now, toIso } from "../lib/clock";
import { DAY_MS, USAGE_DAYS } from "../model/limits";

export const usage = createRouter();

const usageRoute = createRoute({
  method: "get",
  path: "/usage",
  operationId: "getUsage",
  summary: "Read the balance and the usage",
  description: `Returns the account's balance and the usage of the key's mode in the last ${USAGE_DAYS} days. The usage is listed by day and endpoint, with totals by endpoint, key and outcome. It includes only jobs that have ended.`,
  tags: ["Usage"],
  ...guard("jobs"),
  request: { query: NoQuery },
  responses: {
    200: describeResponse("The balance, the period and the usage.", Usage, { example: { success: true, data: USAGE } }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

usage.openapi(usageRoute, async (c) => {
  const { account, mode } = c.var.caller;
  const since = toIso(now() - USAGE_DAYS * DAY_MS).slice(0, 10);
  const report = await callAccount(c.env, account, (stub) => stub.usage({ mode, since }));
  if (report.kind === "gone") throw accountGone();
  const { balance, reserved, period } = report;
  const data = {
    balance,
    reserved,
    period: { ...period, start: toIso(period.start), end: toIso(period.end) },
    days: report.days.map(({ date, endpoint, ...total }) => ({ date, endpoint, ...toTotal(total) })),
    by_endpoint: report.endpoints.map(({ endpoint, ...total }) => ({ endpoint, ...toTotal(total) })),
    by_key: report.keys.map(({ keyId, ...total }) => ({ key_id: keyId, ...toTotal(total) })),
    by_code: report.codes.map(({ code, ...total }) => ({ code, ...toTotal(total) })),
  };
  return c.json({ success: true as const, data }, 200);
});

function toTotal({ requests, failed, credits, p50, p95 }: UsageTotal) {
  return { requests, credits, failed, p50_ms: p50, p95_ms: p95 };
}
