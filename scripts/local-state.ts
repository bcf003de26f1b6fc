import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { toLabel, toSecret } from "../src/keys/api-key.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const LOCAL_CREDITS = 100_000;
const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");

/** What the local start must know again at the next one. */
export interface LocalSecrets {
  live: string;
  test: string;
  signing: string;
  encryption: string;
}

/** The secrets that lie beside the state (mode 0600); those that aren't there yet are made. */
export function readSecrets(stateFolder: string): LocalSecrets {
  const path = join(stateFolder, "local-secrets.json");
  const kept: Partial<LocalSecrets> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const secrets = {
    live: kept.live ?? newSecret("live"),
    test: kept.test ?? newSecret("test"),
    signing: kept.signing ?? randomBytes(32).toString("hex"),
    encryption: kept.encryption ?? randomBytes(32).toString("hex"),
  };
  if (JSON.stringify(secrets) === JSON.stringify(kept)) return secrets;
  mkdirSync(stateFolder, { recursive: true });
  // Whole or not at all: what it holds can't be made again.
  writeFileSync(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return secrets;
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

/** The local account and its user as they should be at each start. Its credits come with the sweep, as every account's do. */
export function localAccountSql({ secrets, ratePerMinute, linkToken }: LocalAccount): string {
  const now = Date.now();
  const at = new Date(now).toISOString();
  const keys = (["live", "test"] as const).map((mode) => {
    const { prefix, last4 } = toLabel(secrets[mode]);
    const hash = createHash("sha256").update(secrets[mode]).digest("hex");
    return `INSERT OR IGNORE INTO api_keys (id, account_id, hash, mode, name, prefix, last4, scopes, created_at)
      VALUES ('local-${mode}', 'local', '${hash}', '${mode}', 'Local ${mode} key', '${prefix}', '${last4}',
        '["scrape","parse","serp","jobs","keys"]', ${now});`;
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
    INSERT INTO gate_pushes (key_hash, version, wake_at)
      SELECT k.hash, a.version, 0 FROM api_keys k JOIN accounts a ON a.id = k.account_id
      WHERE a.id = 'local' AND k.revoked_at IS NULL
      ON CONFLICT (key_hash) DO UPDATE SET version = excluded.version, wake_at = excluded.wake_at;
  `;
}

/** As src/accounts/links.ts makes it. */
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
