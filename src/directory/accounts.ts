import { invalidateKey, issueKey } from "../keys/issue";
import { newId, newTag } from "../lib/id";
import type { Jurisdiction, LocationHint } from "../model/account";
import { type Mode, SCOPES } from "../model/api-key";
import { formatPrices } from "../model/prices";
import { readChoice } from "../model/variables";
import { canSendEmail } from "../net/email";
import {
  type Account,
  type AccountChange,
  getAccount,
  insertAccount,
  listGrantChanges,
  mustGetAccount,
  type NewAccount,
  toColumns,
  updateAccount,
} from "../store/accounts";
import { type AuditEntry, insertAudit } from "../store/audit";
import { type AccountOfUser, adoptAccount, insertMember, isUnverified, listAccountsOfUser } from "../store/memberships";
import { requireJurisdiction } from "../store/namespaces";
import { getAccountEntry } from "../store/outbox";
import { requireSchema } from "../store/schema-version";
import { getAnyAccount } from "./erase";
import { pushEntries, RETRY_MS } from "./push";
import { type Place, toLocationHint } from "./sign-up-location";

const GRANTS_BATCH = 100;
/** The random tags that are tried. They have 40 bits, so two collisions mean that the directory is broken. */
const TAG_ATTEMPTS = 3;

interface AccountChangeInput {
  accountId: string;
  change: AccountChange;
  actor: string;
  /** The email address of the account's member who makes the change. It is deleted when the account is erased. */
  by?: string;
  now: number;
}

/** A user who opens an account. */
interface Opener {
  id: string;
  name: string;
  emailVerified: boolean;
  /** The place of the user's request. Undefined outside Cloudflare. */
  place?: Place | undefined;
}

/**
 * Returns all accounts of a user, and the one with the id `preferred`, or else the oldest one. If a new user has none,
 * creates it on the free plan. Returns null for a user who has left the last account. If email is configured, credits
 * are granted after a member has verified an email address. Every step is idempotent, so after a crash, the user's next
 * session completes the missing steps. Throws AppError while the schema is older than the code.
 */
export async function openAccount(
  env: Env,
  user: Opener,
  now: number,
  { preferred }: { preferred?: string | undefined } = {},
): Promise<{ current: AccountOfUser; all: AccountOfUser[] } | null> {
  await requireSchema(env.DB);
  const all = await findAccounts(env, user, now);
  const current = all.find(({ account }) => account.id === preferred) ?? all[0];
  if (current === undefined) return null;
  return { current: { ...current, account: await completeAccount(env, user, current, now) }, all };
}

/** Creates an account on the free plan for a user without one. Has no effect if the user has an account. */
export async function createAccountAgain(env: Env, user: Opener, now: number): Promise<void> {
  const found = await listAccountsOfUser(env.DB, user.id);
  if (found.length > 0) return;
  const accountId = newId();
  await createFreeAccount(env, accountId, { user, now });
  await insertMember(env.DB, { userId: user.id, accountId, role: "owner", now });
}

async function findAccounts(env: Env, user: Opener, now: number): Promise<AccountOfUser[]> {
  const found = await listAccountsOfUser(env.DB, user.id);
  if (found.length > 0) return found;
  // The user's id is the id of the first account. Therefore two simultaneous first sessions create only one account, and
  // a user who has left this account doesn't become its owner again.
  await createFreeAccount(env, user.id, { user, now });
  await adoptAccount(env.DB, user.id);
  return await listAccountsOfUser(env.DB, user.id);
}

/** Enables or disables grants, and pushes a pending change. Returns the account. */
async function completeAccount(
  env: Env,
  user: Opener,
  { account, isPushPending }: AccountOfUser,
  now: number,
): Promise<Account> {
  const grantsEnabled = user.emailVerified || !canSendEmail(env) || !(await isUnverified(env.DB, account.id));
  if (grantsEnabled !== account.grantsEnabled) {
    const change = { id: account.id, change: { grantsEnabled }, dueAt: now + RETRY_MS };
    await pushEntries(env, await updateAccount(env.DB, change));
  } else if (isPushPending) await pushAccount(env, account.id);
  return { ...account, grantsEnabled };
}

/** Creates an account on the free plan, without members. Has no effect if the id was ever used. */
async function createFreeAccount(env: Env, id: string, { user, now }: { user: Opener; now: number }): Promise<void> {
  if ((await getAnyAccount(env.DB, id)) !== null) return;
  const account = {
    id,
    name: user.name,
    plan: "free" as const,
    ratePerMinute: null,
    monthlyCredits: null,
    grantsEnabled: user.emailVerified || !canSendEmail(env),
    object: id,
    ...placeAccount(env, user.place),
    createdAt: now,
  };
  await insertWithTag(env, account);
}

