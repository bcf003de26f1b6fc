import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { now, toIso } from "../lib/clock";
import { sha256Hex } from "../lib/crypto";
import { toCallerNetwork } from "../lib/ip-ranges";
import { log, toLogged } from "../lib/log";
import { ACCOUNT_SUSPENDED_MESSAGE } from "../model/account";
import type { ApiKey, Scope } from "../model/api-key";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { FAILURES_PER_MINUTE, PAGES_PER_REQUEST, RATE_WINDOW_MS } from "../model/plan";
import { prepareDenied } from "../net/denied";
import { keyVerifier, rateLimiter } from "../store/namespaces";
import { insufficientScope, rateLimited, readCallerAddress, tagRequestId } from "./errors";
import type { CountedAs, VerifyInput, VerifyResult } from "./key-verifier";
import type { RateDecision } from "./rate-window";
import { INVALID_API_KEY_MESSAGE, parseBearer, type Unauthorized } from "./secret";

/** The paths that callers poll: a job, a batch and a crawl. */
const POLLED = /^\/v1\/(?:jobs|batch|crawl)\/[^/]+$/;

const UNAUTHORIZED_MESSAGES = {
  invalid_api_key: INVALID_API_KEY_MESSAGE,
  revoked_api_key: "This API key was revoked. Use another key.",
} as const;

/** Authenticates the caller and counts the request. Sets the rate headers even if it throws. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const poll = (c.req.method === "GET" || c.req.method === "HEAD") && POLLED.test(c.req.path);
  await verifyKey(c, poll ? "poll" : "request");
  await next();
});

/**
 * Verifies the request's key with one call to its `KeyVerifier`, which also counts the request as `countedAs`. Sets the
 * rate headers of the window that applied, even if it throws. Throws AppError if the key can't be used. Loads the deny
 * lists at the same time, which the checks of URLs use.
 */
export async function verifyKey(c: Context<AppEnv>, countedAs: CountedAs): Promise<ApiKey> {
  const address = readCallerAddress(c.env, c.req.raw.headers);
  const reading = parseBearer(c.req.header("authorization"));
  if ("refused" in reading) {
    const rate = await rateLimiter(c.env, toCallerNetwork(address)).consume(FAILURES_PER_MINUTE);
    const elsewhere = reading.refused === "missing_api_key" ? describeMisplacedKey(c.req) : "";
    throw unauthorized(c, reading.refused, `${reading.message}${elsewhere}`, rate);
  }
  const hash = await sha256Hex(reading.secret);
  const hasUrls = countedAs === "request" && c.req.method !== "GET";
  const lists = hasUrls ? prepareDenied(c.env, (promise) => c.executionCtx.waitUntil(promise)) : null;
  const result = await verify(c.env, hash, { address, countedAs });
  if (result.kind === "unavailable") {
    setRateHeaders(c, result.rate);
    throw new AppError("unavailable", "The API key can't be verified at the moment. Try again in 5 seconds.", {
      headers: { "Retry-After": "5" },
    });
  }
  if (result.kind === "unauthorized") {
    throw unauthorized(c, result.reason, UNAUTHORIZED_MESSAGES[result.reason], result.rate);
  }
  if (result.kind === "expired") {
    const message = `This API key expired at ${toIso(result.expiredAt)}. Use another key.`;
    throw unauthorized(c, "expired_api_key", message, result.rate);
  }
  setRateHeaders(c, result.rate);
  // Sets the caller before the checks below, so that the log names the key's owner even if the request is refused.
  c.set("caller", result.key);
  tagRequestId(c, result.key.account);
  if (result.kind === "verified") {
    await lists;
    return result.key;
  }
  if (result.reason === "rate_limited") {
    const { limit } = result.rate;
    const requests = countedAs === "poll" ? "requests for single jobs, batches and crawls" : "requests";
    throw rateLimited(result.rate, `This API key is limited to ${limit} ${requests} per minute.`, now());
  }
  if (result.reason === "account_suspended") {
    throw new AppError("account_suspended", ACCOUNT_SUSPENDED_MESSAGE);
  }
  throw new AppError(
    "ip_not_allowed",
    `The IP address ${address ?? "(unknown)"} isn't one of this API key's allowed IPs. Create a key that allows it.`,
  );
}

