// What an operator does with accounts: from the dashboard's admin pages, and from scripts/account.ts, which brings the
// database and can't reach the gates.

import { issueKey } from "../keys/issue";
import { newId } from "../lib/id";
import { type Mode, SCOPES } from "../model/api-key";
import { AppError } from "../model/errors";
import { PLANS, type Plan } from "../model/plan";
import {
  type Account,
  type AccountChange,
  adjustCredits as adjust,
  changeAccount as change,
  getAccount,
  insertAccount,
  insertPush,
  listAccounts,
  mustGetAccount,
} from "../store/accounts";
import { insertAudit } from "../store/audit";
import { toChangeEntry } from "./audit-entry";
import { isEmail } from "./email";
import { grant } from "./grant";
import { createLink, type Link } from "./links";

export type { Account };
export { getAccount, listAccounts, PLANS };

/** Makes an account, with its first month's credits. */
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

/** Changes the account without telling the gates, for a script: the sweep tells them. */
export async function changeAccount(
  env: Env,
  options: { accountId: string; change: AccountChange; actor: string; now: number },
): Promise<void> {
  const { accountId: id, now } = options;
  await change(env.DB, { id, change: options.change, wakeAt: now, audit: toChangeEntry(options) });
}

/** Adds credits, or takes some away. Throws AppError when that would leave less than nothing. */
export async function adjustCredits(
  env: Env,
  { accountId, by, actor, now }: { accountId: string; by: number; actor: string; now: number },
): Promise<void> {
  const audit = { actor, action: "credits.adjust" as const, accountId, detail: { change: by }, at: now };
  if (await adjust(env.DB, { accountId, change: by, audit })) return;
  const message = "would leave less than nothing";
  throw new AppError("invalid_request", `This change ${message}.`, { details: [{ path: "credits", message }] });
}

/**
 * Makes a key with every scope, and returns its secret, which is shown this once. Throws AppError at the plan's limit. A
 * script can't reach the gate: the sweep tells it.
 */
export async function createKey(
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
  await insertPush(env.DB, hash, now);
  return secret;
}

/**
 * A link that its operator hands on, for one use within a day. `accountId`: of the user, when there is one already. Throws
 * AppError for what isn't an e-mail address.
 */
export async function makeLink(
  env: Env,
  {
    link,
    origin,
    accountId,
    actor,
    now,
  }: {
    link: Link;
    origin: string;
    accountId: string | null;
    actor: string;
    now: number;
  },
): Promise<string> {
  if (link.kind === "sign-in" && !isEmail(link.email)) {
    const message = "must be an e-mail address";
    throw new AppError("invalid_request", `'${link.email}' is not an e-mail address.`, {
      details: [{ path: "email", message }],
    });
  }
  const detail =
    link.kind === "sign-in" ? { kind: link.kind, email: link.email } : { kind: link.kind, user: link.userId };
  const audit = { actor, action: "link.create" as const, accountId, detail, at: now };
  return await createLink(env.DB, { link, origin, now, audit });
}

export function isPlan(text: string): text is Plan {
  return (PLANS as readonly string[]).includes(text);
}
