import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { NoQuery } from "../contract/common";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { describeBody, describeData, describeErrors, describeErrorsWithBody } from "../contract/responses";
import { DeliveryResponse, WebhookSettingsRequest, WebhookSettingsResponse } from "../contract/webhooks";
import { createRouter, operation, operationWithBody, originOf } from "../http/router";
import { now, toIso } from "../lib/clock";
import type { AppEnv } from "../model/env";
import { sendTest, toDeliveryRecord } from "../webhooks/deliveries";
import { changeUrl, type Owner, readSettings, rotate, type WebhookConfig } from "../webhooks/settings";

export const webhooks = createRouter();

const SETTINGS = describeData(
  "The settings, with the signing secret.",
  WebhookSettingsResponse,
  EXAMPLES.WEBHOOK_SETTINGS,
);
export const STARTED = describeData("The delivery, before its first attempt.", DeliveryResponse, {
  ...EXAMPLES.DELIVERY,
  status: "pending",
  attempts: [],
});

const getRoute = createRoute({
  method: "get",
  path: "/webhooks",
  ...operation("getWebhook", "keys"),
  request: { query: NoQuery },
  responses: { 200: SETTINGS, ...describeErrors() },
});

webhooks.openapi(getRoute, async (c) => respondWithSettings(c, await readSettings(c.env, toOwner(c), now())));

const putRoute = createRoute({
  method: "put",
  path: "/webhooks",
  ...operationWithBody("setWebhook", "keys"),
  request: { query: NoQuery, body: describeBody(WebhookSettingsRequest, REQUEST_EXAMPLES.WEBHOOK_REQUESTS) },
  responses: { 200: SETTINGS, ...describeErrorsWithBody() },
});

webhooks.openapi(putRoute, async (c) => {
  const { url } = c.req.valid("json");
  return respondWithSettings(c, await changeUrl(c.env, toOwner(c), { url, origin: originOf(c), now: now() }));
});

const rotateRoute = createRoute({
  method: "post",
  path: "/webhooks/rotate",
  ...operation("rotateWebhookSecret", "keys"),
  request: { query: NoQuery },
  responses: { 200: SETTINGS, ...describeErrors() },
});

webhooks.openapi(rotateRoute, async (c) => respondWithSettings(c, await rotate(c.env, toOwner(c), now())));

const testRoute = createRoute({
  method: "post",
  path: "/webhooks/test",
  ...operation("testWebhook", "keys"),
  request: { query: NoQuery },
  responses: { 202: STARTED, ...describeErrors() },
});

webhooks.openapi(testRoute, async (c) => {
  const delivery = await sendTest(c.env, toOwner(c), originOf(c));
  return c.json({ success: true as const, data: toDeliveryRecord(delivery) }, 202);
});

/** Returns the owner of the webhook settings that the caller's key can use. */
export function toOwner(c: Context<AppEnv>): Owner {
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
