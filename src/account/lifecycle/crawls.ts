import { withTimeout } from "../../lib/async";
import { log, toLogged } from "../../lib/log";
import type { AccountRef } from "../../model/account";
import type { JobKey } from "../../model/job";
import { SECOND_MS } from "../../model/limits";
import { crawlStub } from "../../store/namespaces";

/** The maximum number of crawls that one step of an erasure deletes. */
const BATCH = 20;
const ERASE_TIMEOUT_MS = 10 * SECOND_MS;

/** Wakes crawls, for example because a page or the crawl itself has ended. Never throws. Crawls also check regularly. */
export async function wakeCrawls(env: Env, account: AccountRef, keys: JobKey[]): Promise<void> {
  const woken = await Promise.allSettled(keys.map((key) => crawlStub(env, account, key.id).wake({ ...key, account })));
  for (const one of woken) if (one.status === "rejected") log("warn", "crawl_not_woken", toLogged(one.reason));
}

/**
 * Deletes the Durable Objects and the rows of some crawls of an account that is being erased. Returns the number of
 * deleted crawls, which is 0 after the last one. Throws if a Durable Object can't be reached.
 */
export async function eraseCrawls(env: Env, { sql }: DurableObjectStorage): Promise<number> {
  const crawls = sql
    .exec<{ mode: string; id: string }>(`SELECT mode, id FROM batches WHERE kind = 'crawl' LIMIT ${BATCH}`)
    .toArray();
  const [account] = sql.exec<Pick<AccountRef, "jurisdiction">>("SELECT jurisdiction FROM account").toArray();
  const jurisdiction = account?.jurisdiction ?? null;
  await withTimeout(
    ERASE_TIMEOUT_MS,
    Promise.all(crawls.map(({ id }) => crawlStub(env, { jurisdiction }, id).erase())),
  );
  for (const { mode, id } of crawls) sql.exec("DELETE FROM batches WHERE mode = ?1 AND id = ?2", mode, id);
  return crawls.length;
}
