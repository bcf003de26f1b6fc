import { createRoute, z } from "@hono/zod-openapi";
import { callAccount } from "../account/client";
import { NoQuery } from "../contract/common";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import {
  describeBody,
  describeData,
  describeErrors,
  describeErrorsWithBody,
  describeOptionalBody,
  describeResponse,
} from "../contract/responses";
import {
  DeliveryDetailResponse,
  DeliveryId,
  DeliveryList,
  DeliveryListQuery,
  RedeliveriesRequest,
  RedeliveriesResponse,
  RedeliveryRequest,
} from "../contract/webhooks";
import { toPage } from "../http/responses";
import { createRouter, operation, operationWithBody, operationWithOptionalBody, originOf } from "../http/router";
import { checkScope } from "../keys/errors";
import { now, toIso } from "../lib/clock";
import { deliveryNotFound, readDelivery, redeliver, redeliverAll, toDeliveryRecord } from "../webhooks/deliveries";
import { STARTED, toOwner } from "./webhooks";

export const webhookDeliveries = createRouter();

const listRoute = createRoute({
  method: "get",
  path: "/webhooks/deliveries",
  ...operation("listWebhookDeliveries", "jobs"),
  request: { query: DeliveryListQuery },
  responses: {
    200: describeResponse("A page of deliveries.", DeliveryList, {
      example: { success: true, data: [EXAMPLES.DELIVERY], pagination: EXAMPLES.PAGINATION },
    }),
    ...describeErrors(),
  },
});

webhookDeliveries.openapi(listRoute, async (c) => {
  const { status, job_id: jobId, limit, offset } = c.req.valid("query");
  const { account, mode } = c.var.caller;
  const page = await callAccount(c.env, account, (stub) => stub.listDeliveries({ mode, status, jobId, limit, offset }));
  return c.json(toPage(page.deliveries.map(toDeliveryRecord), { ...page, limit, offset }), 200);
});

const getRoute = createRoute({
  method: "get",
  path: "/webhooks/deliveries/{id}",
  ...operation("getWebhookDelivery", "jobs"),
  request: { params: z.object({ id: DeliveryId }), query: NoQuery },
  responses: {
    200: describeData("The delivery.", DeliveryDetailResponse, {
      ...EXAMPLES.DELIVERY,
      payload: '{"event":"job.completed","job_id":"0199b2c0-…"}',
    }),
    ...describeErrors({ 404: ["not_found"] }),
  },
});

webhookDeliveries.openapi(getRoute, async (c) => {
  const { id } = c.req.valid("param");
  const found = await readDelivery(c.env, toOwner(c), id);
  if (found === null) throw deliveryNotFound(id);
  const data = { ...toDeliveryRecord(found.delivery), payload: found.payload };
  return c.json({ success: true as const, data }, 200);
});

const redeliverRoute = createRoute({
  method: "post",
  path: "/webhooks/deliveries/{id}/redeliver",
  ...operationWithOptionalBody("redeliverWebhook", "jobs"),
  request: {
    params: z.object({ id: DeliveryId }),
    query: NoQuery,
    body: describeOptionalBody(RedeliveryRequest, REQUEST_EXAMPLES.REDELIVERY_REQUESTS),
  },
  responses: {
    202: STARTED,
    ...describeErrorsWithBody({ 404: ["not_found"] }),
  },
});

webhookDeliveries.openapi(redeliverRoute, async (c) => {
  const { url } = c.req.valid("json");
  // The URL would receive the data of the event, so the key must be allowed to change webhook URLs.
  if (url !== undefined) checkScope(c.get("caller"), "keys");
  const target = { url, origin: originOf(c) };
  const delivery = await redeliver(c.env, toOwner(c), c.req.valid("param").id, target);
  return c.json({ success: true as const, data: toDeliveryRecord(delivery) }, 202);
});

const redeliverAllRoute = createRoute({
  method: "post",
  path: "/webhooks/deliveries/redeliver",
  ...operationWithBody("redeliverWebhooks", "jobs"),
  request: { query: NoQuery, body: describeBody(RedeliveriesRequest, REQUEST_EXAMPLES.REDELIVERIES_REQUESTS) },
  responses: {
    202: describeData("The number of deliveries that are sent again.", RedeliveriesResponse, EXAMPLES.REDELIVERIES),
    ...describeErrorsWithBody(),
  },
});

webhookDeliveries.openapi(redeliverAllRoute, async (c) => {
  const { since, status, endpoint_id: endpointId = null, ...body } = c.req.valid("json");
  const startedAt = now();
  const until = body.until ?? startedAt;
  const filter = { since, until, status, endpointId, now: startedAt };
  const { redelivered, skipped, hasMore } = await redeliverAll(c.env, toOwner(c), filter);
  const data = { redelivered, skipped, has_more: hasMore, until: toIso(until) };
  return c.json({ success: true as const, data }, 202);
});
