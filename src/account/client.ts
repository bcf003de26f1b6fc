import { INVALID_API_KEY_MESSAGE } from "../keys/secret";
import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { AccountRef, LocationHint } from "../model/account";
import { AppError } from "../model/errors";
import { accountStub } from "../store/namespaces";
import type { Account } from "./object";
import type { Gone } from "./storage/types";

const RETRIES = 2;
const RETRY_DELAY_MS = 50;

type Method = (...args: never) => unknown;

/** The public methods of the Durable Object `Account`, as a Worker calls them over RPC. */
export type AccountStub = {
  [Name in keyof Account as Account[Name] extends Method ? Name : never]: Account[Name] extends Method
    ? (...args: Parameters<Account[Name]>) => Promise<Awaited<ReturnType<Account[Name]>>>
    : never;
};

/** The properties of an error that the platform throws for a call of a Durable Object. */
interface PlatformError {
  retryable?: boolean;
  overloaded?: boolean;
  durableObjectReset?: boolean;
}

export interface CallOptions {
  /** The location hint. It has an effect only on the call that creates the Durable Object. */
  location?: LocationHint | null;
  /** True to retry all errors except overloads. Use it if the outcome must be known. */
  retryAlways?: boolean;
}

/** An account's Durable Object can't be reached. It isn't the error of a job, because it says nothing about the target. */
export class AccountUnreachableError extends AppError {
  constructor(cause: unknown) {
    const message = "The account can't be reached at the moment. Try again in a few seconds.";
    super("unavailable", message, { headers: { "Retry-After": "5" }, cause });
  }
}

/**
 * Calls a method of an account's Durable Object. Retries up to twice if the error is retryable or if a deployment reset
 * the Durable Object. This is safe because every method is idempotent. Never retries if the Durable Object is
 * overloaded. Throws AccountUnreachableError if all calls fail; even then, the Durable Object may have executed the
 * method. Throws the error of an unknown API key if the account isn't open.
 */
export async function callAccount<T>(
  env: Env,
  account: AccountRef,
  call: (stub: AccountStub) => Promise<T>,
  options: CallOptions = {},
): Promise<Exclude<T, Gone>> {
  const reply = await callAccountOrGone(env, account, call, options);
  if (isGone(reply)) throw accountGone();
  return reply as Exclude<T, Gone>;
}

function isGone(reply: unknown): boolean {
  return typeof reply === "object" && reply !== null && "kind" in reply && reply.kind === "gone";
}

/** Calls a method as `callAccount` does, but returns the reply `gone`. */
export async function callAccountOrGone<T>(
  env: Env,
  account: AccountRef,
  call: (stub: AccountStub) => Promise<T>,
  { location = null, retryAlways = false }: CallOptions = {},
): Promise<T> {
  const startedAt = now();
  for (let attempt = 0; ; attempt++) {
    try {
      // After an error, a stub can't be used again, so each attempt creates a new stub.
      return await call(accountStub(env, account, location) as unknown as AccountStub);
    } catch (error) {
      const { retryable, overloaded, durableObjectReset } = error as PlatformError;
      log("warn", "account_unreachable", {
        account_id: account.id,
        attempt,
        ms: now() - startedAt,
        ...toLogged(error),
      });
      const mayRetry = (retryable === true || durableObjectReset === true || retryAlways) && overloaded !== true;
      if (!mayRetry || attempt >= RETRIES) throw new AccountUnreachableError(error);
      await sleep(RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}

/** Returns the error for a reply `gone`. An unknown API key causes the same error. */
function accountGone(): AppError {
  return new AppError("invalid_api_key", INVALID_API_KEY_MESSAGE, { headers: { "WWW-Authenticate": "Bearer" } });
}
