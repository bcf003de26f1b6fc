import type { Context } from "hono";
import { z } from "zod";
import { checkIsObject, parseWith } from "../../contract/invalid-request";
import type { AccountRef } from "../../model/account";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { type Account, getAccount, listAccountRefs } from "../../store/accounts";

/** The actor that the audit log shows for calls of the admin API. */
export const OPERATOR = "operator";

/** Returns the JSON body. Throws AppError if it doesn't match the schema. */
export async function readBody<Schema extends z.ZodType>(c: Context<AppEnv>, schema: Schema): Promise<z.infer<Schema>> {
  const body = await c.req.json().catch((cause) => {
    throw new AppError("invalid_json", "The body is not valid JSON.", { cause });
  });
  checkIsObject(body);
  return parseWith(schema, body);
}

/** Returns the query parameters. Throws AppError if they don't match the schema. */
export function readQuery<Schema extends z.ZodType>(c: Context<AppEnv>, schema: Schema): z.infer<Schema> {
  return parseWith(schema, c.req.query());
}

/** Returns the account whose id is in the path. Throws AppError `not_found` if it doesn't exist. */
export async function readAccount(c: Context<AppEnv>): Promise<Account> {
  const id = c.req.param("id") ?? "";
  const account = await getAccount(c.env.DB, id);
  if (account === null) throw new AppError("not_found", `There is no account '${id}'.`);
  return account;
}

/** The number of accounts that one request processes. Each account needs a few calls of its Durable Object. */
const ACCOUNTS = 25;

const NextBody = z.strictObject({ after: z.string().nullable().default(null) });

/** Returns the 25 accounts after `after` in the body. `next` is the next `after`, or null for the last ones. */
export async function readNextAccounts(c: Context<AppEnv>): Promise<{ accounts: AccountRef[]; next: string | null }> {
  const { after } = await readBody(c, NextBody);
  const accounts = await listAccountRefs(c.env.DB, { after: after ?? "", limit: ACCOUNTS });
  return { accounts, next: accounts.length === ACCOUNTS ? (accounts.at(-1)?.id ?? null) : null };
}
