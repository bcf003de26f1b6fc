import type { Context } from "hono";
import { withTag } from "../lib/id";
import { addToLogs } from "../lib/log";
import type { AccountRef } from "../model/account";
import type { ApiKey, Scope } from "../model/api-key";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import type { RateDecision } from "./rate-window";

/** Throws AppError `insufficient_scope` if the key doesn't have the scope. */
export function checkScope({ scopes }: Pick<ApiKey, "scopes">, scope: Scope): void {
  if (!scopes.includes(scope)) throw insufficientScope([scope]);
}

/** Returns the error for a key that has none of these scopes. The operation requires at least one of them. */
export function insufficientScope(scopes: readonly Scope[]): AppError {
  const named = scopes.map((scope) => `'${scope}'`).join(" or ");
  return new AppError(
    "insufficient_scope",
    `This API key doesn't have the scope ${named}. Use a key that has this scope.`,
  );
}

/** Returns the 429 error for an exhausted rate window. `cause` is a sentence that describes the limit. */
export function rateLimited(rate: RateDecision, cause: string, now: number): AppError {
  const seconds = Math.max(1, Math.ceil((rate.resetAt - now) / SECOND_MS));
  return new AppError("rate_limited", `${cause} Try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

/**
 * Returns the caller's IP address, or null if it isn't known. Cloudflare sets CF-Connecting-IP on each request. In the
 * local runtime, a caller could set this header, so the variable CALLER_ADDRESS sets one address for all callers. If
 * CALLER_ADDRESS is `unknown`, returns null. A key with a list of allowed IPs refuses an unknown address.
 */
export function readCallerAddress(env: Pick<Env, "CALLER_ADDRESS">, headers: Headers): string | null {
  const fixed = env.CALLER_ADDRESS;
  if (fixed !== "") return fixed === "unknown" ? null : fixed;
  return headers.get("cf-connecting-ip");
}

/** Returns true if all callers have the same address, because CALLER_ADDRESS is set. */
export function hasSharedAddress(env: Pick<Env, "CALLER_ADDRESS">): boolean {
  return env.CALLER_ADDRESS !== "";
}

/**
 * Replaces the end of the request's id with the account's tag, as soon as the account is known. An operator can
 * therefore find the account of a request from its id, without an index of all requests. Changes the response header
 * and all following log lines. The beginning of the id stays the same.
 */
export function tagRequestId<E extends AppEnv>(c: Context<E>, { tag }: Pick<AccountRef, "tag">): void {
  const id = withTag(c.get("requestId"), tag);
  c.set("requestId", id);
  c.header("X-Request-Id", id);
  addToLogs({ request_id: id });
}
