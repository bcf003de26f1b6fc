import { invalidateKey } from "../keys/invalidate";
import { issueKey } from "../keys/issue";
import { newId } from "../lib/id";
import { type Mode, SCOPES } from "../model/api-key";
import { MINUTE_MS } from "../model/limits";
import { PLANS, type Plan } from "../model/plan";
import { canSendEmail } from "../net/email";
import { type Account, type AccountChange, insertAccount, mustGetAccount, updateAccount } from "../store/accounts";
import { type AuditEntry, insertAudit } from "../store/audit";
import {
  deleteInvalidations,
  insertInvalidation,
  type KeyInvalidation,
  takeDueInvalidations,
} from "../store/key-invalidations";
import { getMembership, insertMember, isUnverified } from "../store/users";
import { grant } from "./credits";

const INVALIDATION_BATCH = 200;
const INVALIDATIONS_AT_ONCE = 50;

interface AccountChangeInput {
  accountId: string;
  change: AccountChange;
  actor: string;
  now: number;
}

/**
 * Returns the account of a user. Creates it on the free plan, with the first month's credits, if there is none yet. Where
 * email is configured, the credits are granted once a member has verified an address. Every step is idempotent: the next
 * session does what a crash left undone.
 */
export async function openAccount(env: Env, user: { id: string; name: string }, now: number): Promise<Account> {
  const accountId = (await getMembership(env.DB, user.id)) ?? (await createFreeAccount(env, user, now));
  const account = await mustGetAccount(env.DB, accountId);
  if (account.nextGrantAt > now) return account;
  if (canSendEmail(env) && (await isUnverified(env.DB, accountId))) return account;
  await grant(env, account, now);
  return await mustGetAccount(env.DB, accountId);
}

/** Uses the user's id as the account's id, so that two simultaneous first sessions create one account. */
async function createFreeAccount(env: Env, { id, name }: { id: string; name: string }, now: number): Promise<string> {
  const account = { id, name, plan: "free" as const, ratePerMinute: null, monthlyCredits: null, createdAt: now };
  await insertAccount(env.DB, account);
  return await insertMember(env.DB, { userId: id, accountId: id, now });
}

/** Creates an account with its first month's credits. */
export async function createAccount(
  env: Env,
  {
    name,
    plan,
    ratePerMinute,
    monthlyCredits,
    actor,
    now,
  }: Pick<Account, "name" | "plan" | "ratePerMinute" | "monthlyCredits"> & { actor: string; now: number },
): Promise<Account> {
  const id = newId();
  const audit = { actor, action: "account.create" as const, accountId: id, detail: { name, plan }, at: now };
  await insertAccount(env.DB, { id, name, plan, ratePerMinute, monthlyCredits, createdAt: now }, audit);
  const account = await mustGetAccount(env.DB, id);
  await grant(env, account, now);
  return await mustGetAccount(env.DB, id);
}

/** Changes an account where the verifiers of its keys can't be reached, as in a script. The cron invalidates the keys. */
export async function changeAccountOffline(env: Env, input: AccountChangeInput): Promise<void> {
  const { accountId: id, change, now } = input;
  await updateAccount(env.DB, { id, change, wakeAt: now, audit: toChangeEntry(input) });
}

/**
 * Creates a key with every scope and returns its secret, which can't be shown again. Works where the key's verifier can't be
 * reached: the cron tells it. Throws AppError at the plan's limit of keys.
 */
export async function createKeyOffline(
  env: Env,
  {
    accountId,
    mode,
    name,
    actor,
    now,
  }: { accountId: string; mode: Mode; name: string | null; actor: string; now: number },
): Promise<string> {
  const account = await mustGetAccount(env.DB, accountId);
  const key = { mode, name, scopes: [...SCOPES], allowedIps: [], createdAt: now };
  const { secret, hash } = await issueKey(env, account, key);
  await insertAudit(env.DB, { actor, action: "key.create", accountId, detail: { mode, name }, at: now });
  await insertInvalidation(env.DB, hash, now);
  return secret;
}

/** Returns true if the text is the name of a plan. */
export function isPlan(text: string): text is Plan {
  return (PLANS as readonly string[]).includes(text);
}

/** Changes an account and invalidates its keys. The cron invalidates keys whose verifiers can't be reached now. */
export async function changeAccount(env: Env, input: AccountChangeInput): Promise<void> {
  const { accountId, change, now } = input;
  const audit = toChangeEntry(input);
  await invalidateKeys(env, await updateAccount(env.DB, { id: accountId, change, wakeAt: now + MINUTE_MS, audit }));
}

/** Invalidates up to INVALIDATION_BATCH keys whose invalidation is due. Returns how many succeeded. */
export async function invalidateDueKeys(env: Env, now: number): Promise<number> {
  return await invalidateKeys(env, await takeDueInvalidations(env.DB, now, INVALIDATION_BATCH, MINUTE_MS));
}

async function invalidateKeys(env: Env, invalidations: KeyInvalidation[]): Promise<number> {
  let count = 0;
  for (let i = 0; i < invalidations.length; i += INVALIDATIONS_AT_ONCE) {
    const batch = invalidations.slice(i, i + INVALIDATIONS_AT_ONCE);
    const succeeded = await Promise.all(batch.map(({ hash }) => invalidateKey(env, hash)));
    const done = batch.filter((_, at) => succeeded[at]);
    await deleteInvalidations(env.DB, done);
    count += done.length;
  }
  return count;
}

/** Returns the audit entry of a change: the columns that were given, with their new values. */
function toChangeEntry({ accountId, change, actor, now }: AccountChangeInput): AuditEntry {
  const { plan, ratePerMinute, monthlyCredits, suspendedAt } = change;
  const detail = {
    ...(plan === undefined ? {} : { plan }),
    ...(ratePerMinute === undefined ? {} : { rate_per_minute: ratePerMinute }),
    ...(monthlyCredits === undefined ? {} : { monthly_credits: monthlyCredits }),
    ...(suspendedAt === undefined ? {} : { suspended: suspendedAt !== null }),
  };
  return { actor, action: "account.change", accountId, detail, at: now };
}
