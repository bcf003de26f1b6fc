import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type LocalSecrets, localAccountStatements } from "../../scripts/local-state.ts";
import { readMigrations } from "../../scripts/migrations.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");
/** The local account's limit of concurrent jobs. The limit is low, so that some jobs must wait for a slot. */
const CONCURRENT_JOBS = 6;

/**
 * Creates the local database in a new state folder, with the local account and its keys. The account's Durable Object
 * is opened later, by the first cron run. Throws with wrangler's output if wrangler fails.
 */
export function prepareDatabase(
  stateFolder: string,
  { secrets, ratePerMinute, env }: { secrets: LocalSecrets; ratePerMinute: number; env: NodeJS.ProcessEnv },
): void {
  const file = join(stateFolder, "local-setup.sql");
  const schema = readMigrations(PROJECT).map(({ sql }) => sql);
  const sql = [
    ...schema,
    ...localAccountStatements({ secrets, ratePerMinute, linkToken: null, concurrentJobs: CONCURRENT_JOBS }),
  ].join("\n");
  writeFileSync(file, sql, { mode: 0o600 });
  const args = ["d1", "execute", "DB", "--local", "--persist-to", stateFolder, "--file", file, "--yes"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
    cwd: PROJECT,
    env: { ...env, CI: "true" },
    encoding: "utf8",
  });
  rmSync(file, { force: true });
  if (status !== 0) throw new Error(`The local database could not be created.\n${stdout}\n${stderr}`);
}
