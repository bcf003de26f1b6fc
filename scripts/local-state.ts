import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toLabel, toSecret } from "../src/keys/secret.ts";

const LOCAL_CREDITS = 100_000;
/** The local account's limit of concurrent renders. LOCAL_JOBS is its limit of concurrent asynchronous jobs. */
const LOCAL_RENDERS = 50;
const LOCAL_JOBS = 100;
const MODES = ["live", "test"] as const;

/** In this subfolder of the state folder, the local runtime stores databases, objects and queues. */
const RUNTIME_FOLDER = "v3";
/** This file contains the hash of the tables with which the state was made. */
const TABLES_FILE = "tables";

/**
 * Creates and returns the folder for the local runtime's state. `tables` is the hash of version 1 of the tables. If the
 * state was made with other tables, this version can't use it, so it is moved to another folder. `movedTo` is the path
 * of that folder, or null if nothing was moved. The secrets stay, so the existing keys remain valid.
 */
export function openStateFolder(
  stateFolder: string,
  tables: string,
): { runtimeFolder: string; movedTo: string | null } {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  // The folder may have existed before. It must be private, because the state contains customers' results.
  chmodSync(stateFolder, 0o700);
  const [runtimeFolder, file] = [join(stateFolder, RUNTIME_FOLDER), join(stateFolder, TABLES_FILE)];
  const isOther = existsSync(runtimeFolder) && !(existsSync(file) && readFileSync(file, "utf8").trim() === tables);
  const movedTo = isOther ? toFreePath(join(stateFolder, "old-state")) : null;
  if (movedTo !== null) renameSync(runtimeFolder, movedTo);
  mkdirSync(runtimeFolder, { recursive: true });
  writeFileSync(file, `${tables}\n`);
  return { runtimeFolder, movedTo };
}

/** Returns the message about a state that `openStateFolder` has moved. */
export function describeMovedState(movedTo: string): string {
  return `The state was made by another version, whose tables differ. It was moved to ${movedTo}, and the service starts \
with empty databases. The keys stay the same.`;
}

function toFreePath(path: string): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? path : `${path}-${n}`;
    if (!existsSync(candidate)) return candidate;
  }
}

/** The API keys and secrets that stay the same across restarts of `npm start`. */
export interface LocalSecrets {
  live: string;
  test: string;
  signing: string;
  encryption: string;
}

/** The URL of the service that uses a state folder, and its admin API token. */
export interface LocalAdmin {
  url: string;
  token: string;
}

const ADMIN_TOKEN_FILE = "admin-token";
const SERVICE_URL_FILE = "service-url";

/** Returns the admin API token. Creates and stores a token if the state folder has none. */
export function readAdminToken(stateFolder: string): string {
  const path = join(stateFolder, ADMIN_TOKEN_FILE);
  if (existsSync(path)) return readFileSync(path, "utf8").trim();
  const token = randomBytes(32).toString("hex");
  writePrivate(path, `${token}\n`);
  return token;
}

/** Stores the URL of the service that uses this state folder. Removes the stored URL if `url` is null. */
export function writeServiceUrl(stateFolder: string, url: string | null): void {
  const path = join(stateFolder, SERVICE_URL_FILE);
  if (url === null) rmSync(path, { force: true });
  else writePrivate(path, `${url}\n`);
}

/** Returns the URL and the token of the admin API. Returns null if no service uses this state folder. */
export function readLocalAdmin(stateFolder: string): LocalAdmin | null {
  const path = join(stateFolder, SERVICE_URL_FILE);
  if (!existsSync(path)) return null;
  return { url: readFileSync(path, "utf8").trim(), token: readAdminToken(stateFolder) };
}

/** Returns the API keys of the local account, or null if the state folder has none. */
export function readLocalKeys(stateFolder: string): Pick<LocalSecrets, "live" | "test"> | null {
  const path = toSecretsPath(stateFolder);
  if (!existsSync(path)) return null;
  const { live, test }: Partial<LocalSecrets> = JSON.parse(readFileSync(path, "utf8"));
  return live === undefined || test === undefined ? null : { live, test };
}

/** Reads the secrets from the state folder. Creates and stores missing secrets. */
export function readSecrets(stateFolder: string): LocalSecrets {
  const path = toSecretsPath(stateFolder);
  const stored: Partial<LocalSecrets> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const secrets = {
    live: stored.live ?? newSecret("live"),
    test: stored.test ?? newSecret("test"),
    signing: stored.signing ?? randomBytes(32).toString("hex"),
    encryption: stored.encryption ?? randomBytes(32).toString("hex"),
  };
  if (JSON.stringify(secrets) !== JSON.stringify(stored)) storeSecrets(stateFolder, secrets);
  return secrets;
}

/**
 * Replaces revoked API keys with new ones and stores them. Returns the secrets to use, which are unchanged if no key is
 * revoked. `isRevoked` takes a key's SHA-256 hash in hex; `toIsRevoked` returns such a function.
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

/**
 * Lists the local account's keys. Returns no rows if the account doesn't exist, and one row of nulls if it has no keys.
 */
export const LOCAL_KEYS_SQL = `SELECT k.hash, k.revoked_at
  FROM accounts a LEFT JOIN api_keys k ON k.account_id = a.id WHERE a.id = 'local'`;

