import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { AccountRef, Location } from "../model/account";
import { AppError } from "../model/errors";
import { accountStub } from "../store/account-stub";
import type { Account } from "./object";

const RETRIES = 2;
const RETRY_DELAY_MS = 50;

type Method = (...args: never) => unknown;

/** The object's methods as they are called over RPC, which only passes plain values. */
export type AccountStub = {
  [Name in keyof Account as Account[Name] extends Method ? Name : never]: Account[Name] extends Method
    ? (...args: Parameters<Account[Name]>) => Promise<Awaited<ReturnType<Account[Name]>>>
    : never;
};

export interface CallOptions {
  /** Counts only for the first call of an object. */
  location?: Location | null;
  /** Repeats the call after every error except an overload, for a method whose outcome the caller must know. */
  repeatAlways?: boolean;
}

/**
 * Calls an account's object. Every method is idempotent, so a call is repeated up to twice if the error says that it may be,
 * as when the object restarts. Throws AppError `unavailable` if the object can't be reached. The call may have been carried
 * out even then. An overloaded object isn't called again.
 */
export async function callAccount<T>(
  env: Env,
  account: AccountRef,
  call: (stub: AccountStub) => Promise<T>,
  { location = null, repeatAlways = false }: CallOptions = {},
): Promise<T> {
  const startedAt = now();
  for (let attempt = 0; ; attempt++) {
    try {
      // A stub that has thrown is broken.
      return await call(accountStub(env, account, location) as unknown as AccountStub);
    } catch (error) {
      const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
      log("warn", "account_unreachable", {
        account_id: account.id,
        attempt,
        ms: now() - startedAt,
        ...toLogged(error),
      });
      const mayRepeat = (retryable === true || repeatAlways) && overloaded !== true;
      if (!mayRepeat || attempt >= RETRIES) throw unavailable(error);
      await sleep(RETRY_DELAY_MS * 2 ** attempt);
    }
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError("unavailable", "The account can't be reached at the moment. Try again in a few seconds.", {
    headers: { "Retry-After": "5" },
    cause,
  });
}

/** Returns the error for an account without an object: the same as for an unknown key. */
export function accountGone(): AppError {
  return new AppError("invalid_api_key", "This API key is not valid.", { headers: { "WWW-Authenticate": "Bearer" } });
}
