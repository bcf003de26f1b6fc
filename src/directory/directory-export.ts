// Exports the directory's part of an account, and restores it from an export.
import { z } from "zod";
import { JURISDICTIONS, LOCATIONS } from "../model/account";
import { MODES } from "../model/api-key";
import { PLANS } from "../model/plan";
import { MAX_PRICE, PRICE_NAMES } from "../model/prices";
import { type Account, toColumns, updateAccount } from "../store/accounts";
import { insertAudit } from "../store/audit";
import { getAnyAccount } from "./erase";
import { pushEntries, RETRY_MS } from "./push";

/** The prices of an account in the admin API and in exports. */
export const OwnPricesSchema = z.partialRecord(z.enum(PRICE_NAMES), z.int().min(0).max(MAX_PRICE));

/** Returns the name of an account's next Durable Object: `{id}:2`, `{id}:3` and so on, after `{id}`. */
export function toNextObject({ id, object }: Pick<Account, "id" | "object">): string {
  const number = object === id ? 1 : Number(object.slice(id.length + 1));
  return `${id}:${number + 1}`;
}

/** The first line of an export: the account and its keys in the directory. */
export const DirectoryExport = z.object({
  account: z.object({
    id: z.string().min(1).max(100),
    tag: z.string().regex(/^[0-9a-f]{10}$/),
    name: z.string(),
    plan: z.enum(PLANS),
    rate_per_minute: z.number().int().nullable(),
    monthly_credits: z.number().int().nullable(),
    concurrent_jobs: z.number().int().nullable(),
    concurrent_renders: z.number().int().nullable(),
    charge_free_outcomes: z.boolean(),
    daily_credits: z.int().nullable(),
    prices: OwnPricesSchema.nullable(),
    suspended_at: z.number().int().nullable(),
    jurisdiction: z.enum(JURISDICTIONS).nullable(),
    location: z.enum(LOCATIONS).nullable(),
    created_at: z.number().int(),
  }),
  keys: z.array(
    z.object({
      id: z.string(),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      mode: z.enum(MODES),
      name: z.string().nullable(),
      prefix: z.string(),
      last4: z.string(),
      scopes: z.string(),
      allowed_ips: z.string(),
      created_at: z.number().int(),
      last_used_at: z.number().int().nullable(),
      revoked_at: z.number().int().nullable(),
      expires_at: z.number().int().nullable(),
      credit_limit: z.number().int().nullable(),
      previous_hash: z.string().nullable(),
      previous_expires_at: z.number().int().nullable(),
    }),
  ),
});
export type DirectoryExport = z.infer<typeof DirectoryExport>;

const KEY_COLUMNS = Object.keys(DirectoryExport.shape.keys.element.shape);

/**
 * Returns the account and its keys as in the directory. Keys have hashes only; their secrets aren't stored. Connected
 * applications are left out, because their grants stay in this deployment.
 */
export async function exportDirectory(db: D1Database, account: Account): Promise<DirectoryExport> {
  const { results } = await db
    .prepare(`SELECT ${KEY_COLUMNS.join(", ")} FROM api_keys WHERE account_id = ?1 AND receiver IS NULL ORDER BY id`)
    .bind(account.id)
    .all<DirectoryExport["keys"][number]>();
  const { id, tag, jurisdiction, location, createdAt } = account;
  const row = { id, tag, jurisdiction, location, ...toColumns(account), created_at: createdAt };
  // The schema removes the columns that aren't part of an export.
  return { account: DirectoryExport.shape.account.parse(row), keys: results };
}

/**
 * Reserves a Durable Object for an account that is being restored. The account was erased before, or never existed in
 * this directory. The account counts as erased until `finishRestore`. Returns null if an account with this id or tag
 * exists. If `isFree` returns true for the Durable Object in the directory, keeps this Durable Object, so that a
 * repeated call has no effect.
 */
export async function beginRestore(
  env: Env,
  { account: { id, tag, jurisdiction, location, created_at } }: DirectoryExport,
  { isFree, now }: { isFree: (account: Account) => Promise<boolean>; now: number },
): Promise<Account | null> {
  await env.DB.prepare(
    `INSERT OR IGNORE INTO accounts (id, tag, name, object, jurisdiction, location, created_at, suspended_at, erased_at)
     VALUES (?1, ?2, '', ?1, ?3, ?4, ?5, ?6, ?6)`,
  )
    .bind(id, tag, jurisdiction, location, created_at, now)
    .run();
  const account = await getAnyAccount(env.DB, id);
  if (account === null || account.erasedAt === null || account.tag !== tag) return null;
  if (await isFree(account)) return account;
  await env.DB.prepare(
    `UPDATE accounts SET object = ?2, jurisdiction = ?3, location = ?4
     WHERE id = ?1 AND object = ?5 AND erased_at IS NOT NULL`,
  )
    .bind(id, toNextObject(account), jurisdiction, location, account.object)
    .run();
  return await getAnyAccount(env.DB, id);
}

/** Removes the erased mark of a restored account and inserts its keys. Idempotent. */
export async function finishRestore(
  env: Env,
  { account, keys }: DirectoryExport,
  { actor, now }: { actor: string; now: number },
): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE accounts SET name = ?2 ->> 'name', plan = ?2 ->> 'plan', rate_per_minute = ?2 ->> 'rate_per_minute',
         monthly_credits = ?2 ->> 'monthly_credits', concurrent_jobs = ?2 ->> 'concurrent_jobs',
         concurrent_renders = ?2 ->> 'concurrent_renders', charge_free_outcomes = ?2 ->> 'charge_free_outcomes',
         suspended_at = ?2 ->> 'suspended_at', daily_credits = ?2 ->> 'daily_credits', prices = ?2 ->> 'prices',
         erased_at = NULL
       WHERE id = ?1 AND erased_at IS NOT NULL`,
    ).bind(account.id, JSON.stringify(account)),
    env.DB.prepare(
      `INSERT OR IGNORE INTO api_keys (account_id, ${KEY_COLUMNS.join(", ")})
       SELECT ?1, ${KEY_COLUMNS.map((name) => `value ->> '${name}'`).join(", ")} FROM json_each(?2)`,
    ).bind(account.id, JSON.stringify(keys)),
  ]);
  const audit = { actor, action: "account.restore" as const, accountId: account.id, detail: {}, at: now };
  await insertAudit(env.DB, audit);
  // Increases the settings' version again, so that the Durable Object replaces the exported settings with those of the
  // directory.
  await pushEntries(env, await updateAccount(env.DB, { id: account.id, change: {}, dueAt: now + RETRY_MS }));
}
