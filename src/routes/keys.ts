import { createRoute, z } from "@hono/zod-openapi";
import { NoQuery } from "../contract/common";
import { EXAMPLE_SECRET, KEY, PAGINATION } from "../contract/examples";
import { headersOf } from "../contract/headers";
import { KeyCreated, KeyId, KeyList, KeyListQuery, type KeyRecord, KeyRequest } from "../contract/keys";
import { KEY_REQUESTS } from "../contract/request-examples";
import { describeErrors, describeResponse } from "../contract/responses";
import { toPage } from "../http/responses";
import { createRouter, guard, guardWithBody } from "../http/router";
import { createKey, revokeKeyById } from "../keys/issue";
import { now, toIso } from "../lib/clock";
import type { ListedKey } from "../model/api-key";
import { listKeys } from "../store/keys";

export const keys = createRouter();

const createKeyRoute = createRoute({
  method: "post",
  path: "/keys",
  operationId: "createKey",
  summary: "Create an API key",
  description:
    "Returns the secret, which is shown only once. The new key can't have more permissions than the key that creates it. Its scopes and `allowed_ips` must be within those of the creating key, and a test key can't create a live key.",
  tags: ["Keys"],
  ...guardWithBody("keys"),
  request: {
    query: NoQuery,
    body: { required: true, content: { "application/json": { schema: KeyRequest, examples: KEY_REQUESTS } } },
  },
  responses: {
    201: describeResponse("The key, with its secret.", KeyCreated, {
      example: { success: true, data: { ...KEY, key: EXAMPLE_SECRET } },
    }),
    ...describeErrors(
      {
        400: ["invalid_request", "invalid_json"],
        403: ["insufficient_scope", "ip_not_allowed", "account_suspended", "email_not_verified"],
        409: ["key_limit_reached"],
      },
      { body: true },
    ),
  },
});

keys.openapi(createKeyRoute, async (c) => {
  const { key, secret } = await createKey(c.env, c.var.caller, c.req.valid("json"), now());
  return c.json({ success: true as const, data: { ...toKeyRecord(key), key: secret } }, 201);
});

const listKeysRoute = createRoute({
  method: "get",
  path: "/keys",
  operationId: "listKeys",
  summary: "List API keys, newest first",
  description:
    "Lists keys without their secrets. Revoked keys are listed for 30 days. A test key lists only test keys.",
  tags: ["Keys"],
  ...guard("keys"),
  request: { query: KeyListQuery },
  responses: {
    200: describeResponse("A page of keys.", KeyList, {
      example: { success: true, data: [KEY], pagination: PAGINATION },
    }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

keys.openapi(listKeysRoute, async (c) => {
  const { limit, offset } = c.req.valid("query");
  const { account, mode } = c.var.caller;
  const filter = { accountId: account.id, mode: visibleMode(mode), now: now(), limit, offset };
  const page = await listKeys(c.env.DB, filter);
  return c.json(toPage(page.keys.map(toKeyRecord), { total: page.total, limit, offset }), 200);
});

const deleteKeyRoute = createRoute({
  method: "delete",
  path: "/keys/{id}",
  operationId: "deleteKey",
  summary: "Revoke an API key",
  description: "The key's next request is refused. Revoking a revoked key has no effect. A key can revoke itself.",
  tags: ["Keys"],
  ...guard("keys"),
  request: { params: z.object({ id: KeyId }), query: NoQuery },
  responses: {
    204: { description: "The key is revoked.", headers: headersOf() },
    ...describeErrors({ 400: ["invalid_request"], 404: ["not_found"] }),
  },
});

keys.openapi(deleteKeyRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { account, mode } = c.var.caller;
  await revokeKeyById(c.env, { id, accountId: account.id, mode: visibleMode(mode) }, now());
  return c.body(null, 204);
});

/**
 * Returns the mode of the keys that the caller can list and revoke. Returns null if the caller can use the keys of both
 * modes.
 */
function visibleMode(mode: "live" | "test"): "test" | null {
  return mode === "test" ? "test" : null;
}

/** Returns a key as the API describes it. */
export function toKeyRecord(key: ListedKey): KeyRecord {
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