export interface LocalKeyRow {
  hash: string | null;
  revoked_at: number | null;
}

/**
 * Returns a function for `renewRevokedSecrets` that checks a key against the rows of LOCAL_KEYS_SQL. If the local
 * account exists, a key without a row also counts as revoked, because revoked keys lose their rows after 30 days. In a
 * new database, no key counts as revoked.
 */
export function toIsRevoked(rows: readonly LocalKeyRow[]): (hash: string) => boolean {
  const active = new Set(rows.filter((row) => row.revoked_at === null).map((row) => row.hash));
  return (hash) => rows.length > 0 && !active.has(hash);
}

/** Replaces the secrets file atomically, because a lost secret can't be recovered. */
function storeSecrets(stateFolder: string, secrets: LocalSecrets): void {
  mkdirSync(stateFolder, { recursive: true });
  writePrivate(toSecretsPath(stateFolder), `${JSON.stringify(secrets, null, 2)}\n`);
}

/** Atomically replaces a file that only its owner can read. */
function writePrivate(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  chmodSync(`${path}.new`, 0o600);
  renameSync(`${path}.new`, path);
}

function toSecretsPath(stateFolder: string): string {
  return join(stateFolder, "local-secrets.json");
}

function toHash(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/**
 * Writes the Worker's secrets to an env file for wrangler. If they were on a command line, every user of the machine
 * could read them.
 */
export function writeEnvFile(stateFolder: string, secrets: LocalSecrets): string {
  const path = join(stateFolder, "local-secrets.env");
  const lines = [`SIGNING_SECRET=${secrets.signing}`, `ENCRYPTION_KEY=${secrets.encryption}`];
  writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return path;
}

interface LocalAccount {
  secrets: LocalSecrets;
  ratePerMinute: number;
  /** The token of a one-time sign-in link for the local user. Null if no link is needed. */
  linkToken: string | null;
  monthlyCredits?: number;
  concurrentJobs?: number;
}

/**
 * The variables that differ in the local runtime. Its browsers can reach the private network of this machine, and all of
 * them run here.
 */
export const LOCAL_VARIABLES = { BROWSER_NETWORK: "", BROWSERS: "2" };

/** The email address of the local account's user, who is a verified admin. */
export const LOCAL_EMAIL = "local@localhost.test";
const LINK_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the SQL statements that create or update the local account, its keys and its user at each start. The cron then
 * opens the account's Durable Object, which grants the credits, and invalidates the cached keys. A key that replaces a
 * revoked key gets a new id, because the revoked key's row stays in the list.
 */
export function localAccountStatements({
  secrets,
  ratePerMinute,
  linkToken,
  monthlyCredits = LOCAL_CREDITS,
  concurrentJobs = LOCAL_JOBS,
}: LocalAccount): string[] {
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
  return [
    `INSERT OR IGNORE INTO accounts
      (id, tag, name, plan, monthly_credits, concurrent_jobs, concurrent_renders, object, created_at)
      VALUES ('local', lower(hex(randomblob(5))), 'Local account', 'enterprise', ${monthlyCredits}, ${concurrentJobs},
        ${LOCAL_RENDERS}, 'local', ${now});`,
    `UPDATE accounts SET rate_per_minute = ${ratePerMinute}, version = version + 1 WHERE id = 'local';`,
    ...keys,
    `INSERT OR IGNORE INTO users (id, name, email, email_verified, created_at, updated_at)
      VALUES ('local', 'Local user', '${LOCAL_EMAIL}', 1, '${at}', '${at}');`,
    `INSERT OR IGNORE INTO memberships (user_id, account_id, role, created_at) VALUES ('local', 'local', 'owner', ${now});`,
    ...(linkToken === null ? [] : linkStatements(linkToken, now)),
    `INSERT INTO outbox (kind, target, version, due_at)
      SELECT 'account', id, version, 0 FROM accounts WHERE id = 'local'
      UNION ALL
      SELECT 'key', k.hash, a.version, 0 FROM api_keys k JOIN accounts a ON a.id = k.account_id
      WHERE a.id = 'local' AND k.revoked_at IS NULL
      ON CONFLICT (kind, target) DO UPDATE SET version = excluded.version, due_at = excluded.due_at;`,
  ];
}

/** Returns the SQL statements that insert a sign-in link in the format of src/directory/users.ts. */
function linkStatements(token: string, now: number): string[] {
  const [at, until] = [new Date(now).toISOString(), new Date(now + LINK_MS).toISOString()];
  const identifier = createHash("sha256").update(`magic-link:${token}`).digest("hex");
  const value = JSON.stringify({ type: "magic-link", email: LOCAL_EMAIL, name: "Local user" });
  return [
    `INSERT INTO verifications (id, identifier, value, expires_at, created_at, updated_at)
      VALUES ('local-${now}', '${identifier}', '${value}', '${until}', '${at}', '${at}');`,
    `INSERT INTO audit_log (actor, action, account_id, detail, created_at)
      VALUES ('operator', 'link.create', 'local', '${JSON.stringify({ kind: "sign-in", email: LOCAL_EMAIL })}', ${now});`,
  ];
}

export function newSecret(mode: "live" | "test"): string {
  for (;;) {
    const secret = toSecret(mode, randomBytes(64));
    if (secret !== null) return secret;
  }
}
