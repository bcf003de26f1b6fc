import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Migration } from "../migrations.ts";
import { findDatabase } from "./look.ts";
import type { Step } from "./plan.ts";
import { ADMIN_TOKEN, type Wanted, withDatabaseId } from "./wanted.ts";
import type { Result, Wrangler } from "./wrangler.ts";

interface Options {
  project: string;
  wrangler: Wrangler;
  wanted: Wanted;
}

/** What a step has brought about. */
export interface Outcome {
  /** The Worker's address, if the step has deployed it and wrangler has said one. */
  address?: string;
  /** What the operator must know in the end. */
  notes?: string[];
}

/** Does one step. Throws with wrangler's own words. */
export async function carryOut(step: Exclude<Step, { kind: "look" }>, options: Options): Promise<Outcome> {
  const { wrangler, wanted } = options;
  switch (step.kind) {
    case "create database":
      check(await wrangler.ask(["d1", "create", wanted.database.name]));
      nameDatabase(options, await findDatabase(wrangler, wanted.database.name));
      return {};
    case "name database":
      nameDatabase(options, step.id);
      return {};
    case "create bucket":
      check(await wrangler.ask(["r2", "bucket", "create", wanted.bucket]));
      return {};
    case "create queue":
      check(await wrangler.ask(["queues", "create", step.queue]));
      return {};
    case "migrate":
      await applyMigration(step.migration, options);
      return {};
    case "set rule": {
      const { name, prefix, days } = step.rule;
      const rules = ["r2", "bucket", "lifecycle"];
      if (step.replaces) check(await wrangler.ask([...rules, "remove", wanted.bucket, "--name", name]));
      check(await wrangler.ask([...rules, "add", wanted.bucket, name, prefix, "--expire-days", String(days)]));
      return {};
    }
    case "deploy":
      return await deployWorker(step.secrets, options);
  }
}

function check({ ok, words }: Result): void {
  if (!ok) throw new Error(words);
}

function nameDatabase({ project, wanted }: Options, id: string | null): void {
  if (id === null) throw new Error(`The database ${wanted.database.name} was made, but isn't listed yet.`);
  const file = join(project, "wrangler.toml");
  writeFileSync(file, withDatabaseId(readFileSync(file, "utf8"), { from: wanted.database.id, to: id }));
}

/** Applies the file and records its version. D1 applies all of it, or nothing. */
async function applyMigration({ sql, version }: Migration, { project, wrangler, wanted }: Options): Promise<void> {
  const file = join(project, ".cache", `migration-${version}.sql`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sql);
  check(await wrangler.run(["d1", "execute", wanted.database.name, "--remote", "--yes", "--file", file]));
  rmSync(file);
}

/**
 * Deploys the Worker together with its new secrets, in one request: it is never there without them, and a deployment
 * that failed has left none.
 */
async function deployWorker(secrets: string[], { project, wrangler }: Options): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "web-data-extraction-deploy-"));
  const [secretsFile, report] = [join(folder, "secrets.json"), join(folder, "report.ndjson")];
  const withAnalytics = join(project, "wrangler.analytics.toml");
  // Ctrl-C ends wrangler, and so this step. The files are still removed.
  const goOn = () => {};
  process.on("SIGINT", goOn);
  try {
    const values = Object.fromEntries(secrets.map((name) => [name, randomBytes(32).toString("hex")]));
    if (secrets.length > 0) writeFileSync(secretsFile, JSON.stringify(values), { mode: 0o600 });
    const token = values[ADMIN_TOKEN];
    const notes = token === undefined ? [] : [storeAdminToken(project, token)];
    const args = ["deploy", ...(secrets.length > 0 ? ["--secrets-file", secretsFile] : [])];
    const run = (more: string[]) => wrangler.run([...args, ...more], { WRANGLER_OUTPUT_FILE_PATH: report });
    const toml = toTomlWithAnalytics(readFileSync(join(project, "wrangler.toml"), "utf8"));
    if (toml !== null) writeFileSync(withAnalytics, toml);
    let result = await run(toml === null ? [] : ["--config", withAnalytics]);
    if (!result.ok && toml !== null && result.words.includes(NO_ANALYTICS_CODE)) {
      notes.push(NO_ANALYTICS);
      result = await run([]);
    }
    check(result);
    const [address] = readTargets(readFileSync(report, "utf8"));
    return { notes, ...(address === undefined ? {} : { address }) };
  } finally {
    process.off("SIGINT", goOn);
    rmSync(folder, { recursive: true, force: true });
    rmSync(withAnalytics, { force: true });
  }
}

/** Cloudflare's code for a binding to Analytics Engine in an account where it isn't enabled (workers-sdk #5940). */
const NO_ANALYTICS_CODE = "[code: 10089]";
const NO_ANALYTICS = `Analytics Engine isn't enabled in this account, so no events of jobs are recorded and 'npm run jobs' has no
answers. Enable it at https://dash.cloudflare.com/?to=/:account/workers/analytics-engine and deploy again.`;

/**
 * Returns wrangler.toml with the binding to Analytics Engine, which stands there as a comment. Only a deployment shows
 * whether the account has it. Returns null if the operator has changed these lines.
 */
export function toTomlWithAnalytics(toml: string): string | null {
  const commented = /^# (\[\[analytics_engine_datasets\]\])\n# (binding = "ANALYTICS")\n# (dataset = ".*")$/m;
  return commented.test(toml) ? toml.replace(commented, "$1\n$2\n$3") : null;
}

/** Stores the admin API's token for its owner alone, because Cloudflare doesn't show it again. */
function storeAdminToken(project: string, token: string): string {
  const file = join(project, ".wrangler", "admin-token");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return "The token of the admin API is in .wrangler/admin-token: ADMIN_TOKEN=$(cat .wrangler/admin-token) npm run account -- …";
}

/** The addresses in wrangler's own report: lines of JSON. Routes, crons and queues stand among them. */
function readTargets(report: string): string[] {
  const entries = report
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { type: string; targets?: string[] });
  const targets = entries.find(({ type }) => type === "deploy")?.targets ?? [];
  return targets.filter((target) => /^https?:\/\//.test(target));
}
