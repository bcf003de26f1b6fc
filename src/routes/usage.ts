import { createRoute } from "@hono/zod-openapi";
import { callAccount } from "../account/client";
import { toUsageRange } from "../account/credits/usage";
import type { UsageGroup, UsageTotal } from "../account/credits/usage-totals";
import { EXAMPLES } from "../contract/examples";
import { invalidParameter } from "../contract/invalid-request";
import { describeData, describeErrors } from "../contract/responses";
import { Usage, UsageQuery } from "../contract/usage";
import { createRouter, guard } from "../http/router";
import { now, toIso } from "../lib/clock";
import { MAX_USAGE_GROUPS, USAGE_DAYS, USAGE_RANGE_MAX_DAYS } from "../model/limits";

export const usage = createRouter();

const usageRoute = createRoute({
  method: "get",
  path: "/usage",
  operationId: "getUsage",
  summary: "Read the balance and the usage",
  description: `Returns the account's balance and the usage of the key's mode, by default in the last ${USAGE_DAYS} days. The usage is listed by day and endpoint, with totals by endpoint, key and outcome. It includes only jobs that have ended. Usage is kept for ${USAGE_RANGE_MAX_DAYS} days. Requires the scope \`jobs\`.`,
  tags: ["Usage"],
  ...guard("jobs"),
  request: { query: UsageQuery },
  responses: {
    200: describeData("The balance, the period and the usage.", Usage, EXAMPLES.USAGE),
    ...describeErrors(),
  },
});

usage.openapi(usageRoute, async (c) => {
  const { account, mode } = c.var.caller;
  const { group_by: groupBy = [], ...days } = c.req.valid("query");
  const range = toUsageRange(days, now());
  const report = await callAccount(c.env, account, (stub) =>
    stub.usage({ mode, since: range.from, until: range.to, groupBy }),
  );
  if (report.groups === null) {
    const message = `has more than ${MAX_USAGE_GROUPS} groups. Choose a shorter range or fewer values`;
    throw invalidParameter("group_by", message);
  }
  const { balance, reserved, period } = report;
  const data = {
    balance,
    reserved,
    period: { ...period, start: toIso(period.start), end: toIso(period.end) },
    ...range,
    days: report.days.map(({ date, endpoint, ...total }) => ({ date, endpoint, ...toTotal(total) })),
    by_endpoint: report.endpoints.map(({ endpoint, ...total }) => ({ endpoint, ...toTotal(total) })),
    by_key: report.keys.map(({ keyId, ...total }) => ({ key_id: keyId, ...toTotal(total) })),
    by_code: report.codes.map(({ code, ...total }) => ({ code, ...toTotal(total) })),
    ...(groupBy.length === 0 ? {} : { groups: report.groups.map(toGroup) }),
  };
  return c.json({ success: true as const, data }, 200);
});

function toGroup({ date, endpoint, keyId, code, ...total }: UsageGroup) {
  const group = { date, endpoint, key_id: keyId, code };
  // Omits the values by which the report isn't grouped.
  return { ...(JSON.parse(JSON.stringify(group)) as typeof group), ...toTotal(total) };
}

function toTotal({ requests, failed, credits, p50, p95 }: UsageTotal) {
  return { requests, credits, failed, p50_ms: p50, p95_ms: p95 };
}