/**
 * Counts a verified request for a batch again: 1 more for each full `PAGES_PER_REQUEST` pages. Sets the rate headers.
 * Throws AppError `rate_limited` if the rate window has no room for it.
 */
export async function countPages(c: Context<AppEnv>, pages: number): Promise<void> {
  const amount = Math.floor(pages / PAGES_PER_REQUEST);
  const reading = parseBearer(c.req.header("authorization"));
  if (amount === 0 || "refused" in reading) return;
  const rate = await countMore(c.env, await sha256Hex(reading.secret), amount);
  if (rate === null) return;
  setRateHeaders(c, rate);
  if (rate.allowed) return;
  const cause = `This API key is limited to ${rate.limit} requests per minute. A batch of ${pages} pages counts as ${amount + 1} requests.`;
  throw rateLimited(rate, cause, now());
}

/** Returns null if the verifier can't be reached. The request was verified before, and a lost count is harmless. */
async function countMore(env: Env, hash: string, amount: number): Promise<RateDecision | null> {
  try {
    return await keyVerifier(env, hash).countMore(amount);
  } catch (error) {
    log("warn", "key_verifier_unreachable", toLogged(error));
    return null;
  }
}

/** The headers and query parameters in which other services take an API key. */
const OTHER_HEADERS = ["x-api-key", "api-key", "apikey", "x-auth-token", "x-access-token", "x-rapidapi-key"];
const OTHER_PARAMETERS = ["api_key", "apikey", "apiKey", "key", "token", "access_token"];

/** Returns a sentence about an API key in another place than the Authorization header, or an empty string. */
function describeMisplacedKey(request: Context<AppEnv>["req"]): string {
  const header = OTHER_HEADERS.find((name) => request.header(name) !== undefined);
  if (header !== undefined) return ` A key in the header '${header}' is not accepted.`;
  const parameter = OTHER_PARAMETERS.find((name) => request.query(name) !== undefined);
  return parameter === undefined
    ? ""
    : ` A key in the URL ('${parameter}') is not accepted, because logs contain URLs.`;
}

/** Calls the key's verifier. Retries once, because a deployment can reset the object during the call. */
async function verify(env: Env, hash: string, input: VerifyInput): Promise<VerifyResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await keyVerifier(env, hash).verify(hash, input);
    } catch (error) {
      log("warn", "key_verifier_unreachable", { attempt, ...toLogged(error) });
      if (attempt < 2) continue;
      const limit = FAILURES_PER_MINUTE;
      return { kind: "unavailable", rate: { allowed: false, limit, remaining: 0, resetAt: now() + RATE_WINDOW_MS } };
    }
  }
}

/** Returns the middleware that refuses keys without any of the scopes. */
export function requireScope(scopes: readonly Scope[]) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const { scopes: own } = c.get("caller");
    if (!scopes.some((scope) => own.includes(scope))) throw insufficientScope(scopes);
    await next();
  });
}

/** Returns the 401 error, or the 429 error if the rate window of the caller's network is exhausted. */
function unauthorized(c: Context<AppEnv>, code: Unauthorized, message: string, rate: RateDecision): AppError {
  setRateHeaders(c, rate);
  if (!rate.allowed)
    return rateLimited(rate, "There were too many failed authentications from this IP address.", now());
  return new AppError(code, message, { headers: { "WWW-Authenticate": "Bearer" } });
}

function setRateHeaders(c: Context<AppEnv>, rate: RateDecision): void {
  c.set("rate", rate);
  c.header("X-RateLimit-Limit", String(rate.limit));
  c.header("X-RateLimit-Remaining", String(rate.remaining));
  c.header("X-RateLimit-Reset", String(Math.ceil(rate.resetAt / SECOND_MS)));
}
