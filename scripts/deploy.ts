// `npm run deploy`: deploys the service to Cloudflare. Steps that are already done are skipped.
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type Deployment, deploy, dryRun } from "./deploy/deploy.ts";
import { HEALTH_TIMEOUT_MS } from "./deploy/health.ts";
import { inChildProcess } from "./deploy/wrangler.ts";
import { parseOptions } from "./options.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const USAGE = `npm run deploy                  shows the steps, waits for confirmation, and deploys
npm run deploy -- --yes         deploys without confirmation
npm run deploy -- --dry-run     shows the steps of a first deployment and builds the Worker, without calling Cloudflare`;

const { values } = parseOptions(USAGE, {
  options: { yes: { type: "boolean", default: false }, "dry-run": { type: "boolean", default: false } },
});

try {
  const deployment: Deployment = {
    project: PROJECT,
    runWrangler: inChildProcess(process.execPath, join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js")),
    print: console.log,
    confirm: async () => values.yes || (await confirm("Continue? [y/N] ")),
    healthTimeoutMs: HEALTH_TIMEOUT_MS,
  };
  await (values["dry-run"] ? dryRun(deployment) : deploy(deployment));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error("Confirmation requires a terminal. Add --yes to deploy without it.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
