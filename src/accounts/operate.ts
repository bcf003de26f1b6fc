// What an operator does with accounts, until the dashboard does it: for scripts/account.ts, which brings the database.

import { type Mode, SCOPES } from "../keys/api-key";
import { issueKey } from "../keys/issue";
import { newId } from "../lib/id";
import {
  type Account,
  adjustCredits,
  changeAccount,
  getAccount,
  insertAccount,
  insertPush,
  listAccounts,
} from "../store/accounts";
import { grant } from "./grant";
import { PLANS, type Plan } from "./plan";

export type { Account };
export { adjustCredits, changeAccount, getAccount, listAccounts, PLANS };

/** Makes an account, with its first month's credits. */
export async function createAccount(
  env: Env,
  {
    name,
    plan,
    ratePerMinute,
    monthlyCredits,
    now,
  }: Pick<Account, "name" | "plan" | "ratePerMinute" | "monthlyCredits"> & { now: number },
): Promise<Account> {
  const id = newId();
  await insertAccount(env.DB, { id, name, plan, ratePerMinute, monthlyCredits, createdAt: now });
  const account = await mustGet(env, id);
  await grant(env, account, now);
  return await mustGet(env, id);
}

/**
 * Makes a key with every scope, and returns its secret, which is shown this once. Throws AppError at the plan's limit. A
 * script can't reach the gate: the sweep tells it.
 */
export async function createKey(
  env: Env,
  { accountId, mode, name, now }: { accountId: string; mode: Mode; name: string | null; now: number },
): Promise<string> {
  const account = await mustGet(env, accountId);
  const key = { mode, name, scopes: [...SCOPES], allowedIps: [], createdAt: now };
  const { secret, hash } = await issueKey(env, account, key);
  await insertPush(env.DB, hash, now);
  return secret;
}

export function isPlan(text: string): text is Plan {
  return (PLANS as readonly string[]).includes(text);
}

async function mustGet(env: Env, id: string): Promise<Account> {
  const account = await getAccount(env.DB, id);
  if (account === null) throw new Error(`There is no account '${id}'.`);
  return account;
}
