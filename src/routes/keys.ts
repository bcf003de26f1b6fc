import { createRoute, z } from "@hono/zod-openapi";
import { KeyCreated, KeyList, KeyListQuery, type KeyRecord, KeyRequest } from "../contract/keys";
import type { ListedKey } from "../keys/api-key";
import { createKey, revokeKeyById } from "../keys/issue";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { listKeys } from "../store/keys";
import { createRouter, errorResponses, requireJson } from "./http";
import { toPage } from "./page";

export const keys = createRouter();

const createKeyRoute = createRoute({
  method: "post",
  path: "/keys",
  operationId: "createKey",
  summary: "Create an API key",
  tags: ["Keys"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys"), requireJson] as const,
  request: { body: { required: true, content: { "application/json": { schema: KeyRequest } } } },
  responses: {
    201: { description: "The key, with its secret", content: { "application/json": { schema: KeyCreated } } },
    ...errorResponses(
      "invalid_request",
      "invalid_json",
      "missing_api_key",
      "insufficient_scope",
      "key_limit_reached",
      "rate_limited",
    ),
  },
});

keys.openapi(createKeyRoute, async (c) => {
  const { key, secret } = await createKey(c.env, c.var.caller, c.req.valid("json"), now());
  return c.json({ success: true as const, data: { ...toRecord(key), key: secret } }, 201);
});

const listKeysRoute = createRoute({
  method: "get",
  path: "/keys",
  operationId: "listKeys",
  summary: "List API keys, newest first",
  tags: ["Keys"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys")] as const,
  request: { query: KeyListQuery },
  responses: {
    200: { description: "A page of keys", content: { "application/json": { schema: KeyList } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope", "rate_limited"),
  },
});

keys.openapi(listKeysRoute, async (c) => {
  const { limit, offset } = c.req.valid("query");
  const { accountId } = c.var.caller;
  const page = await listKeys(c.env.DB, { accountId, mode: visibleMode(c.var.caller.mode), now: now(), limit, offset });
  return c.json(toPage(page.keys.map(toRecord), { total: page.total, limit, offset }), 200);
});

const deleteKeyRoute = createRoute({
  method: "delete",
  path: "/keys/{id}",
  operationId: "deleteKey",
  summary: "Revoke an API key",
  tags: ["Keys"],
  security: [{ bearer: [] }],
  middleware: [requireScope("keys")] as const,
  request: { params: z.object({ id: z.string() }) },
  responses: {
    204: { description: "The key is revoked, from the next request on" },
    ...errorResponses("missing_api_key", "insufficient_scope", "not_found", "rate_limited", "unavailable"),
  },
});

keys.openapi(deleteKeyRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { accountId, mode } = c.var.caller;
  await revokeKeyById(c.env, { id, accountId, mode: visibleMode(mode) }, now());
  return c.body(null, 204);
});

/** A test key sees and changes test keys alone. */
function visibleMode(mode: "live" | "test"): "test" | null {
  return mode === "test" ? "test" : null;
}

function toRecord(key: ListedKey): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    last4: key.last4,
    scopes: key.scopes,
    allowed_ips: key.allowedIps,
    created_at: toIso(key.createdAt),
    last_used_at: key.lastUsedAt === null ? null : toIso(key.lastUsedAt),
    revoked_at: key.revokedAt === null ? null : toIso(key.revokedAt),
  };
}
