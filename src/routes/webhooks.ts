import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { NoQuery } from "../contract/common";
import { DELIVERY, PAGINATION, WEBHOOK_SETTINGS } from "../contract/examples";
import { WEBHOOK_REQUESTS } from "../contract/request-examples";
import { describeErrors, describeResponse } from "../contract/responses";
import {
  DeliveryId,
  DeliveryList,
  DeliveryListQuery,
  DeliveryResponse,
  WebhookSettingsRequest,
  WebhookSettingsResponse,
} from "../contract/webhooks";
import { toPage } from "../http/responses";
import { createRouter, guard, guardWithBody, originOf } from "../http/router";
import { now, toIso } from "../lib/clock";
import type { AppEnv } from "../model/env";
import { listDeliveries, redeliver, sendTest, toDeliveryRecord } from "../webhooks/deliveries";
import { changeUrl, type Owner, readSettings, rotate, type WebhookConfig } from "../webhooks/settings";

export const webhooks = createRouter();

const SETTINGS = describeResponse("The settings, with the signing secret.", WebhookSettingsResponse, {
  example: { success: true, data: WEBHOOK_SETTINGS },
});
const STARTED = describeResponse("The delivery, before its first attempt.", DeliveryResponse, {
  example: { success: true, data: { ...DELIVERY, status: "pending", attempts: [] } },
});

const getRoute = createRoute({
  method: "get",
  path: "/webhooks",
  operationId: "getWebhook",
  summary: "Read the webhook settings",
  description: "Returns the settings of the key's mode. The signing secret is created when it is first read.",
  tags: ["Webhooks"],
  ...guard("keys"),
  request: { query: NoQuery },
  responses: { 200: SETTINGS, ...describeErrors({ 400: ["invalid_request"] }) },
});

webhooks.openapi(getRoute, async (c) => respondWithSettings(c, await readSettings(c.env, toOwner(c), now())));

const putRoute = createRoute({
  method: "put",
  path: "/webhooks",
  operationId: "setWebhook",
  summary: "Change the webhook URL",
  description:
    "The URL applies to all new asynchronous jobs of the key's mode. A request's own `webhook_url` takes precedence.",
  tags: ["Webhooks"],
  ...guardWithBody("keys"),
  request: {
    query: NoQuery,
    body: {
      required: true,
      content: { "application/json": { schema: WebhookSettingsRequest, examples: WEBHOOK_REQUESTS } },
    },
  },
  responses: { 200: SETTINGS, ...describeErrors({ 400: ["invalid_request", "invalid_json"] }, { body: true }) },
});

webhooks.openapi(putRoute, async (c) => {
  const { url } = c.req.valid("json");
  return respondWithSettings(c, await changeUrl(c.env, toOwner(c), { url, origin: originOf(c), now: now() }));
});

const rotateRoute = createRoute({
  method: "post",
  path: "/webhooks/rotate",
  operationId: "rotateWebhookSecret",
  summary: "Rotate the signing secret",
  description:
    "Creates a new signing secret. For 24 hours, events also have a signature with the previous secret, in `X-Webhook-Signature-Previous`, so that receivers can switch without losing events.",
  tags: ["Webhooks"],
  ...guard("keys"),
  request: { query: NoQuery },
  responses: { 200: SETTINGS, ...describeErrors({ 400: ["invalid_request"] }) },
});

webhooks.openapi(rotateRoute, async (c) => respondWithSettings(c, await rotate(c.env, toOwner(c), now())));

const testRoute = createRoute({
  method: "post",
  path: "/webhooks/test",
  operationId: "testWebhook",
  summary: "Send a test event",
  description: "Sends a test event to the webhook URL, with one attempt. The list of deliveries shows the outcome.",
  tags: ["Webhooks"],
  ...guard("keys"),
  request: { query: NoQuery },
  responses: { 202: STARTED, ...describeErrors({ 400: ["invalid_request"] }) },
});

webhooks.openapi(testRoute, async (c) => {
  const delivery = await sendTest(c.env, toOwner(c), originOf(c), now());
  return c.json({ success: true as const, data: toDeliveryRecord(delivery) }, 202);
});

const listRoute = createRoute({
  method: "get",
  path: "/webhooks/deliveries",
  operationId: "listWebhookDeliveries",
  summary: "List deliveries, newest first",
  description:
    "Lists the deliveries of the key's mode, with their attempts and the receiver's responses. Deliveries are stored for 30 days.",
  tags: ["Webhooks"],
  ...guard("jobs"),
  request: { query: DeliveryListQuery },
  responses: {
    200: describeResponse("A page of deliveries.", DeliveryList, {
      example: { success: true, data: [DELIVERY], pagination: PAGINATION },
    }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

webhooks.openapi(listRoute, async (c) => {
  const { status, job_id: jobId, limit, offset } = c.req.valid("query");
  const page = await listDeliveries(c.env, toOwner(c), { status, jobId, limit, offset });
  return c.json(toPage(page.deliveries.map(toDeliveryRecord), { ...page, limit, offset }), 200);
});

const redeliverRoute = createRoute({
  method: "post",
  path: "/webhooks/deliveries/{id}/redeliver",
  operationId: "redeliverWebhook",
  summary: "Redeliver an event",
  description: "Starts a new round of attempts with the same `X-Webhook-ID`, even if a round is in progress.",
  tags: ["Webhooks"],
  ...guard("jobs"),
  request: { params: z.object({ id: DeliveryId }), query: NoQuery },
  responses: { 202: STARTED, ...describeErrors({ 400: ["invalid_request"], 404: ["not_found"] }) },
});

webhooks.openapi(redeliverRoute, async (c) => {
  const delivery = await redeliver(c.env, toOwner(c), c.req.valid("param").id);
  return c.json({ success: true as const, data: toDeliveryRecord(delivery) }, 202);
});

function toOwner(c: Context<AppEnv>): Owner {
  const { account, mode } = c.var.caller;
  return { account, mode };
}

function respondWithSettings(c: Context<AppEnv>, settings: WebhookConfig) {
  const { url, secret, previousSecretExpiresAt: expiresAt } = settings;
  // The response contains the secret, so it must not be cached.
  c.header("Cache-Control", "no-store");
  const previous_secret_expires_at = expiresAt === null ? null : toIso(expiresAt);
  return c.json({ success: true as const, data: { url, secret, previous_secret_expires_at } }, 200);
}
