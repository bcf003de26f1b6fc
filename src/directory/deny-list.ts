import { invalidParameter } from "../contract/invalid-request";
import { AppError } from "../model/errors";
import { forgetDenied } from "../net/denied";
import { toDeniedTarget } from "../net/deny-list";
import {
  ALL_ACCOUNTS,
  type DeniedTarget,
  deleteDenied,
  insertDenied,
  listDenied,
  MAX_DENIED,
  MAX_DENIED_PER_ACCOUNT,
} from "../store/denied-targets";

const MAX_NOTE_CHARS = 200;
const RULE =
  "must be a host such as example.com, a host with its subdomains such as *.example.com, or a network such as 203.0.113.0/24";

interface DenyChange {
  /** Null if the entry applies to all accounts. */
  accountId: string | null;
  target: string;
  actor: string;
  now: number;
}

/**
 * Adds a host or network to the deny list, and returns its canonical form. Adding an entry again has no effect. Throws
 * AppError if the target is invalid or the list is full.
 */
export async function addDenied(
  env: Env,
  { accountId, target: text, note, actor, now }: DenyChange & { note: string },
): Promise<string> {
  const target = toDeniedTarget(text);
  if (target === null) throw invalidParameter("target", RULE);
  if (note.length > MAX_NOTE_CHARS) throw invalidParameter("note", `must have at most ${MAX_NOTE_CHARS} characters`);
  const entry = { accountId: accountId ?? ALL_ACCOUNTS, target, note, createdBy: actor, createdAt: now };
  const limit = accountId === null ? MAX_DENIED : MAX_DENIED_PER_ACCOUNT;
  const audit = { actor, action: "deny.add", accountId, detail: { target, note }, at: now } as const;
  const isInserted = await insertDenied(env.DB, entry, { audit, limit });
  forgetDenied(env.DB);
  if (isInserted || (await listDeniedOf(env, accountId)).some((each) => each.target === target)) return target;
  throw new AppError(
    "invalid_request",
    `The deny list can have at most ${limit} entries. Remove an entry, or replace several entries with a network.`,
  );
}

/** Removes an entry from the deny list. Throws AppError `not_found` if the list doesn't have it. */
export async function removeDenied(env: Env, { accountId, target: text, actor, now }: DenyChange): Promise<void> {
  const target = toDeniedTarget(text) ?? text;
  const audit = { actor, action: "deny.remove", accountId, detail: { target }, at: now } as const;
  const isDeleted = await deleteDenied(env.DB, { accountId: accountId ?? ALL_ACCOUNTS, target }, audit);
  forgetDenied(env.DB);
  if (!isDeleted) throw new AppError("not_found", `The entry '${target}' isn't on the deny list.`);
}

/** Returns the deny list of one account, or the list that applies to all accounts if `accountId` is null. */
export async function listDeniedOf(env: Pick<Env, "DB">, accountId: string | null): Promise<DeniedTarget[]> {
  return await listDenied(env.DB, accountId ?? ALL_ACCOUNTS);
}
