import type { ApiKey, Scope } from "../model/api-key";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import type { RateDecision } from "./rate-window";

/** Throws a 403 that names the missing scope. */
export function checkScope({ scopes }: Pick<ApiKey, "scopes">, scope: Scope): void {
  if (!scopes.includes(scope)) throw new AppError("insufficient_scope", `This API key lacks the scope '${scope}'.`);
}

/** Returns the 429 of an exhausted window. `cause` is a sentence that names the window. */
export function rateLimited(rate: RateDecision, cause: string, now: number): AppError {
  const seconds = Math.max(1, Math.ceil((rate.resetAt - now) / SECOND_MS));
  return new AppError("rate_limited", `${cause} Try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
