import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { readLifecycle } from "../../src/account/lifecycle/erase";
import type { AccountRef } from "../../src/model/account";
import { accountStub } from "../../src/store/namespaces";

const UNFINISHED = `SELECT (SELECT COUNT(*) FROM jobs WHERE due_at IS NOT NULL)
  + (SELECT COUNT(*) FROM deliveries WHERE status = 'pending' AND next_attempt_at <= ?1
    AND NOT (stage = 'scheduled' AND due_at > ?1)) AS n`;

// Excludes accounts in a jurisdiction, because the local runtime doesn't support jurisdictions.
const ACCOUNTS = "SELECT id, tag, object, jurisdiction FROM accounts WHERE jurisdiction IS NULL";

let ignored = new Set<string>();

/** Excludes the accounts of earlier test files from `countUnfinished`. */
export async function ignoreExistingAccounts(): Promise<void> {
  const { results } = await env.DB.prepare(ACCOUNTS).all<AccountRef>();
  ignored = new Set(results.map(({ id }) => id));
}

/**
 * Counts the unfinished jobs, due webhook deliveries and unfinished erasures of the accounts that this test file
 * created in D1.
 */
export async function countUnfinished(): Promise<number> {
  const counts = await inOwnAccounts((storage) =>
    readLifecycle(storage)?.kind === "erasing" ? 1 : Number(storage.sql.exec(UNFINISHED, Date.now()).one().n),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Deletes the unfinished jobs and deliveries of the accounts that this test file created in D1, and their alarms. */
export async function deleteUnfinished(): Promise<void> {
  await inOwnAccounts(async (storage) => {
    storage.sql.exec("DELETE FROM jobs WHERE due_at IS NOT NULL");
    storage.sql.exec("DELETE FROM deliveries WHERE status = 'pending'");
    await storage.deleteAlarm();
  });
}

/** Calls `use` in the Durable Object of each account that this test file created in D1, if the object has tables. */
async function inOwnAccounts<Value>(use: (storage: DurableObjectStorage) => Value): Promise<Awaited<Value>[]> {
  const { results } = await env.DB.prepare(ACCOUNTS).all<AccountRef>();
  const used = await Promise.all(
    results
      .filter(({ id }) => !ignored.has(id))
      .map((account) =>
        runInDurableObject(accountStub(env, account), async (_, { storage }) => {
          const tables = storage.sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'jobs'").toArray();
          return tables.length === 0 ? [] : [await use(storage)];
        }),
      ),
  );
  return used.flat();
}
