import { callAccount } from "../../../account/client";
import { isId, toTag } from "../../../lib/id";
import type { Batch } from "../../../model/batch";
import { AppError } from "../../../model/errors";
import type { DashboardContext } from "../../ui/env";

/** Returns a batch or crawl. Returns null if the account has no such batch in the current mode. */
export async function findBatch(c: DashboardContext, id: string): Promise<Batch | null> {
  const { account, mode } = c.var;
  if (!isId(id) || toTag(id) !== account.tag) return null;
  const reply = await callAccount(c.env, account, (stub) => stub.getBatch({ mode, id }));
  return reply.kind === "missing" ? null : reply.batch;
}

/** Returns a batch or crawl. Throws AppError `not_found` if there is none. */
export async function expectBatch(c: DashboardContext, id: string): Promise<Batch> {
  const batch = await findBatch(c, id);
  if (batch === null) throw new AppError("not_found", `Your ${c.var.mode} data doesn't contain this batch.`);
  return batch;
}
