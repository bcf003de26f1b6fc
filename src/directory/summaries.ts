import { log, toLogged } from "../lib/log";
import { MINUTE_MS } from "../model/limits";
import type { SummaryMessage } from "../model/summary";
import { accountStub } from "../store/account-stub";
import { putSummaries, takeOverdueAccounts } from "../store/account-summaries";
import { touchKeys } from "../store/keys";

/** An object that is so late has lost its alarm. */
const OVERDUE_MS = 5 * MINUTE_MS;
const BATCH = 200;

/** Writes a batch of the queue `summaries` to D1: one statement for the accounts and one for the keys. */
export async function consumeSummaries({ messages }: MessageBatch<SummaryMessage>, env: Env): Promise<void> {
  const bodies = messages.map(({ body }) => body);
  const summaries = bodies.filter((body) => body.kind === "account");
  const uses = bodies.filter((body) => body.kind === "key_used");
  if (summaries.length > 0) await putSummaries(env.DB, summaries);
  if (uses.length > 0) await touchKeys(env.DB, uses);
}

/**
 * Wakes up to 200 accounts whose alarm should have fired five minutes ago. Starting an object sets its lost alarm. Returns
 * their number.
 */
export async function wakeOverdueAccounts(env: Env, now: number): Promise<number> {
  const accounts = await takeOverdueAccounts(env.DB, { before: now - OVERDUE_MS, now, limit: BATCH });
  const woken = await Promise.all(
    accounts.map(async (account) => {
      try {
        await accountStub(env, account).wake();
        return true;
      } catch (error) {
        log("warn", "account_unreachable", { account_id: account.id, ...toLogged(error) });
        return false;
      }
    }),
  );
  return woken.filter(Boolean).length;
}
