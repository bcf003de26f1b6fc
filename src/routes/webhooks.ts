import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  DeliveryList,
  DeliveryListQuery,
  DeliveryResponse,
  WebhookSettingsRequest,
  WebhookSettingsResponse,
} from "../contract/webhooks";
import type { AppEnv } from "../env";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { listDeliveries } from "../store/deliveries";
import { toDeliveryRecord } from "../webhooks/delivery-record";
import { redeliver, sendTest } from "../webhooks/on-demand";
import { changeUrl, type Owner, readSettings, rotate, type WebhookSettings } from "../webhooks/settings";
import { createRouter, errorResponses, originOf, requireJson } from "./http";
import { toPage } from "./page";

export const webhooks = createRouter();

const SETTINGS = {
  description: "The settings",
  content: { "application/json": { schema: WebhookSettingsResponse } },
};

const getRoute = createRoute({
  method: "get",
  path: "/webhooks",
  operationId: "getWebhook",
  summary: "Read the webhook settings",
  tags: ["Webhooks"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys")] as const,
  responses: { 200: SETTINGS, ...errorResponses("missing_api_key", "insufficient_scope", "rate_limited") },
});

webhooks.openapi(getRoute, async (c) => answer(c, await readSettings(c.env, toOwner(c), now())));

const putRoute = createRoute({
  method: "put",
  path: "/webhooks",
  operationId: "setWebhook",
  summary: "Set where results are pushed",
  tags: ["Webhooks"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys"), requireJson] as const,
  request: { body: { required: true, content: { "application/json": { schema: WebhookSettingsRequest } } } },
  responses: {
    200: SETTINGS,
    ...errorResponses("invalid_request", "invalid_json", "missing_api_key", "insufficient_scope", "rate_limited"),
  },
});

webhooks.openapi(putRoute, async (c) => {
  const { url } = c.req.valid("json");
  return answer(c, await changeUrl(c.env, toOwner(c), { url, origin: originOf(c), now: now() }));
});

const rotateRoute = createRoute({
  method: "post",
  path: "/webhooks/rotate",
  operationId: "rotateWebhookSecret",
  summary: "Replace the webhook secret; the one before signs as well for 24 hours",
  tags: ["Webhooks"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys")] as const,
  responses: { 200: SETTINGS, ...errorResponses("missing_api_key", "insufficient_scope", "rate_limited") },
});

webhooks.openapi(rotateRoute, async (c) => answer(c, await rotate(c.env, toOwner(c), now())));

const testRoute = createRoute({
  method: "post",
  path: "/webhooks/test",
  operationId: "testWebhook",
  summary: "Push a test event, once",
  tags: ["Webhooks"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys")] as const,
  responses: {
    202: { description: "The delivery, as it begins", content: { "application/json": { schema: DeliveryResponse } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope", "rate_limited"),
  },
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
  tags: ["Webhooks"],
  security: [{ bearer: [] }],
  middleware: [requireScope("jobs")] as const,
  request: { query: DeliveryListQuery },
  responses: {
    200: { description: "A page of deliveries", content: { "application/json": { schema: DeliveryList } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope", "rate_limited"),
  },
});

webhooks.openapi(listRoute, async (c) => {
  const { status, job_id: jobId, limit, offset } = c.req.valid("query");
  const page = await listDeliveries(c.env.DB, { ...toOwner(c), status, jobId, limit, offset });
  return c.json(toPage(page.deliveries.map(toDeliveryRecord), { total: page.total, limit, offset }), 200);
});

const redeliverRoute = createRoute({
  method: "post",
  path: "/webhooks/deliveries/{id}/redeliver",
  operationId: "redeliverWebhook",
  summary: "Deliver again: a new round of attempts with the same id",
  tags: ["Webhooks"],
  security: [{ bearer: [] }],
  middleware: [requireScope("jobs")] as const,
  request: { params: z.object({ id: z.string() }) },
  responses: {
    202: { description: "The delivery, as it begins", content: { "application/json": { schema: DeliveryResponse } } },
    ...errorResponses("missing_api_key", "insufficient_scope", "not_found", "rate_limited"),
  },
});

webhooks.openapi(redeliverRoute, async (c) => {
  const delivery = await redeliver(c.env, toOwner(c), c.req.valid("param").id, now());
  return c.json({ success: true as const, data: toDeliveryRecord(delivery) }, 202);
});

function toOwner(c: Context<AppEnv>): Owner {
  const { accountId, mode } = c.var.caller;
  return { accountId, mode };
}

function answer(c: Context<AppEnv>, settings: WebhookSettings) {
  const { url, secret, previousSecretExpiresAt: expiresAt } = settings;
  // The secret is for the caller alone.
  c.header("Cache-Control", "no-store");
  const previous_secret_expires_at = expiresAt === null ? null : toIso(expiresAt);
  return c.json({ success: true as const, data: { url, secret, previous_secret_expires_at } }, 200);
}
