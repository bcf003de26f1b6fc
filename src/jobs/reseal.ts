import { callAccount, callAccountOrGone } from "../account/client";
import { SEALED_START, type SealedPosition, type SealedValue } from "../account/lifecycle/sealed-values";
import { log, toLogged } from "../lib/log";
import type { AccountRef } from "../model/account";
import { resealWebhookSecret } from "../webhooks/settings";
import { resealSecrets } from "./secrets";

/** The result for one account. */
interface Resealed {
  /** The number of values that were encrypted again. */
  resealed: number;
  /** The number of values that neither ENCRYPTION_KEY nor ENCRYPTION_KEY_PREVIOUS decrypts. */
  unreadable: number;
}

/**
 * Encrypts all secrets of an account with the current ENCRYPTION_KEY. The call can be repeated at any time, because
 * values that are already encrypted with the current key don't change. Returns null if the account isn't open, for
 * example while it is restored. Throws AppError `unavailable` if the account can't be reached.
 */
export async function resealAccount(env: Env, account: AccountRef): Promise<Resealed | null> {
  const done: Resealed = { resealed: 0, unreadable: 0 };
  for (let position: SealedPosition | null = SEALED_START; position !== null; ) {
    const at: SealedPosition = position;
    const page = await callAccountOrGone(env, account, (stub) => stub.sealedValues(at));
    if ("kind" in page) return null;
    const changes: { value: SealedValue; sealed: string }[] = [];
    for (const value of page.values) {
      const sealed = await resealValue(env, account, value).catch((error: unknown) => {
        log("error", "secret_not_opened", { account_id: account.id, mode: value.mode, ...toLogged(error) });
        done.unreadable++;
        return null;
      });
      if (sealed !== null) changes.push({ value, sealed });
    }
    if (changes.length > 0) {
      done.resealed += await callAccount(env, account, (stub) => stub.replaceSealedValues(changes));
    }
    position = page.next;
  }
  return done;
}

async function resealValue(env: Env, account: AccountRef, value: SealedValue): Promise<string | null> {
  const { kind, mode, owner, sealed } = value;
  return kind === "webhook"
    ? await resealWebhookSecret(env, { account, mode, endpointId: owner }, sealed)
    : await resealSecrets(env, { mode, id: owner }, sealed);
}
