import { createRoute, z } from "@hono/zod-openapi";
import { callAccount } from "../account/client";
import type { KeyCredits } from "../account/storage/types";
import { NoQuery } from "../contract/common";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { headersOf } from "../contract/headers";
import {
  KeyChangeRequest,
  KeyCreated,
  KeyId,
  KeyList,
  KeyListQuery,
  type KeyRecord,
  KeyRequest,
  KeyResponse,
  KeyRotateRequest,
  RevokeQuery,
} from "../contract/keys";
import {
  describeBody,
  describeData,
  describeErrors,
  describeErrorsWithBody,
  describeOptionalBody,
  describeResponse,
} from "../contract/responses";
import { toPage } from "../http/responses";
import { createRouter, operation, operationWithBody, operationWithOptionalBody } from "../http/router";
import { revokeKey } from "../jobs/revoke-key";
import { changeKeyById, rotateKeyById } from "../keys/change";
import { createKey } from "../keys/issue";
import { now, toIso } from "../lib/clock";
import type { ListedKey } from "../model/api-key";
import { listKeys } from "../store/keys";

export const keys = createRouter();

const createKeyRoute = createRoute({
  method: "post",
  path: "/keys",
  ...operationWithBody("createKey", "keys"),
  request: { query: NoQuery, body: describeBody(KeyRequest, REQUEST_EXAMPLES.KEY_REQUESTS) },
  responses: {
    201: describeData("The key, with its secret.", KeyCreated, { ...EXAMPLES.KEY, key: EXAMPLES.EXAMPLE_SECRET }),
    ...describeErrorsWithBody({
      403: ["insufficient_scope", "ip_not_allowed", "account_suspended", "email_not_verified"],
      409: ["key_limit_reached"],
    }),
  },
});

keys.openapi(createKeyRoute, async (c) => {
  const { caller } = c.var;
  // Reads the credits first. After the key was created, an error would lose the secret.
  const credits = await callAccount(c.env, caller.account, (stub) => stub.keyCredits());
  const { key, secret } = await createKey(c.env, caller, c.req.valid("json"), now());
  return c.json({ success: true as const, data: { ...toKeyRecord(key, credits), key: secret } }, 201);
});

const listKeysRoute = createRoute({
  method: "get",
  path: "/keys",
  ...operation("listKeys", "keys"),
  request: { query: KeyListQuery },
  responses: {
    200: describeResponse("A page of keys.", KeyList, {
      example: { success: true, data: [EXAMPLES.KEY], pagination: EXAMPLES.PAGINATION },
    }),
    ...describeErrors(),
  },
});

keys.openapi(listKeysRoute, async (c) => {
  const { limit, offset } = c.req.valid("query");
  const { account, mode } = c.var.caller;
  const filter = { accountId: account.id, mode: visibleMode(mode), now: now(), limit, offset };
  const [page, credits] = await Promise.all([
    listKeys(c.env.DB, filter),
    callAccount(c.env, account, (stub) => stub.keyCredits()),
  ]);
  const records = page.keys.map((key) => toKeyRecord(key, credits));
  return c.json(toPage(records, { total: page.total, limit, offset }), 200);
});

const changeKeyRoute = createRoute({
  method: "patch",
  path: "/keys/{id}",
  ...operationWithBody("changeKey", "keys"),
  request: {
    params: z.object({ id: KeyId }),
    query: NoQuery,
    body: describeBody(KeyChangeRequest, REQUEST_EXAMPLES.KEY_CHANGES),
  },
  responses: {
    200: describeData("The changed key.", KeyResponse, EXAMPLES.KEY),
    ...describeErrorsWithBody({
      403: ["insufficient_scope", "ip_not_allowed", "account_suspended"],
      404: ["not_found"],
    }),
  },
});

keys.openapi(changeKeyRoute, async (c) => {
  const { caller } = c.var;
  const credits = await callAccount(c.env, caller.account, (stub) => stub.keyCredits());
  const target = { caller, id: c.req.valid("param").id, mode: visibleMode(caller.mode) };
  const key = await changeKeyById(c.env, target, c.req.valid("json"), now());
  return c.json({ success: true as const, data: toKeyRecord(key, credits) }, 200);
});

const rotateKeyRoute = createRoute({
  method: "post",
  path: "/keys/{id}/rotate",
  ...operationWithOptionalBody("rotateKey", "keys"),
  request: {
    params: z.object({ id: KeyId }),
    query: NoQuery,
    body: describeOptionalBody(KeyRotateRequest, REQUEST_EXAMPLES.KEY_ROTATIONS),
  },
  responses: {
    200: describeData("The key, with its new secret.", KeyCreated, { ...EXAMPLES.KEY, key: EXAMPLES.EXAMPLE_SECRET }),
    ...describeErrorsWithBody({
      403: ["insufficient_scope", "ip_not_allowed", "account_suspended"],
      404: ["not_found"],
    }),
  },
});

keys.openapi(rotateKeyRoute, async (c) => {
  const { caller } = c.var;
  const credits = await callAccount(c.env, caller.account, (stub) => stub.keyCredits());
  const target = { caller, id: c.req.valid("param").id, mode: visibleMode(caller.mode) };
  const { key, secret } = await rotateKeyById(c.env, target, c.req.valid("json").grace_period_s, now());
  return c.json({ success: true as const, data: { ...toKeyRecord(key, credits), key: secret } }, 200);
});

const deleteKeyRoute = createRoute({
  method: "delete",
  path: "/keys/{id}",
  ...operation("deleteKey", "keys"),
  request: { params: z.object({ id: KeyId }), query: RevokeQuery },
  responses: {
    204: { description: "The key is revoked.", headers: headersOf("X-Cancelled-Jobs") },
    ...describeErrors({ 404: ["not_found"] }),
  },
});

keys.openapi(deleteKeyRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { account, mode } = c.var.caller;
  const keepsJobs = c.req.valid("query").keep_jobs === "true";
  const cancelled = await revokeKey(c.env, account, { id, mode: visibleMode(mode), keepsJobs });
  c.header("X-Cancelled-Jobs", String(cancelled));
  return c.body(null, 204);
});

/** Returns the mode of the keys that the caller can list and revoke, or null for both modes. */
function visibleMode(mode: "live" | "test"): "test" | null {
  return mode === "test" ? "test" : null;
}

/** Returns a key as the API describes it. */
export function toKeyRecord(key: ListedKey, { period, used }: KeyCredits): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    prefix: key.prefix,
    last4: key.last4,
    scopes: key.scopes,
    allowed_ips: key.allowedIps,
    created_at: toIso(key.createdAt),
    last_used_at: toIsoOrNull(key.lastUsedAt),
    revoked_at: toIsoOrNull(key.revokedAt),
    expires_at: toIsoOrNull(key.expiresAt),
    previous_secret_expires_at: toIsoOrNull(key.previousExpiresAt),
    credit_limit: key.creditLimit,
    credits_used: used[key.id] ?? 0,
    credits_reset_at: toIso(period.end),
  };
}

function toIsoOrNull(at: number | null): string | null {
  return at === null ? null : toIso(at);
}
