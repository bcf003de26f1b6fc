import type { Context } from "hono";
import { callAccount } from "../../../account/client";
import { isId, toTag } from "../../../lib/id";
import type { Batch } from "../../../model/batch";
import { AppError } from "../../../model/errors";
import type { DashboardEnv } from "../../ui/env";

/** Returns the batch or crawl of the path. Returns null if the account has no such batch in the current mode. */
export async function findBatch(c: Context<DashboardEnv, "/batches/:id">): Promise<Batch | null> {
  const { account, mode } = c.var;
  const id = c.req.param("id");
  if (!isId(id) || toTag(id) !== account.tag) return null;
  const reply = await callAccount(c.env, account, (stub) => stub.getBatch({ mode, id }));
  return reply.kind === "missing" ? null : reply.batch;
}

/** Returns the batch or crawl of the path. Throws AppError `not_found` if there is none. */
export async function expectBatch(c: Context<DashboardEnv, "/batches/:id">): Promise<Batch> {
  const batch = await findBatch(c);
  if (batch === null) throw new AppError("not_found", `Your ${c.var.mode} data doesn't contain this batch.`);
  return batch;
}
