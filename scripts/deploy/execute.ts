import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { toAdminTokenFile } from "../admin/token-file.ts";
import type { Migration } from "../migrations.ts";
import type { DeployConfig } from "./config.ts";
import type { Step } from "./plan.ts";
import { ADMIN_TOKEN, DATA_JURISDICTION, type Wanted } from "./wanted.ts";
import { type Result, toRegionOptions, type Wrangler } from "./wrangler.ts";

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
  const region = toRegionOptions(wanted.settings);
  switch (step.kind) {
    case "create database":
      check(await wrangler.runWithoutBindings(["d1", "create", wanted.database.name, ...region]));
      return {};
    case "create bucket":
      check(await wrangler.runWithoutBindings(["r2", "bucket", "create", wanted.bucket, ...region]));
      return {};
    case "create queue":
      check(
        await wrangler.runWithoutBindings([
          "queues",
          "create",
          step.queue,
          ...toRegionOptions(wanted.settings, ["jurisdiction"]),
        ]),
      );
      return {};
    case "migrate":
      await applyMigration(step.migration, options);
      return {};
    case "set rule": {
      const { name, prefix, days } = step.rule;
      const jurisdiction = toRegionOptions(wanted.settings, ["jurisdiction"]);
      const run = async (verb: string, ...args: string[]) =>
        check(
          await wrangler.runWithoutBindings([
            ...["r2", "bucket", "lifecycle", verb, wanted.bucket],
            ...args,
            ...jurisdiction,
          ]),
        );
      if (step.replaces) await run("remove", "--name", name);
      await run("add", name, prefix, "--expire-days", String(days));
      return {};
    }
    case "deploy":
      return await deployWorker(step, options);
  }
}

function check({ ok, output }: Result): void {
  if (!ok) throw new Error(output);
}

/** Applies a migration and records its version. D1 executes the whole file in one transaction. */
async function applyMigration({ sql, version }: Migration, { project, wrangler, wanted }: Options): Promise<void> {
  const file = join(project, ".cache", `migration-${version}.sql`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sql);
  check(
    await wrangler.runWithoutBindings(["d1", "execute", wanted.database.name, "--remote", "--yes", "--file", file]),
  );
  rmSync(file);
}

/**
 * Deploys the Worker and its new secrets in one request. Therefore, the Worker never runs without its secrets. If the
 * deployment fails, no secrets are stored.
 */
async function deployWorker(
  { secrets, workersAi }: Extract<Step, { kind: "deploy" }>,
  { project, wrangler, wanted }: Options,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "web-data-extraction-deploy-"));
  const [secretsFile, report] = [join(folder, "secrets.json"), join(folder, "report.ndjson")];
  // Ctrl-C also ends wrangler, so this step fails. This process ignores the signal, because it must still remove the
  // files.
  const ignoreSignal = () => {};
  process.on("SIGINT", ignoreSignal);
  try {
    const toValue = (name: string) =>
      name === DATA_JURISDICTION ? (wanted.settings.jurisdiction ?? "") : randomBytes(32).toString("hex");
    const values = Object.fromEntries(secrets.map((name) => [name, toValue(name)]));
    if (secrets.length > 0) writeFileSync(secretsFile, JSON.stringify(values), { mode: 0o600 });
    const token = values[ADMIN_TOKEN];
    const notes = token === undefined ? [] : [storeAdminToken(project, toAdminTokenFile(wanted.environment), token)];
    const args = secrets.length > 0 ? ["--secrets-file", secretsFile] : [];
    const deploy = async (analytics: boolean) =>
      await withConfig(project, toDeployedConfig(wanted, { workersAi, analytics }), (config) =>
        wrangler.run(["deploy", ...args, "--config", config], { WRANGLER_OUTPUT_FILE_PATH: report }),
      );
    let result = await deploy(true);
    if (!result.ok && result.output.includes(NO_ANALYTICS_CODE)) {
      notes.push(NO_ANALYTICS);
      result = await deploy(false);
    }
    check(result);
    const [address] = readTargets(readFileSync(report, "utf8"));
    return { notes, ...(address === undefined ? {} : { address }) };
  } finally {
    process.off("SIGINT", ignoreSignal);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the configuration of an environment with the bindings that depend on the Cloudflare account. */
export function toDeployedConfig(
  { config, worker }: Wanted,
  { workersAi, analytics }: { workersAi: boolean; analytics: boolean },
): DeployConfig {
  const dataset = worker.replaceAll("-", "_");
  return {
    ...config,
    ...(workersAi ? { ai: { binding: "AI" } } : {}),
    ...(analytics ? { analytics_engine_datasets: [{ binding: "ANALYTICS", dataset }] } : {}),
  };
}

/**
 * Writes a configuration to a temporary file, calls `work` with its path and removes the file. The file is next to
 * wrangler.toml, because the paths in a configuration are relative to it.
 */
export async function withConfig<T>(
  project: string,
  config: DeployConfig,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(project, `wrangler.deploy-${config.name}.json`);
  writeFileSync(path, JSON.stringify(config, null, 2));
  try {
    return await work(path);
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * Cloudflare returns this error code for a binding to Analytics Engine if the account hasn't enabled Analytics Engine
 * (workers-sdk #5940).
 */
const NO_ANALYTICS_CODE = "[code: 10089]";
const NO_ANALYTICS = `Analytics Engine isn't enabled in this account, so requests and ended jobs aren't recorded there.
Enable it at https://dash.cloudflare.com/?to=/:account/workers/analytics-engine and deploy again.`;

/**
 * Stores the admin API token in a private file, because Cloudflare can't show it again. Returns a message with its
 * path.
 */
function storeAdminToken(project: string, name: string, token: string): string {
  const file = join(project, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return `The admin API token is stored in ${name}. npm run admin reads it from there.`;
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
