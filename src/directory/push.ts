import { invalidateKey } from "../keys/invalidate";
import { withTimeout } from "../lib/async";
import { log, toLogged } from "../lib/log";
import { MINUTE_MS } from "../model/limits";
import { PLAN_LIMITS } from "../model/plan";
import { accountStub } from "../store/account-stub";
import { type Account, getAccount, toAccountRef } from "../store/accounts";
import { deleteEntries, type OutboxEntry, takeDueEntries } from "../store/outbox";
import { toMonthlyCredits } from "./credits";

/** How long an entry waits for its first retry by the cron, while the request that made it is still telling the object. */
export const RETRY_MS = MINUTE_MS;
const BATCH = 200;
const AT_ONCE = 50;
const TIMEOUT_MS = 5_000;

/** Tells accounts' objects and keys' verifiers what has changed. Returns how many were told; the cron tells the others. */
export async function pushEntries(env: Env, entries: OutboxEntry[]): Promise<number> {
  let count = 0;
  for (let i = 0; i < entries.length; i += AT_ONCE) {
    const batch = entries.slice(i, i + AT_ONCE);
    const told = await Promise.all(batch.map((entry) => pushEntry(env, entry)));
    const done = batch.filter((_, at) => told[at]);
    await deleteEntries(env.DB, done);
    count += done.length;
  }
  return count;
}

/** Pushes up to 200 entries that are due. Returns how many succeeded. */
export async function pushDueEntries(env: Env, now: number): Promise<number> {
  return await pushEntries(env, await takeDueEntries(env.DB, { now, limit: BATCH, retryMs: RETRY_MS }));
}

async function pushEntry(env: Env, { kind, target }: OutboxEntry): Promise<boolean> {
  if (kind === "key") return await invalidateKey(env, target);
  try {
    const account = await getAccount(env.DB, target);
    // An account that was erased meanwhile has nothing to learn.
    if (account !== null) await withTimeout(TIMEOUT_MS, tellAccount(env, account));
    return true;
  } catch (error) {
    log("warn", "account_unreachable", { account_id: target, ...toLogged(error) });
    return false;
  }
}

/** Opens the account's object if it isn't open, and gives it the current settings. Idempotent. */
async function tellAccount(env: Env, account: Account): Promise<void> {
  const { createdAt, location } = account;
  const ref = toAccountRef(account);
  const reply = await accountStub(env, ref, location).open({
    account: ref,
    createdAt,
    settings: toSettings(env, account),
  });
  // A tombstone: the erasure of this account is still under way.
  if (reply.kind === "gone") log("warn", "account_gone", { account_id: account.id });
}

/** Returns what an account's object must know of the directory. A limit that is null is the plan's. */
function toSettings(env: Env, account: Account) {
  const limits = PLAN_LIMITS[account.plan];
  return {
    version: account.version,
    plan: account.plan,
    monthlyCredits: toMonthlyCredits(env, account),
    suspendedAt: account.suspendedAt,
    concurrentJobs: account.concurrentJobs ?? limits.concurrentJobs,
    concurrentRenders: account.concurrentRenders ?? limits.concurrentRenders,
    grantsEnabled: account.grantsEnabled,
  };
}
