import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Migration } from "../migrations.ts";
import { findDatabase } from "./inspect.ts";
import type { Step } from "./plan.ts";
import { ADMIN_TOKEN, type Wanted, withDatabaseId } from "./wanted.ts";
import type { Result, Wrangler } from "./wrangler.ts";

interface Options {
  project: string;
  wrangler: Wrangler;
  wanted: Wanted;
}

/** The results of a step. Later steps or the operator need them. */
export interface Outcome {
  /** The Worker's address. Present if the step deployed the Worker and wrangler reported an address. */
  address?: string;
  /** Messages that are printed after the last step. */
  notes?: string[];
}

/** Executes one step. Throws with wrangler's output if a command fails. */
export async function executeStep(step: Exclude<Step, { kind: "check health" }>, options: Options): Promise<Outcome> {
  const { wrangler, wanted } = options;
  switch (step.kind) {
    case "create database":
      check(await wrangler.runWithoutBindings(["d1", "create", wanted.database.name]));
      writeDatabaseId(options, await findDatabase(wrangler, wanted.database.name));
      return {};
    case "write database id":
      writeDatabaseId(options, step.id);
      return {};
    case "create bucket":
      check(await wrangler.runWithoutBindings(["r2", "bucket", "create", wanted.bucket]));
      return {};
    case "create queue":
      check(await wrangler.runWithoutBindings(["queues", "create", step.queue]));
      return {};
    case "migrate":
      await applyMigration(step.migration, options);
      return {};
    case "set rule": {
      const { name, prefix, days } = step.rule;
      const rules = ["r2", "bucket", "lifecycle"];
      if (step.replaces) check(await wrangler.runWithoutBindings([...rules, "remove", wanted.bucket, "--name", name]));
      check(
        await wrangler.runWithoutBindings([
          ...rules,
          "add",
          wanted.bucket,
          name,
          prefix,
          "--expire-days",
          String(days),
        ]),
      );
      return {};
    }
    case "deploy":
      return await deployWorker(step.secrets, options);
  }
}

function check({ ok, output }: Result): void {
  if (!ok) throw new Error(output);
}

function writeDatabaseId({ project, wanted }: Options, id: string | null): void {
  if (id === null)
    throw new Error(`The database ${wanted.database.name} was created, but Cloudflare doesn't list it yet.`);
  const file = join(project, "wrangler.toml");
  writeFileSync(file, withDatabaseId(readFileSync(file, "utf8"), { from: wanted.database.id, to: id }));
}

/** Applies a migration and records its version. D1 executes the whole file in one transaction. */
async function applyMigration({ sql, version }: Migration, { project, wrangler, wanted }: Options): Promise<void> {
  const file = join(project, ".cache", `migration-${version}.sql`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sql);
  check(await wrangler.run(["d1", "execute", wanted.database.name, "--remote", "--yes", "--file", file]));
  rmSync(file);
}

/**
 * Deploys the Worker and its new secrets in one request. Therefore, the Worker never runs without its secrets. If the
 * deployment fails, no secrets are stored.
 */
async function deployWorker(secrets: string[], { project, wrangler }: Options): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "web-data-extraction-deploy-"));
  const [secretsFile, report] = [join(folder, "secrets.json"), join(folder, "report.ndjson")];
  const configWithAnalytics = join(project, "wrangler.analytics.toml");
  // Ctrl-C also ends wrangler, so this step fails. This process ignores the signal, because it must still remove the
  // files.
  const ignoreSignal = () => {};
  process.on("SIGINT", ignoreSignal);
  try {
    const values = Object.fromEntries(secrets.map((name) => [name, randomBytes(32).toString("hex")]));
    if (secrets.length > 0) writeFileSync(secretsFile, JSON.stringify(values), { mode: 0o600 });
    const token = values[ADMIN_TOKEN];
    const notes = token === undefined ? [] : [storeAdminToken(project, token)];
    const args = ["deploy", ...(secrets.length > 0 ? ["--secrets-file", secretsFile] : [])];
    const run = (more: string[]) => wrangler.run([...args, ...more], { WRANGLER_OUTPUT_FILE_PATH: report });
    const toml = toTomlWithAnalytics(readFileSync(join(project, "wrangler.toml"), "utf8"));
    if (toml !== null) writeFileSync(configWithAnalytics, toml);
    let result = await run(toml === null ? [] : ["--config", configWithAnalytics]);
    if (!result.ok && toml !== null && result.output.includes(NO_ANALYTICS_CODE)) {
      notes.push(NO_ANALYTICS);
      result = await run([]);
    }
    check(result);
    const [address] = readTargets(readFileSync(report, "utf8"));
    return { notes, ...(address === undefined ? {} : { address }) };
  } finally {
    process.off("SIGINT", ignoreSignal);
    rmSync(folder, { recursive: true, force: true });
    rmSync(configWithAnalytics, { force: true });
  }
}

/**
 * Cloudflare returns this error code for a binding to Analytics Engine if the account hasn't enabled Analytics Engine
 * (workers-sdk #5940).
 */
const NO_ANALYTICS_CODE = "[code: 10089]";
const NO_ANALYTICS = `Analytics Engine isn't enabled in this account, so job events aren't recorded and 'npm run jobs' finds no jobs.
Enable it at https://dash.cloudflare.com/?to=/:account/workers/analytics-engine and deploy again.`;

/**
 * Returns the text of wrangler.toml with the binding to Analytics Engine uncommented. The binding is a comment because
 * only a deployment shows whether the account has enabled Analytics Engine. Returns null if the operator has changed
 * these lines.
 */
export function toTomlWithAnalytics(toml: string): string | null {
  const commented = /^# (\[\[analytics_engine_datasets\]\])\n# (binding = "ANALYTICS")\n# (dataset = ".*")$/m;
  return commented.test(toml) ? toml.replace(commented, "$1\n$2\n$3") : null;
}

/**
 * Stores the admin API token in a private file, because Cloudflare can't show it again. Returns a message with its
 * path.
 */
function storeAdminToken(project: string, token: string): string {
  const file = join(project, ".wrangler", "admin-token");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return "The admin API token is stored in .wrangler/admin-token. npm run account reads it from there.";
}

/**
 * Returns the Worker's URLs from the report that wrangler writes as lines of JSON. The `targets` in the report also
 * include crons and queues.
 */
function readTargets(report: string): string[] {
  const entries = report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { type: string; targets?: string[] });
  const targets = entries.find(({ type }) => type === "deploy")?.targets ?? [];
  return targets.filter((target) => /^https?:\/\//.test(target));
}
