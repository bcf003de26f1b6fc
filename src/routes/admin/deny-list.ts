import { Hono } from "hono";
import { z } from "zod";
import { addDenied, listDeniedOf, removeDenied } from "../../directory/deny-list";
import { now, toIso } from "../../lib/clock";
import type { AppEnv } from "../../model/env";
import { AppError } from "../../model/errors";
import { getAccount } from "../../store/accounts";
import { OPERATOR, readBody, readQuery } from "./input";

export const denyList = new Hono<AppEnv>();

const account = z.string().min(1).optional();
const ListQuery = z.strictObject({ account });
const Entry = z.strictObject({ account, target: z.string().trim().min(1).max(300), note: z.string().default("") });
const RemovedEntry = Entry.omit({ note: true });

denyList.get("/deny-list", async (c) => {
  const query = readQuery(c, ListQuery);
  return c.json({ success: true, data: await list(c.env, await readAccountId(c.env, query.account)) });
});

denyList.post("/deny-list", async (c) => {
  const { account: id, target, note } = await readBody(c, Entry);
  const accountId = await readAccountId(c.env, id);
  const added = await addDenied(c.env, { accountId, target, note, actor: OPERATOR, now: now() });
  return c.json({ success: true, data: { target: added } }, 201);
});

denyList.post("/deny-list/remove", async (c) => {
  const { account: id, target } = await readBody(c, RemovedEntry);
  const accountId = await readAccountId(c.env, id);
  await removeDenied(c.env, { accountId, target, actor: OPERATOR, now: now() });
  return c.json({ success: true, data: await list(c.env, accountId) });
});

async function list(env: Env, accountId: string | null) {
  return (await listDeniedOf(env, accountId)).map(({ target, note, createdBy, createdAt }) => ({
    ...{ target, note, created_by: createdBy, created_at: toIso(createdAt) },
  }));
}

/** Returns the account's id, or null if none is given. Throws AppError `not_found` if it doesn't exist. */
async function readAccountId(env: Env, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  if ((await getAccount(env.DB, id)) === null) throw new AppError("not_found", `There is no account '${id}'.`);
  return id;
}
