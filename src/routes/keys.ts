import { createRoute, z } from "@hono/zod-openapi";
import { PLAN_LIMITS } from "../accounts/plan";
import { KeyCreated, KeyList, KeyListQuery, type KeyRecord, KeyRequest } from "../contract/keys";
import { AppError } from "../errors";
import { isWithin } from "../keys/addresses";
import { type ListedKey, toLabel } from "../keys/api-key";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { newSecret, sha256Hex } from "../lib/crypto";
import { isId, newId } from "../lib/id";
import { log, toLogged } from "../lib/log";
import { getAccount } from "../store/accounts";
import { getKeyHash, insertKey, listKeys } from "../store/keys";
import { createRouter, errorResponses, requireJson } from "./http";

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
  const { caller } = c.var;
  const {
    name = null,
    mode = caller.mode,
    scopes = caller.scopes,
    allowed_ips = caller.allowedIps,
  } = c.req.valid("json");
  const missing = scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined) {
    throw new AppError("insufficient_scope", `A key can't grant the scope '${missing}', which it lacks itself.`);
  }
  if (mode === "live" && caller.mode === "test") {
    throw new AppError("insufficient_scope", "A test key can't create a live key.");
  }
  if (!isWithin(allowed_ips, caller.allowedIps)) {
    throw new AppError("ip_not_allowed", "'allowed_ips' must lie within those of the key that creates it.");
  }
  const account = await getAccount(c.env.DB, caller.accountId);
  if (account === null) throw new Error(`The account ${caller.accountId} is not there.`);
  const limit = PLAN_LIMITS[account.plan].activeKeys;
  const secret = newSecret(mode);
  const hash = await sha256Hex(secret);
  const key = await insertKey(c.env.DB, {
    id: newId(),
    accountId: account.id,
    hash,
    mode,
    name,
    ...toLabel(secret),
    scopes,
    allowedIps: allowed_ips,
    createdAt: now(),
    limit,
  });
  if (key === null) {
    throw new AppError(
      "key_limit_reached",
      `The plan '${account.plan}' allows ${limit} active keys. Revoke one first.`,
    );
  }
  // Known at its gate, it is never taken for a guess. Should the gate not learn of it now, its first use tells it.
  await tellGate(c.env, hash);
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
  const has_more = offset + page.keys.length < page.total;
  return c.json(
    {
      success: true as const,
      data: page.keys.map(toRecord),
      pagination: { total: page.total, limit, offset, has_more },
    },
    200,
  );
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
  const hash = isKeyId(id) ? await getKeyHash(c.env.DB, { id, accountId, mode: visibleMode(mode) }) : null;
  if (hash === null) throw new AppError("not_found", `There is no key '${id}'.`);
  const revoked = await c.env.KEY_GATE.getByName(hash)
    .revoke(hash, now())
    .catch(() => false);
  if (!revoked) {
    throw new AppError("unavailable", "The key could not be revoked just now.", { headers: { "Retry-After": "5" } });
  }
  return c.body(null, 204);
});

async function tellGate(env: Env, hash: string): Promise<void> {
  try {
    await env.KEY_GATE.getByName(hash).refresh(hash);
  } catch (error) {
    log("warn", "gate_unreachable", toLogged(error));
  }
}

/** A test key sees and changes test keys alone. */
function visibleMode(mode: "live" | "test"): "test" | null {
  return mode === "test" ? "test" : null;
}

/** The local start gives its two keys names for ids. */
function isKeyId(id: string): boolean {
  return isId(id) || /^local-(live|test)$/.test(id);
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
