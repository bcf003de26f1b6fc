import type { Context } from "hono";
import type { z } from "zod";
import { checkIsObject, parseWith } from "../../contract/invalid-request";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { type Account, getAccount } from "../../store/accounts";

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
