import type { ApiKey, Scope } from "../model/api-key";
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
