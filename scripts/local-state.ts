import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { toLabel, toSecret } from "../src/model/api-key.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const LOCAL_CREDITS = 100_000;
const MODES = ["live", "test"] as const;
const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");

/** What the local start must know again at the next one. */
export interface LocalSecrets {
  live: string;
  test: string;
  signing: string;
  encryption: string;
}

/** Reads the secrets that are stored in the state folder. Makes and stores those that aren't there yet. */
export function readSecrets(stateFolder: string): LocalSecrets {
  const path = toSecretsPath(stateFolder);
  const kept: Partial<LocalSecrets> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const secrets = {
    live: kept.live ?? newSecret("live"),
    test: kept.test ?? newSecret("test"),
    signing: kept.signing ?? randomBytes(32).toString("hex"),
    encryption: kept.encryption ?? randomBytes(32).toString("hex"),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(kept)) storeSecrets(stateFolder, secrets);
  return secrets;
}

/**
 * Replaces the secrets of revoked keys with new ones, and stores them. Returns the secrets for this start: the given ones if
 * no key is revoked. `isRevoked` takes a key's SHA-256 in hex: see `toIsRevoked`.
 */
export function renewRevokedSecrets(
  stateFolder: string,
  secrets: LocalSecrets,
  isRevoked: (hash: string) => boolean,
): LocalSecrets {
  const modes = MODES.filter((mode) => isRevoked(toHash(secrets[mode])));
  if (modes.length === 0) return secrets;
  const renewed = { ...secrets };
  for (const mode of modes) renewed[mode] = newSecret(mode);
  storeSecrets(stateFolder, renewed);
  return renewed;
}

/** Lists the local account's keys. Returns no row if there is no local account, and one of nulls if it has no key. */
export const LOCAL_KEYS_SQL = `SELECT k.hash, k.revoked_at
  FROM accounts a LEFT JOIN api_keys k ON k.account_id = a.id WHERE a.id = 'local'`;

export interface LocalKeyRow {
  hash: string | null;
  revoked_at: number | null;
}

/**
 * Returns the function that `renewRevokedSecrets` takes, from the rows of LOCAL_KEYS_SQL. In a database that has the local
 * account, a key without a row is revoked too: rows of revoked keys are deleted after 30 days. In a new database no key is.
 */
export function toIsRevoked(rows: readonly LocalKeyRow[]): (hash: string) => boolean {
  const active = new Set(rows.filter((row) => row.revoked_at === null).map((row) => row.hash));
  return (hash) => rows.length > 0 && !active.has(hash);
}

/** Replaces the whole file at once: a secret that is lost can't be made again. */
function storeSecrets(stateFolder: string, secrets: LocalSecrets): void {
  const path = toSecretsPath(stateFolder);
  mkdirSync(stateFolder, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}

function toSecretsPath(stateFolder: string): string {
  return join(stateFolder, "local-secrets.json");
}

function toHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** The Worker's secrets as a file for wrangler: on a command line, every user of the machine could read them. */
export function writeEnvFile(stateFolder: string, secrets: LocalSecrets): string {
  const path = join(stateFolder, "local-secrets.env");
  const lines = [`SIGNING_SECRET=${secrets.signing}`, `ENCRYPTION_KEY=${secrets.encryption}`];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

/** Makes the local D1 from schema.sql, with the local account and its two keys. May be repeated. Throws with wrangler's own words. */
export function prepareDatabase(
  stateFolder: string,
  { secrets, ratePerMinute, linkToken, env }: LocalAccount & { env: NodeJS.ProcessEnv },
): void {
  const file = join(stateFolder, "local-setup.sql");
  const schema = readFileSync(join(PROJECT, "schema.sql"), "utf8");
  writeFileSync(file, `${schema}\n${localAccountSql({ secrets, ratePerMinute, linkToken })}`, { mode: 0o600 });
  const args = ["d1", "execute", "DB", "--local", "--persist-to", stateFolder, "--file", file, "--yes"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: PROJECT,
    env: { ...env, CI: "true" },
    encoding: "utf8",
  });
  rmSync(file, { force: true });
  if (status !== 0) throw new Error(`The local database could not be made.\n${stdout}\n${stderr}`);
}

interface LocalAccount {
  secrets: LocalSecrets;
  ratePerMinute: number;
  /** Signs the local user in to the dashboard, once; null: no link is wanted. */
  linkToken: string | null;
}

/** The user of the local account: an admin, and verified. */
export const LOCAL_EMAIL = "local@localhost.test";
const LINK_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the SQL that makes the local account, its keys and its user what they should be at each start. The cron grants the
 * credits, as it does for every account. A key in place of a revoked one gets an id of its own: the revoked row stays listed.
 */
export function localAccountSql({ secrets, ratePerMinute, linkToken }: LocalAccount): string {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const keys = MODES.map((mode) => {
    const { prefix, last4 } = toLabel(secrets[mode]);
    const hash = toHash(secrets[mode]);
    const id = `local-${mode}`;
    return `INSERT OR IGNORE INTO api_keys (id, account_id, hash, mode, name, prefix, last4, scopes, created_at)
      SELECT iif(EXISTS (SELECT 1 FROM api_keys WHERE id = '${id}'), '${id}-${hash.slice(0, 8)}', '${id}'), 'local',
        '${hash}', '${mode}', 'Local ${mode} key', '${prefix}', '${last4}', '["scrape","parse","serp","jobs","keys"]', ${now};`;
  });
  return `INSERT OR IGNORE INTO accounts
      (id, name, plan, monthly_credits, period_start, next_grant_at, created_at)
      VALUES ('local', 'Local account', 'enterprise', ${LOCAL_CREDITS}, ${now}, ${now}, ${now});
    UPDATE accounts SET rate_per_minute = ${ratePerMinute}, version = version + 1 WHERE id = 'local';
    ${keys.join("\n")}
    INSERT OR IGNORE INTO users (id, name, email, email_verified, created_at, updated_at)
      VALUES ('local', 'Local user', '${LOCAL_EMAIL}', 1, '${at}', '${at}');
    INSERT OR IGNORE INTO members (user_id, account_id, created_at) VALUES ('local', 'local', ${now});
    ${linkToken === null ? "" : linkSql(linkToken, now)}
    INSERT INTO key_invalidations (key_hash, version, wake_at)
      SELECT k.hash, a.version, 0 FROM api_keys k JOIN accounts a ON a.id = k.account_id
      WHERE a.id = 'local' AND k.revoked_at IS NULL
      ON CONFLICT (key_hash) DO UPDATE SET version = excluded.version, wake_at = excluded.wake_at;
  `;
}

/** As src/directory/links.ts makes it. */
function linkSql(token: string, now: number): string {
  const [at, until] = [new Date(now).toISOString(), new Date(now + LINK_MS).toISOString()];
  const identifier = createHash("sha256").update(`magic-link:${token}`).digest("hex");
  const value = JSON.stringify({ type: "magic-link", email: LOCAL_EMAIL, name: "Local user" });
  return `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
    VALUES ('local-${now}', '${identifier}', '${value}', '${until}', '${at}', '${at}');
    INSERT INTO audit_log (actor, action, account_id, detail, created_at)
    VALUES ('operator', 'link.create', 'local', '${JSON.stringify({ kind: "sign-in", email: LOCAL_EMAIL })}', ${now});`;
}

export function newSecret(mode: "live" | "test"): string {
  for (;;) {
    const secret = toSecret(mode, randomBytes(64));
    if (secret !== null) return secret;
  }
}
