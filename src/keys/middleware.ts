import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { now } from "../lib/clock";
import { sha256Hex } from "../lib/crypto";
import { toCallerNetwork } from "../lib/ip-ranges";
import { log, toLogged } from "../lib/log";
import { type ApiKey, parseBearer, type Scope, type Unauthorized } from "../model/api-key";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { FAILURES_PER_MINUTE, RATE_WINDOW_MS } from "../model/plan";
import { readCallerAddress } from "./caller-address";
import { checkScope, rateLimited } from "./errors";
import type { CountedAs, VerifyInput, VerifyResult } from "./key-verifier";
import type { RateDecision } from "./rate-window";

const SINGLE_JOB = /^\/v1\/jobs\/[^/]+$/;

const UNAUTHORIZED_MESSAGES = {
  invalid_api_key: "This API key is not valid.",
  revoked_api_key: "This API key was revoked.",
} as const;

/** Authenticates the caller and counts the request with one call to the key's verifier. Always sets the rate headers. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const poll = (c.req.method === "GET" || c.req.method === "HEAD") && SINGLE_JOB.test(c.req.path);
  await verifyKey(c, poll ? "poll" : "request");
  await next();
});

/**
 * Verifies the key of a request and counts the request as `countedAs`. Always sets the rate headers of the window that
 * applied. Throws AppError if the key may not be used.
 */
export async function verifyKey(c: Context<AppEnv>, countedAs: CountedAs): Promise<ApiKey> {
  const address = readCallerAddress(c.env, c.req.raw.headers);
  const reading = parseBearer(c.req.header("authorization"));
  if ("refused" in reading) {
    const rate = await c.env.RATE_LIMITER.getByName(toCallerNetwork(address)).consume(FAILURES_PER_MINUTE);
    throw unauthorized(c, reading.refused, reading.message, rate);
  }
  const hash = await sha256Hex(reading.secret);
  const result = await verify(c.env, hash, { address, countedAs });
  if (result.kind === "unavailable") {
    setRateHeaders(c, result.rate);
    throw new AppError("unavailable", "The key could not be checked just now.", { headers: { "Retry-After": "5" } });
  }
  if (result.kind === "unauthorized") {
    throw unauthorized(c, result.reason, UNAUTHORIZED_MESSAGES[result.reason], result.rate);
  }
  setRateHeaders(c, result.rate);
  // The log names the key's owner even if the request is refused.
  c.set("caller", result.key);
  if (result.kind === "verified") return result.key;
  if (result.reason === "rate_limited") {
    const { limit } = result.rate;
    throw rateLimited(result.rate, `This API key may make ${limit} requests of this kind a minute.`, now());
  }
  if (result.reason === "account_suspended") throw new AppError("account_suspended", "This account is suspended.");
  throw new AppError("ip_not_allowed", `This API key may not be used from the address ${address ?? "(unknown)"}.`);
}

/** Calls the key's verifier, and calls it once more if the object was reset, for instance by a deployment. */
async function verify(env: Env, hash: string, input: VerifyInput): Promise<VerifyResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await env.KEY_VERIFIER.getByName(hash).verify(hash, input);
    } catch (error) {
      log("warn", "key_verifier_unreachable", { attempt, ...toLogged(error) });
      if (attempt < 2) continue;
      const limit = FAILURES_PER_MINUTE;
      return { kind: "unavailable", rate: { allowed: false, limit, remaining: 0, resetAt: now() + RATE_WINDOW_MS } };
    }
  }
}

/** Refuses a key that lacks the scope. */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    checkScope(c.get("caller"), scope);
    await next();
  });
}

/** Returns the 401, or a 429 if the window of the caller's network is used up. */
function unauthorized(c: Context<AppEnv>, code: Unauthorized, message: string, rate: RateDecision): AppError {
  setRateHeaders(c, rate);
  if (!rate.allowed) return rateLimited(rate, "Too many failed authentications came from this address.", now());
  return new AppError(code, message, { headers: { "WWW-Authenticate": "Bearer" } });
}

function setRateHeaders(c: Context<AppEnv>, rate: RateDecision): void {
  c.header("X-RateLimit-Limit", String(rate.limit));
  c.header("X-RateLimit-Remaining", String(rate.remaining));
  c.header("X-RateLimit-Reset", String(Math.ceil(rate.resetAt / SECOND_MS)));
}
