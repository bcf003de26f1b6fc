import type { ApiKey, Scope } from "../model/api-key";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import type { RateDecision } from "./window";

/** What the key may do: throws a 403 that names the scope which it lacks. */
export function checkScope({ scopes }: Pick<ApiKey, "scopes">, scope: Scope): void {
  if (!scopes.includes(scope)) throw new AppError("insufficient_scope", `This API key lacks the scope '${scope}'.`);
}

/** The 429 of a window that is used up. `cause` says in a sentence which one it is. */
export function rateLimited(rate: RateDecision, cause: string, now: number): AppError {
  const seconds = Math.max(1, Math.ceil((rate.resetAt - now) / SECOND_MS));
  return new AppError("rate_limited", `${cause} Try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
