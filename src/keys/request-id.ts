import type { Context } from "hono";
import { withTag } from "../lib/id";
import { addToLogs } from "../lib/log";
import type { AccountRef } from "../model/account";
import type { AppEnv } from "../model/env";

/**
 * Replaces the end of the request's id with the account's tag, as soon as the account is known. An operator can
 * therefore find the account of a request from its id, without an index of all requests. Changes the response header
 * and all following log lines. The beginning of the id stays the same.
 */
export function tagRequestId<E extends AppEnv>(c: Context<E>, { tag }: Pick<AccountRef, "tag">): void {
  const id = withTag(c.get("requestId"), tag);
  c.set("requestId", id);
  c.header("X-Request-Id", id);
  addToLogs({ request_id: id });
}
