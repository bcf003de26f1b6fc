import { callAccount } from "../../../account/client";
import { isId, toTag } from "../../../lib/id";
import type { Batch } from "../../../model/batch";
import { type DashboardContext, notInMode } from "../../ui/env";

/** Returns a batch or crawl of the current mode. Throws AppError `not_found` if the account has no such batch. */
export async function expectBatch(c: DashboardContext, id: string): Promise<Batch> {
  const { account, mode } = c.var;
  if (!isId(id) || toTag(id) !== account.tag) throw notInMode(c, "batch or crawl");
  const reply = await callAccount(c.env, account, (stub) => stub.getBatch({ mode, id }));
  if (reply.kind === "missing") throw notInMode(c, "batch or crawl");
  return reply.batch;
}
