import { invalidateKey } from "../keys/issue";
import { withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { MINUTE_MS } from "../model/limits";
import { toPlanLimits } from "../model/plan";
import { type Account, getAccount, toAccountRef } from "../store/accounts";
import { findEndedKey } from "../store/keys";
import { accountStub } from "../store/namespaces";
import { deleteEntries, type OutboxEntry, takeDueEntries } from "../store/outbox";
import { toMonthlyCredits } from "./credits";

/** The age from which the cron sends an outbox entry. Before, the request that wrote it tries to send it. */
export const RETRY_MS = MINUTE_MS;
const BATCH = 200;
const AT_ONCE = 50;
const TIMEOUT_MS = 5_000;

/**
 * Updates the Durable Objects of changed accounts and the verifiers of changed keys. Returns the number of successful
 * updates. The cron retries the others.
 */
export async function pushEntries(env: Env, entries: OutboxEntry[]): Promise<number> {
  let count = 0;
  for (let i = 0; i < entries.length; i += AT_ONCE) {
    const batch = entries.slice(i, i + AT_ONCE);
    const succeeded = await Promise.all(batch.map((entry) => pushEntry(env, entry)));
    const done = batch.filter((_, at) => succeeded[at]);
    await deleteEntries(env.DB, done);
    count += done.length;
  }
  return count;
}

/** Pushes up to 200 due entries. Returns the number of successful updates. */
export async function pushDueEntries(env: Env, now: number): Promise<number> {
  return await pushEntries(env, await takeDueEntries(env.DB, { now, limit: BATCH, retryMs: RETRY_MS }));
}

async function pushEntry(env: Env, { kind, target }: OutboxEntry): Promise<boolean> {
  if (kind === "key") return await invalidateKey(env, target);
  try {
    if (kind === "stop") {
      await withTimeout(TIMEOUT_MS, stopWork(env, target));
      return true;
    }
    const account = await getAccount(env.DB, target);
    // If the account was erased in the meantime, there is nothing to update.
    if (account !== null) await withTimeout(TIMEOUT_MS, sendSettings(env, account));
    return true;
  } catch (error) {
    log("warn", "account_unreachable", { [kind === "stop" ? "key_id" : "account_id"]: target, ...toLogged(error) });
    return false;
  }
}

/** Stops the work of a key. Does nothing if the key's expiry was postponed. Idempotent. */
async function stopWork(env: Env, keyId: string): Promise<void> {
  const ended = await findEndedKey(env.DB, keyId, now());
  if (ended === null) return;
  const reason = ended.isRevoked ? "revoked_api_key" : "expired_api_key";
  await accountStub(env, ended.account).stopKey({ keyId, reason });
}

/** Sends the current settings to the account's Durable Object, and opens it if necessary. Idempotent. */
async function sendSettings(env: Env, account: Account): Promise<void> {
  const { createdAt, location } = account;
  const ref = toAccountRef(account);
  const reply = await accountStub(env, ref, location).open({
    account: ref,
    createdAt,
    settings: toSettings(env, account),
  });
  // The Durable Object was erased, but the erasure hasn't yet removed the account from the directory. There is nothing
  // to update.
  if (reply.kind === "gone") log("warn", "account_gone", { account_id: account.id });
}

/** Returns the settings for the account's Durable Object. A limit that is null is replaced by the plan's limit. */
function toSettings(env: Env, account: Account) {
  const limits = toPlanLimits(env)[account.plan];
  return {
    version: account.version,
    plan: account.plan,
    monthlyCredits: toMonthlyCredits(env, account),
    suspendedAt: account.suspendedAt,
    concurrentJobs: account.concurrentJobs ?? limits.concurrentJobs,
    concurrentRenders: account.concurrentRenders ?? limits.concurrentRenders,
    grantsEnabled: account.grantsEnabled,
    chargeFreeOutcomes: account.chargeFreeOutcomes,
    dailyCredits: account.dailyCredits,
  };
}
