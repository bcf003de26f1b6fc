import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { callAccount } from "../account/client";
import { NoQuery, PAGE } from "../contract/common";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { headersOf } from "../contract/headers";
import { describeBody, describeErrors, describeErrorsWithBody, describeResponse } from "../contract/responses";
import {
  WebhookEndpointChange,
  WebhookEndpointId,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookEndpointResponse,
} from "../contract/webhook-endpoints";
import { toPage } from "../http/responses";
import { createRouter, operation, operationWithBody, originOf } from "../http/router";
import { now } from "../lib/clock";
import type { AppEnv } from "../model/env";
import { sendTest, toDeliveryRecord } from "../webhooks/deliveries";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  openEndpoint,
  rotateEndpoint,
  toEndpointRecord,
  toSecretEndpointRecord,
} from "../webhooks/endpoints";
import type { WebhookConfig } from "../webhooks/settings";
import { STARTED, toOwner } from "./webhooks";

export const webhookEndpoints = createRouter();

const params = z.object({ id: WebhookEndpointId });
const example = { success: true as const, data: EXAMPLES.SECRET_WEBHOOK_ENDPOINT };
const ENDPOINT = describeResponse("The endpoint, with its signing secret.", WebhookEndpointResponse, { example });

const listRoute = createRoute({
  method: "get",
  path: "/webhooks/endpoints",
  ...operation("listWebhookEndpoints", "keys"),
  request: { query: z.strictObject(PAGE) },
  responses: {
    200: describeResponse("A page of endpoints.", WebhookEndpointList, {
      example: { success: true, data: [EXAMPLES.WEBHOOK_ENDPOINT], pagination: EXAMPLES.PAGINATION },
    }),
    ...describeErrors(),
  },
});

webhookEndpoints.openapi(listRoute, async (c) => {
  const { limit, offset } = c.req.valid("query");
  const { account, mode } = c.var.caller;
  const listed = await callAccount(c.env, account, (stub) => stub.listEndpoints(mode));
  const endpoints = listed.map(toEndpointRecord);
  return c.json(toPage(endpoints.slice(offset, offset + limit), { total: endpoints.length, limit, offset }), 200);
});

const createEndpointRoute = createRoute({
  method: "post",
  path: "/webhooks/endpoints",
  ...operationWithBody("createWebhookEndpoint", "keys"),
  request: { query: NoQuery, body: describeBody(WebhookEndpointRequest, REQUEST_EXAMPLES.ENDPOINT_REQUESTS) },
  responses: { 201: ENDPOINT, ...describeErrorsWithBody() },
});

webhookEndpoints.openapi(createEndpointRoute, async (c) => {
  const { url, events = null } = c.req.valid("json");
  const endpoint = await createEndpoint(c.env, toOwner(c), { url, events, origin: originOf(c), now: now() });
  return c.json(toResponse(c, endpoint), 201);
});

const getRoute = createRoute({
  method: "get",
  path: "/webhooks/endpoints/{id}",
  ...operation("getWebhookEndpoint", "keys"),
  request: { params, query: NoQuery },
  responses: { 200: ENDPOINT, ...describeErrors({ 404: ["not_found"] }) },
});

webhookEndpoints.openapi(getRoute, async (c) => {
  const endpoint = await openEndpoint(c.env, toOwner(c), c.req.valid("param").id, now());
  return c.json(toResponse(c, endpoint), 200);
});

const changeRoute = createRoute({
  method: "patch",
  path: "/webhooks/endpoints/{id}",
  ...operationWithBody("changeWebhookEndpoint", "keys"),
  request: { params, query: NoQuery, body: describeBody(WebhookEndpointChange, REQUEST_EXAMPLES.ENDPOINT_CHANGES) },
  responses: {
    200: ENDPOINT,
    ...describeErrorsWithBody({ 404: ["not_found"] }),
  },
});

webhookEndpoints.openapi(changeRoute, async (c) => {
  const { id } = c.req.valid("param");
  await changeEndpoint(c.env, toOwner(c), id, { ...c.req.valid("json"), origin: originOf(c) });
  return c.json(toResponse(c, await openEndpoint(c.env, toOwner(c), id, now())), 200);
});

const deleteRoute = createRoute({
  method: "delete",
  path: "/webhooks/endpoints/{id}",
  ...operation("deleteWebhookEndpoint", "keys"),
  request: { params, query: NoQuery },
  responses: {
    204: { description: "The endpoint is deleted.", headers: headersOf() },
    ...describeErrors({ 404: ["not_found"] }),
  },
});

webhookEndpoints.openapi(deleteRoute, async (c) => {
  await deleteEndpoint(c.env, toOwner(c), c.req.valid("param").id);
  return c.body(null, 204);
});

const rotateRoute = createRoute({
  method: "post",
  path: "/webhooks/endpoints/{id}/rotate",
  ...operation("rotateWebhookEndpointSecret", "keys"),
  request: { params, query: NoQuery },
  responses: { 200: ENDPOINT, ...describeErrors({ 404: ["not_found"] }) },
});

webhookEndpoints.openapi(rotateRoute, async (c) => {
  const endpoint = await rotateEndpoint(c.env, toOwner(c), c.req.valid("param").id, now());
  return c.json(toResponse(c, endpoint), 200);
});

const testRoute = createRoute({
  method: "post",
  path: "/webhooks/endpoints/{id}/test",
  ...operation("testWebhookEndpoint", "keys"),
  request: { params, query: NoQuery },
  responses: { 202: STARTED, ...describeErrors({ 404: ["not_found"] }) },
});

webhookEndpoints.openapi(testRoute, async (c) => {
  const owner = { ...toOwner(c), endpointId: c.req.valid("param").id };
  const delivery = await sendTest(c.env, owner, originOf(c));
  return c.json({ success: true as const, data: toDeliveryRecord(delivery) }, 202);
});

/** Returns the response with an endpoint. It contains the secret, so it must not be cached. */
function toResponse(c: Context<AppEnv>, endpoint: WebhookConfig) {
  c.header("Cache-Control", "no-store");
  return { success: true as const, data: toSecretEndpointRecord(endpoint) };
}