/**
 * Returns the location and jurisdiction for the Durable Object of a new account. Without ACCOUNT_LOCATION and a
 * jurisdiction, the object is created near `place`, the place of the user who signs up. If the location is null,
 * Cloudflare creates the object near the Worker. Throws an Error for an unknown value, because an account must not be
 * created in a wrong region.
 */
export function placeAccount(
  env: Pick<Env, "ACCOUNT_LOCATION" | "ACCOUNT_JURISDICTION" | "JURISDICTION">,
  place: Place = {},
) {
  const jurisdiction = readChoice(env, "ACCOUNT_JURISDICTION") ?? readChoice(env, "JURISDICTION");
  const near = jurisdiction === null ? toLocationHint(place) : null;
  return { location: readChoice(env, "ACCOUNT_LOCATION") ?? near, jurisdiction };
}

/** Creates an account and opens its Durable Object, which grants the first month's credits. */
export async function createAccount(
  env: Env,
  {
    name,
    plan,
    ratePerMinute,
    monthlyCredits,
    location,
    jurisdiction,
    actor,
    now,
  }: Pick<Account, "name" | "plan" | "ratePerMinute" | "monthlyCredits"> & {
    /** Undefined to use ACCOUNT_LOCATION. */
    location?: LocationHint | null;
    /** Undefined to use ACCOUNT_JURISDICTION. */
    jurisdiction?: Jurisdiction | null;
    actor: string;
    now: number;
  },
): Promise<Account> {
  const id = newId();
  const usual = placeAccount(env);
  const audit = { actor, action: "account.create" as const, accountId: id, detail: { name, plan }, at: now };
  const account = {
    id,
    name,
    plan,
    ratePerMinute,
    monthlyCredits,
    grantsEnabled: true,
    object: id,
    createdAt: now,
    location: location === undefined ? usual.location : location,
    jurisdiction: jurisdiction === undefined ? usual.jurisdiction : jurisdiction,
  };
  const created = await insertWithTag(env, account, audit);
  await pushAccount(env, id);
  return created;
}

/**
 * Inserts an account with an unused tag, unless the account exists. Returns the account. Throws AppError if the
 * jurisdiction doesn't exist.
 */
async function insertWithTag(env: Env, account: Omit<NewAccount, "tag">, audit?: AuditEntry): Promise<Account> {
  requireJurisdiction(env, account.jurisdiction);
  for (let attempt = 0; attempt < TAG_ATTEMPTS; attempt++) {
    await insertAccount(env.DB, { ...account, tag: newTag() }, audit);
    const found = await getAccount(env.DB, account.id);
    if (found !== null) return found;
  }
  throw new Error(`The account ${account.id} can't be created.`);
}

/** Sends the account's pending change to the account's Durable Object. If that fails, the cron retries. */
async function pushAccount(env: Env, accountId: string): Promise<void> {
  const entry = await getAccountEntry(env.DB, accountId);
  if (entry !== null) await pushEntries(env, [entry]);
}

/** Creates a key with all scopes. Returns its secret. Throws AppError at the plan's limit of keys. */
export async function createAccountKey(
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
  const unlimited = { allowedIps: [], expiresAt: null, creditLimit: null, receiver: null };
  const key = { mode, name, scopes: [...SCOPES], createdAt: now, ...unlimited };
  const { secret, hash } = await issueKey(env, account, key);
  await insertAudit(env.DB, { actor, action: "key.create", accountId, detail: { mode, name }, at: now });
  await invalidateKey(env, hash);
  return secret;
}

/** Changes an account, then its Durable Object and the verifiers of its keys. The cron retries failed updates. */
export async function changeAccount(env: Env, input: AccountChangeInput): Promise<void> {
  const { accountId: id, change, now } = input;
  const audit = toChangeEntry(input);
  await pushEntries(env, await updateAccount(env.DB, { id, change, dueAt: now + RETRY_MS, audit }));
}

/** Enables or disables grants for up to 200 accounts by their verified members. Returns the changed number. */
export async function updateGrants(env: Env, now: number): Promise<number> {
  const changes = await listGrantChanges(env.DB, { limit: GRANTS_BATCH, verifiedOnly: canSendEmail(env) });
  for (const { id, grantsEnabled } of changes) {
    const change = { id, change: { grantsEnabled }, dueAt: now + RETRY_MS };
    await pushEntries(env, await updateAccount(env.DB, change));
  }
  return changes.length;
}

/** Returns the audit entry of a change: the changed columns with their new values. */
function toChangeEntry({ accountId, change, actor, by, now }: AccountChangeInput): AuditEntry {
  const { suspended_at: suspendedAt, prices, ...columns } = toColumns(change);
  const detail = {
    by,
    ...columns,
    prices: prices === undefined ? undefined : formatPrices(prices) || "none",
    suspended: suspendedAt === undefined ? undefined : suspendedAt !== null,
  };
  return { actor, action: "account.change", accountId, detail, at: now };
}
