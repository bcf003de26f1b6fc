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
  { secrets, ratePerMinute, env }: { secrets: LocalSecrets; ratePerMinute: number; env: NodeJS.ProcessEnv },
): void {
  const file = join(stateFolder, "local-setup.sql");
  const schema = readFileSync(join(PROJECT, "schema.sql"), "utf8");
  writeFileSync(file, `${schema}\n${localAccountSql(secrets, ratePerMinute)}`, { mode: 0o600 });
  const args = ["d1", "execute", "DB", "--local", "--persist-to", stateFolder, "--file", file, "--yes"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: PROJECT,
    env: { ...env, CI: "true" },
    encoding: "utf8",
  });
  rmSync(file, { force: true });
  if (status !== 0) throw new Error(`The local database could not be made.\n${stdout}\n${stderr}`);
}

/** The local account as it should be at each start. Its credits come with the sweep, as every account's do. */
export function localAccountSql(secrets: LocalSecrets, ratePerMinute: number): string {
  const now = Date.now();
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
    INSERT INTO gate_pushes (key_hash, version, wake_at)
      SELECT k.hash, a.version, 0 FROM api_keys k JOIN accounts a ON a.id = k.account_id
      WHERE a.id = 'local' AND k.revoked_at IS NULL
      ON CONFLICT (key_hash) DO UPDATE SET version = excluded.version, wake_at = excluded.wake_at;
  `;
}

export function newSecret(mode: "live" | "test"): string {
  for (;;) {
    const secret = toSecret(mode, randomBytes(64));
    if (secret !== null) return secret;
  }
}
