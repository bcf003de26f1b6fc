import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  DeliveryList,
  DeliveryListQuery,
  type DeliveryRecord,
  DeliveryResponse,
  WebhookSettingsRequest,
  WebhookSettingsResponse,
} from "../contract/webhooks";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { isId, newId } from "../lib/id";
import { getDelivery, insertTestDelivery, listDeliveries, restartDelivery } from "../store/deliveries";
import type { Attempt, Delivery } from "../webhooks/delivery-log";
import { changeUrl, type Owner, readSettings, rotate, type WebhookSettings } from "../webhooks/settings";
import { startDelivery } from "../webhooks/start";
import { checkWebhook } from "./checks";
import { createRouter, errorResponses, requireJson, toOrigin } from "./http";

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
  if (url !== null) checkWebhook(c, url, "url");
  return answer(c, await changeUrl(c.env, toOwner(c), url, now()));
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
  const owner = toOwner(c);
  const { url } = await readSettings(c.env, owner, now());
  if (url === null) {
    throw new AppError("invalid_request", "There is no webhook URL to test: set one with PUT /v1/webhooks first.");
  }
  const created = { id: newId(), ...owner, url, origin: toOrigin(c), createdAt: now() };
  const delivery = await insertTestDelivery(c.env.DB, created);
  await startDelivery(c.env, delivery);
  return c.json({ success: true as const, data: toRecord(delivery) }, 202);
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
  const has_more = offset + page.deliveries.length < page.total;
  return c.json(
    {
      success: true as const,
      data: page.deliveries.map(toRecord),
      pagination: { total: page.total, limit, offset, has_more },
    },
    200,
  );
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
  const { id } = c.req.valid("param");
  const { accountId, mode } = toOwner(c);
  const present = isId(id) ? await getDelivery(c.env.DB, id) : null;
  const isOwn = present?.accountId === accountId && present.mode === mode;
  const restarted = present !== null && isOwn ? await restartDelivery(c.env.DB, present, now()) : null;
  if (restarted === null) throw new AppError("not_found", `There is no delivery '${id}'.`);
  await startDelivery(c.env, restarted);
  return c.json({ success: true as const, data: toRecord(restarted) }, 202);
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

function toRecord(delivery: Delivery): DeliveryRecord {
  return {
    id: delivery.id,
    job_id: delivery.jobId,
    event: delivery.event,
    url: delivery.url,
    status: delivery.status,
    attempts: [...delivery.earlierAttempts, ...delivery.attempts].map(toAttempt),
    next_attempt_at: delivery.nextAttemptAt === null ? null : toIso(delivery.nextAttemptAt),
    created_at: toIso(delivery.createdAt),
  };
}

function toAttempt({ at, status_code, duration_ms, error, response }: Attempt): DeliveryRecord["attempts"][number] {
  return { at: toIso(at), status_code, duration_ms, error, response };
}
