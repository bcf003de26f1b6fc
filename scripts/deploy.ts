// `npm run deploy`: deploys the service to Cloudflare. Steps that are already done are skipped.
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { type Deployment, deploy, dryRun } from "./deploy/deploy.ts";
import { HEALTH_TIMEOUT_MS } from "./deploy/health.ts";
import { readRegion } from "./deploy/settings.ts";
import { runVerification, verifyDeployment } from "./deploy/verify/command.ts";
import { inChildProcess } from "./deploy/wrangler.ts";
import { parseOptions } from "./options.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const USAGE = `npm run deploy                  shows the steps, waits for confirmation, and deploys

  --env NAME            deploys a separate service, whose Worker, database, bucket and queues have the suffix NAME
  --location NAME       stores a new service's data near wnam, enam, weur, eeur, apac or oc
  --jurisdiction NAME   stores a new service's data only in eu, us or fedramp
  --yes                 deploys without confirmation
  --no-verify           doesn't test the deployed service
  --dry-run             shows the steps of a first deployment and builds the Worker, without calling Cloudflare
  --help                prints this help

npm run deploy -- --verify      tests a deployed service with a key for this run, and prints the differences

  --env NAME            the environment to test, if it isn't the default one
  --url URL             the URL of the service (default: the URL of its last deployment)
  --persist-to DIR      tests the local service that uses this state folder instead
  --receiver URL        a public https URL that answers POST requests with a 2xx status, for webhooks
  --targets FILE        a JSON file with addresses that replace the public test addresses`;

const { values } = parseOptions(USAGE, {
  options: {
    env: { type: "string" },
    location: { type: "string" },
    jurisdiction: { type: "string" },
    yes: { type: "boolean", default: false },
    "dry-run": { type: "boolean", default: false },
    verify: { type: "boolean", default: false },
    "no-verify": { type: "boolean", default: false },
    url: { type: "string" },
    "persist-to": { type: "string" },
    receiver: { type: "string" },
    targets: { type: "string" },
  },
});

/** The options that don't apply to a mode. They are refused, because they would have no effect. */
const REFUSED = {
  deploy: ["url", "persist-to"],
  "dry-run": ["verify", "no-verify", "yes", "url", "persist-to", "receiver", "targets"],
  verify: ["no-verify", "yes", "location", "jurisdiction"],
} as const;

try {
  const mode = values["dry-run"] ? "dry-run" : values.verify ? "verify" : "deploy";
  const refused = REFUSED[mode].find((name) => values[name] !== undefined && values[name] !== false);
  if (refused !== undefined)
    throw new Error(
      mode === "deploy" ? `--${refused} only applies with --verify.` : `--${refused} can't be combined with --${mode}.`,
    );
  const deployment: Deployment = {
    project: PROJECT,
    environment: values.env ?? null,
    region: readRegion({ location: values.location, jurisdiction: values.jurisdiction }, (name) => `--${name}`),
    runWrangler: inChildProcess(process.execPath, join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js")),
    print: console.log,
    // In Workers Builds, the operator has started the build.
    confirm: async () => values.yes || process.env.WORKERS_CI === "1" || (await confirm("Continue? [y/N] ")),
    healthTimeoutMs: HEALTH_TIMEOUT_MS,
  };
  const { environment, project, print } = deployment;
  const verification = { ...values, environment, project, print };
  if (mode === "dry-run") await dryRun(deployment);
  else if (mode === "verify") setExitCode(await runVerification(verification));
  else {
    const { base } = await deploy(deployment);
    if (!values["no-verify"]) setExitCode(await verifyDeployment(base, verification));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function setExitCode(succeeded: boolean): void {
  if (!succeeded) process.exitCode = 1;
}

async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Error("Confirmation requires a terminal. Add --yes to deploy without it.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
