import { hasMail } from "../net/email";
import { type Account, insertAccount, mustGetAccount } from "../store/accounts";
import { getMembership, insertMember, isUnverified } from "../store/members";
import { grant } from "./grant";

/**
 * Returns the account of a user. Makes it, on the free plan and with its first month's credits, when there is none yet.
 * Where mail is configured, the credits wait until a member has confirmed the address. Each step may be repeated: whatever a
 * crash left undone, the next session does.
 */
export async function openAccount(env: Env, user: { id: string; name: string }, now: number): Promise<Account> {
  const accountId = (await getMembership(env.DB, user.id)) ?? (await make(env, user, now));
  const account = await mustGetAccount(env.DB, accountId);
  if (account.nextGrantAt > now) return account;
  if (hasMail(env) && (await isUnverified(env.DB, accountId))) return account;
  await grant(env, account, now);
  return await mustGetAccount(env.DB, accountId);
}

/** The user's first account has the user's id, so that two first sessions at once make one. */
async function make(env: Env, { id, name }: { id: string; name: string }, now: number): Promise<string> {
  const account = { id, name, plan: "free" as const, ratePerMinute: null, monthlyCredits: null, createdAt: now };
  await insertAccount(env.DB, account);
  return await insertMember(env.DB, { userId: id, accountId: id, now });
}
