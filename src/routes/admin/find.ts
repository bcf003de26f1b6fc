import { Hono } from "hono";
import { z } from "zod";
import { type Finding, search } from "../../account/search";
import type { AppEnv } from "../../model/env";
import type { Account } from "../../store/accounts";
import { readBody } from "./input";

export const find = new Hono<AppEnv>();

const FindBody = z.strictObject({ query: z.string().trim().min(1).max(200) });

/**
 * Finds a job, batch, crawl, delivery, request, key, account or email address. The query is in the body, because it can
 * be an API key.
 */
find.post("/find", async (c) => {
  const { query } = await readBody(c, FindBody);
  return c.json({ success: true, data: toData(await search(c.env, query), query) });
});

function toData(found: Finding, query: string) {
  switch (found.kind) {
    case "records":
      return { kind: found.kind, account: toRecord(found.account), records: found.records };
    case "no_record":
      return {
        kind: found.kind,
        account: toRecord(found.account),
        note: `The account has no job, batch or delivery with this id. If it's a request id, the request created no job. ${toLogHint(query)}`,
      };
    case "no_account":
      return {
        kind: found.kind,
        note: `No account has this id. If it's a request id, the request had no valid API key. ${toLogHint(query)}`,
      };
    case "keys":
      return {
        kind: found.kind,
        keys: found.keys.map(({ account, key: { id, mode, name, prefix, last4 } }) => ({
          ...{ id, mode, name, prefix, last4 },
          account: toRecord(account),
        })),
      };
    case "accounts":
      return { kind: found.kind, accounts: found.accounts.map(toRecord) };
  }
}

function toLogHint(id: string): string {
  return `Search the log for request_id = "${id}".`;
}

function toRecord({ id, tag, name, plan }: Account) {
  return { id, tag, name, plan };
}
