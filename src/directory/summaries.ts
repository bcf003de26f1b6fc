import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import type { AccountRef } from "../model/account";
import { MINUTE_MS } from "../model/limits";
import type { SummaryMessage } from "../model/summary";
import { putPeriods } from "../store/account-periods";
import { listRecentAccounts, putSummaries, takeOverdueAccounts } from "../store/account-summaries";
import { setLastUsed } from "../store/keys";
import { accountStub } from "../store/namespaces";

/** If an alarm is this late, the Durable Object has lost it. */
const OVERDUE_MS = 5 * MINUTE_MS;
const BATCH = 200;

/** Writes a batch of summaries to D1, with one statement for all accounts and one for all keys. */
export async function consumeSummaries(messages: readonly Message<SummaryMessage>[], env: Env): Promise<void> {
  const bodies = messages.map(({ body }) => body);
  const summaries = bodies.filter((body) => body.kind === "account");
  const uses = bodies.filter((body) => body.kind === "key_used");
  if (summaries.length > 0) await putSummaries(env.DB, summaries);
  if (summaries.length > 0) await putPeriods(env.DB, summaries, now());
  if (uses.length > 0) await setLastUsed(env.DB, uses);
}

/**
 * Wakes up to 200 accounts whose alarm is five minutes late. The call starts the Durable Object, which sets its alarm
 * again. Returns the number of accounts that were reached.
 */
export async function wakeOverdueAccounts(env: Env, now: number): Promise<number> {
  const accounts = await takeOverdueAccounts(env.DB, { before: now - OVERDUE_MS, now, limit: BATCH });
  return await wakeAccounts(env, accounts);
}

/** Makes the 200 accounts that were used last send a summary now. Returns the number of accounts that were reached. */
export async function refreshSummaries(env: Env): Promise<number> {
  return await wakeAccounts(env, await listRecentAccounts(env.DB, BATCH));
}

async function wakeAccounts(env: Env, accounts: AccountRef[]): Promise<number> {
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
