// `npm run deploy`: the service on Cloudflare, each step only where it isn't done yet.
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { type Deployment, deploy, rehearse } from "./deploy/deploy.ts";
import { PATIENCE_MS } from "./deploy/health.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const USAGE = `npm run deploy                  shows what is to be done, asks, and does it
npm run deploy -- --yes         doesn't ask
npm run deploy -- --dry-run     shows the steps and builds the Worker; asks Cloudflare nothing`;

try {
  const { values } = parseArgs({
    options: { yes: { type: "boolean", default: false }, "dry-run": { type: "boolean", default: false } },
  });
  const deployment: Deployment = {
    project: PROJECT,
    wrangler: [process.execPath, join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js")],
    say: console.log,
    confirm: async () => values.yes || (await ask("Go on? [y/N] ")),
    patienceMs: PATIENCE_MS,
  };
  await (values["dry-run"] ? rehearse(deployment) : deploy(deployment));
} catch (error) {
  const isUsage = error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  console.error(`${error instanceof Error ? error.message : error}${isUsage ? `\n\n${USAGE}` : ""}`);
  process.exitCode = 1;
}

async function ask(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error("Nobody can be asked here. Say --yes to go on with this.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
