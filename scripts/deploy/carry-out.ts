import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDatabase } from "./look.ts";
import type { Step } from "./plan.ts";
import { type Wanted, withDatabaseId } from "./wanted.ts";
import type { Result, Wrangler } from "./wrangler.ts";

interface Options {
  project: string;
  wrangler: Wrangler;
  wanted: Wanted;
}

/** Does one step. Answers with the Worker's addresses when that was its deployment. Throws with wrangler's own words. */
export async function carryOut(step: Exclude<Step, { kind: "look" }>, options: Options): Promise<string[]> {
  const { project, wrangler, wanted } = options;
  switch (step.kind) {
    case "create database":
      check(await wrangler.ask(["d1", "create", wanted.database.name]));
      nameDatabase(options, await findDatabase(wrangler, wanted.database.name));
      return [];
    case "name database":
      nameDatabase(options, step.id);
      return [];
    case "create bucket":
      check(await wrangler.ask(["r2", "bucket", "create", wanted.bucket]));
      return [];
    case "create queue":
      check(await wrangler.ask(["queues", "create", step.queue]));
      return [];
    case "apply schema": {
      const file = join(project, "schema.sql");
      check(await wrangler.run(["d1", "execute", wanted.database.name, "--remote", "--yes", "--file", file]));
      return [];
    }
    case "set rule": {
      const { name, prefix, days } = step.rule;
      const rules = ["r2", "bucket", "lifecycle"];
      if (step.replaces) check(await wrangler.ask([...rules, "remove", wanted.bucket, "--name", name]));
      check(await wrangler.ask([...rules, "add", wanted.bucket, name, prefix, "--expire-days", String(days)]));
      return [];
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

/**
 * Secrets go up with the Worker, in one request: it is never there without them, and a deployment that failed has left none
 * whose value nobody knows to be in use.
 */
async function deployWorker(secrets: string[], { wrangler }: Options): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "web-data-extraction-deploy-"));
  const [secretsFile, report] = [join(folder, "secrets.json"), join(folder, "report.ndjson")];
  // Ctrl-C ends wrangler, and so this step: the file with the secrets is still taken away.
  const goOn = () => {};
  process.on("SIGINT", goOn);
  try {
    const values = Object.fromEntries(secrets.map((name) => [name, randomBytes(32).toString("hex")]));
    if (secrets.length > 0) writeFileSync(secretsFile, JSON.stringify(values), { mode: 0o600 });
    const args = ["deploy", ...(secrets.length > 0 ? ["--secrets-file", secretsFile] : [])];
    check(await wrangler.run(args, { WRANGLER_OUTPUT_FILE_PATH: report }));
    return readTargets(readFileSync(report, "utf8"));
  } finally {
    process.off("SIGINT", goOn);
    rmSync(folder, { recursive: true, force: true });
  }
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
