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
import type { Counts, Entrance, Passage } from "./gate-protocol";
import { checkScope, rateLimited } from "./refusals";
import type { RateDecision } from "./window";

const SINGLE_JOB = /^\/v1\/jobs\/[^/]+$/;

const UNAUTHORIZED_MESSAGES = {
  invalid_api_key: "This API key is not valid.",
  revoked_api_key: "This API key was revoked.",
} as const;

/** Who asks, and may they now? One call to the key's gate; the rate headers of the window that applied, always. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const poll = (c.req.method === "GET" || c.req.method === "HEAD") && SINGLE_JOB.test(c.req.path);
  await admitKey(c, poll ? "poll" : "request");
  await next();
});

/**
 * The key that the request shows, counted as `counts` says. Sets the rate headers of the window that applied, always. Throws
 * AppError for a key that may not pass.
 */
export async function admitKey(c: Context<AppEnv>, counts: Counts): Promise<ApiKey> {
  const address = readCallerAddress(c.env, c.req.raw.headers);
  const reading = parseBearer(c.req.header("authorization"));
  if ("refused" in reading) {
    const rate = await c.env.ADDRESS_GATE.getByName(toCallerNetwork(address)).fail();
    throw unauthorized(c, reading.refused, reading.message, rate);
  }
  const hash = await sha256Hex(reading.secret);
  const passage = await enter(c.env, hash, { address, counts });
  if (passage.kind === "unavailable") {
    setRateHeaders(c, passage.rate);
    throw new AppError("unavailable", "The key could not be checked just now.", { headers: { "Retry-After": "5" } });
  }
  if (passage.kind === "unauthorized") {
    throw unauthorized(c, passage.reason, UNAUTHORIZED_MESSAGES[passage.reason], passage.rate);
  }
  setRateHeaders(c, passage.rate);
  // Of one that is refused, the log tells whose it is.
  c.set("caller", passage.key);
  if (passage.kind === "passed") return passage.key;
  if (passage.reason === "rate_limited") {
    const { limit } = passage.rate;
    throw rateLimited(passage.rate, `This API key may make ${limit} requests of this kind a minute.`, now());
  }
  if (passage.reason === "account_suspended") throw new AppError("account_suspended", "This account is suspended.");
  throw new AppError("ip_not_allowed", `This API key may not be used from the address ${address ?? "(unknown)"}.`);
}

/** Asks the key's gate, and once more when it was reset meanwhile, as by a deployment. */
async function enter(env: Env, hash: string, entrance: Entrance): Promise<Passage> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await env.KEY_GATE.getByName(hash).enter(hash, entrance);
    } catch (error) {
      log("warn", "gate_unreachable", { attempt, ...toLogged(error) });
      if (attempt < 2) continue;
      const limit = FAILURES_PER_MINUTE;
      return { kind: "unavailable", rate: { allowed: false, limit, remaining: 0, resetAt: now() + RATE_WINDOW_MS } };
    }
  }
}

/** Lets a key through that has the scope. */
export function requireScope(scope: Scope) {
  return createMiddleware<AppEnv>(async (c, next) => {
    checkScope(c.get("caller"), scope);
    await next();
  });
}

/** 401; 429 once the window of the caller's address is used up. */
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
