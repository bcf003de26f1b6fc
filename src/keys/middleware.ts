import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { sha256Hex } from "../lib/crypto";
import { getKeyByHash } from "../store/keys";
import { parseBearer, type Scope, type Unauthorized } from "./api-key";

/** Who asks: leaves the key in `c.var.caller`, or answers 401. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const reading = parseBearer(c.req.header("authorization"));
  if ("refused" in reading) throw unauthorized(reading.refused, reading.message);
  const key = await getKeyByHash(c.env.DB, await sha256Hex(reading.secret));
  if (key === null) throw unauthorized("invalid_api_key", "This API key is not valid.");
  if (key.revokedAt !== null) throw unauthorized("revoked_api_key", "This API key was revoked.");
  c.set("caller", key);
  await next();
});

/** What the key may do: 403 names the scope that it lacks. */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!c.var.caller.scopes.includes(scope)) {
      throw new AppError("insufficient_scope", `This API key lacks the scope '${scope}'.`);
    }
    await next();
  });
}

function unauthorized(code: Unauthorized, message: string) {
  return new AppError(code, message, { headers: { "WWW-Authenticate": "Bearer" } });
}
