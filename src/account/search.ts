// Finds what an operator searches for: a job, a request, a key, an account or a user's address.

import { isWellFormed } from "../keys/secret";
import { sha256Hex } from "../lib/crypto";
import { isId, toTag } from "../lib/id";
import { type ListedKey, MODES } from "../model/api-key";
import { listAccounts } from "../store/account-summaries";
import { type Account, getAccount, getAccountByTag } from "../store/accounts";
import { findKeys } from "../store/keys";
import { readArchivedJob } from "./archived-job";
import { callAccountOrGone } from "./client";
import type { Located } from "./jobs/locate";

/** The outcome of a search. */
export type Finding =
  /** Records of one account. There is more than one record only if a request created several jobs. */
  | { kind: "records"; account: Account; records: Located[] }
  /** The account of the id's tag has no such record. It can be the id of a request that created no job. */
  | { kind: "no_record"; account: Account }
  /** The id has the format of a job's or request's id, but no account has its tag. */
  | { kind: "no_account" }
  | { kind: "keys"; keys: { account: Account; key: ListedKey }[] }
  /** Accounts that match by a part of the name, or by the start of the id, the tag or a member's address. */
  | { kind: "accounts"; accounts: Account[] };

const MAX_ACCOUNTS = 20;
/**
 * The beginning of a key, and optionally its last four characters, as the dashboard shows them. The beginning can be
 * longer than the part that is stored. A key with a mistyped character also has this form.
 */
const KEY_LABEL = /^(sk_(?:live|test)_[0-9A-Za-z]{4})[0-9A-Za-z]*(?:(?:…|\.{3})([0-9A-Za-z]{4}))?$/;

/** Finds the records, keys or accounts that `text` identifies. */
export async function search(env: Env, text: string): Promise<Finding> {
  const words = text.trim();
  const id = words.toLowerCase();
  if (isId(id)) return await findById(env, id);
  if (isWellFormed(words)) {
    return { kind: "keys", keys: await findKeys(env.DB, { kind: "hash", hash: await sha256Hex(words) }) };
  }
  const [, prefix, last4 = null] = KEY_LABEL.exec(words) ?? [];
  if (prefix !== undefined) return { kind: "keys", keys: await findKeys(env.DB, { kind: "label", prefix, last4 }) };
  return { kind: "accounts", accounts: await listAccounts(env.DB, { search: words, limit: MAX_ACCOUNTS, offset: 0 }) };
}

async function findById(env: Env, id: string): Promise<Finding> {
  const itself = await getAccount(env.DB, id);
  if (itself !== null) return { kind: "accounts", accounts: [itself] };
  const keys = await findKeys(env.DB, { kind: "id", id });
  if (keys.length > 0) return { kind: "keys", keys };
  const account = await getAccountByTag(env.DB, toTag(id));
  if (account === null) return { kind: "no_account" };
  const records = await callAccountOrGone(env, account, (stub) => stub.locate(id));
  if (!("kind" in records) && records.length > 0) return { kind: "records", account, records };
  for (const mode of MODES) {
    if ((await readArchivedJob(env, account, { mode, id })) !== null)
      return { kind: "records", account, records: [{ kind: "job", mode, id }] };
  }
  return { kind: "no_record", account };
}
