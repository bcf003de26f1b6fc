// Prepares the local state for `npx wrangler dev`: the development secrets, the database and an account with keys.
// Wrangler runs this script in its build step (wrangler.toml), before it reads .dev.vars. It stops `wrangler deploy` if
// deploy.toml has a jurisdiction, because wrangler would create a database and a bucket outside. Other commands don't need
// local state, so the script does nothing for them.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseEnv } from "node:util";
import {
  describeMovedState,
  LOCAL_EMAIL,
  LOCAL_VARIABLES,
  type LocalSecrets,
  localAccountStatements,
  openStateFolder,
  readAdminToken,
  readSecrets,
} from "./local-state.ts";
import { hashFirstTables, readMigrations } from "./migrations.ts";
import { findService } from "./processes.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const NAME = "web-data-extraction";
const RATE_PER_MINUTE = 600;
/** The state folder of `wrangler dev` and of `npm start`. */
const STATE = join(PROJECT, ".wrangler", "state");
/**
 * This file in the runtime's folder contains the schema version of the state. It exists if the local account was
 * created.
 */
const PREPARED_FILE = "dev-schema-version";

const { WRANGLER_COMMAND: command = "", DEPLOYS_WITH_SETTINGS, npm_lifecycle_event: script } = process.env;
try {
  if (command === "dev") await prepare();
  // `npm run build` only runs a dry run.
  else if (/^(?:deploy|versions)/.test(command) && DEPLOYS_WITH_SETTINGS === undefined && script !== "build")
    await refuseJurisdiction();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Throws if deploy.toml has a jurisdiction, which wrangler ignores. */
async function refuseJurisdiction(): Promise<void> {
  const { readSettings } = await import("./deploy/settings.ts");
  const { jurisdiction, file } = readSettings(PROJECT, null);
  if (jurisdiction === null) return;
  throw new Error(
    `The service's data must stay in the jurisdiction ${jurisdiction} (${file}), which this command ignores. Run 'npm run deploy'.`,
  );
}

async function prepare(): Promise<void> {
  mkdirSync(STATE, { recursive: true, mode: 0o700 });
  const service = findService(STATE);
  if (service !== null)
    throw new Error(`npm start (process ${service}) uses the state in ${STATE}. Stop it before you run wrangler dev.`);
  const { runtimeFolder, movedTo } = openStateFolder(STATE, hashFirstTables(PROJECT));
  if (movedTo !== null) console.log(describeMovedState(movedTo));
  const secrets = readSecrets(STATE);
  writeDevVars(secrets);
  const version = String(readMigrations(PROJECT).length);
  const prepared = join(runtimeFolder, PREPARED_FILE);
  const isPrepared = existsSync(prepared) && readFileSync(prepared, "utf8") === version;
  if (!isPrepared) await createAccount(runtimeFolder, secrets);
  writeFileSync(prepared, version);
  console.log(`live key: ${secrets.live}\ntest key: ${secrets.test}`);
}

/** Adds the missing secrets and settings to .dev.vars. Never changes a line of the file. */
function writeDevVars(secrets: LocalSecrets): void {
  const file = join(PROJECT, ".dev.vars");
  const present = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  const wanted = {
    SIGNING_SECRET: secrets.signing,
    ENCRYPTION_KEY: secrets.encryption,
    ADMIN_TOKEN: readAdminToken(STATE),
    ADMIN_EMAILS: LOCAL_EMAIL,
    // Outside Cloudflare, callers can forge CF-Connecting-IP, and a host name can have a private address.
    CALLER_ADDRESS: "127.0.0.1",
    DNS_RESOLVER: "https://cloudflare-dns.com/dns-query",
    ...LOCAL_VARIABLES,
  };
  const lines = Object.entries(wanted).filter(([name]) => !(name in present));
  if (lines.length === 0) return;
  const text = lines.map(([name, value]) => `${name}="${value}"\n`).join("");
  if (existsSync(file)) appendFileSync(file, `\n${text}`);
  else writeFileSync(file, `# The settings of npx wrangler dev. Git ignores this file.\n${text}`, { mode: 0o600 });
}

/** Creates the tables and the local account with its keys. The cron opens the account's Durable Object. */
async function createAccount(runtimeFolder: string, secrets: LocalSecrets): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `${NAME}-dev-`));
  // Wrangler reads this variable when its module is loaded. It suppresses warnings about missing secrets.
  process.env.WRANGLER_LOG = "error";
  const { migrateDatabase, runCron, runStatements, startRuntime } = await import("./local-runtime.ts");
  const { productOptions, readSchema } = await import("./product.ts");
  const { bundle } = await import("./bundle.ts");
  const worker = join(folder, "worker.mjs");
  await bundle(join(PROJECT, "src", "index.ts"), worker, { minify: false });
  const bindings = { SIGNING_SECRET: secrets.signing, ENCRYPTION_KEY: secrets.encryption };
  const runtime = startRuntime(
    worker,
    { ...productOptions(bindings), name: NAME },
    { resourcePersistencePath: runtimeFolder },
  );
  try {
    const database = await runtime.getD1Database("DB", NAME);
    await migrateDatabase(database, readSchema());
    await runStatements(database, localAccountStatements({ secrets, ratePerMinute: RATE_PER_MINUTE, linkToken: null }));
    await runCron(runtime, NAME);
  } finally {
    await runtime.dispose();
    rmSync(folder, { recursive: true, force: true });
  }
}
