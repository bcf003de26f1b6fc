import { executeStep, toDeployedConfig, withConfig } from "./execute.ts";
import { checkHealth } from "./health.ts";
import { withHint } from "./hints.ts";
import { type Account, findAccount, inspectAccount } from "./inspect.ts";
import { describe, EMPTY_ACCOUNT, type Step, toPlan } from "./plan.ts";
import { storeRegion } from "./settings.ts";
import { type Choice, readWanted, type Wanted } from "./wanted.ts";
import { type RunWrangler, toWrangler } from "./wrangler.ts";

export interface Deployment extends Choice {
  /** The folder with wrangler.toml, schema.sql and migrations/. */
  project: string;
  runWrangler: RunWrangler;
  print: (text: string) => void;
  /** Returns true if the operator confirms the printed steps. */
  confirm: () => Promise<boolean>;
  /** The maximum time (ms) until a new deployment responds. */
  healthTimeoutMs: number;
}

/** The service that a deployment made available. */
export interface Deployed {
  worker: string;
  /** The base URL of the service. Null if wrangler reported no address and PUBLIC_URL isn't set. */
  base: string | null;
}

/**
 * Compares the Cloudflare account with the configuration and prints the missing steps. Executes them after
 * confirmation. If a step fails, throws an error that says how to continue.
 */
export async function deploy(deployment: Deployment): Promise<Deployed> {
  const { project, runWrangler, print, confirm, healthTimeoutMs } = deployment;
  const wanted = readWanted(project, deployment);
  const wrangler = toWrangler({ project, runWrangler, wanted });
  const account = await findAccount(wrangler, wanted).catch((error: unknown) => {
    throw new Error(toMessage(error), { cause: error });
  });
  print(`Checking the resources of the account ${account.name} …`);
  const found = await inspectAccount(wrangler, wanted).catch((error: unknown) => {
    throw new Error(`The resources of the account can't be read.\n\n${toMessage(error)}\n\nNothing was changed.`, {
      cause: error,
    });
  });
  const steps = toPlan(wanted, found);
  print(toList(steps, wanted));
  if (!(await confirm())) throw new Error("Canceled. Nothing was changed.");
  if (wanted.newRegion !== null) storeRegion(project, wanted.settings.file, wanted.newRegion);

  let base = wanted.publicUrl;
  const notes: string[] = [];
  for (const [index, step] of steps.entries()) {
    print(`${index + 1}/${steps.length}  ${describe(step, wanted)} …`);
    try {
      if (step.kind !== "check health") {
        const outcome = await executeStep(step, { project, wrangler, wanted });
        base ??= outcome.address ?? null;
        notes.push(...(outcome.notes ?? []));
      } else if (base !== null) await checkHealth(base, healthTimeoutMs);
    } catch (error) {
      throw new Error(toFailure(index, steps, wanted, error), { cause: error });
    }
  }
  for (const note of notes) print(`\n${note}`);
  print(
    toNextSteps({ base, wanted, account, workersAi: steps.some((step) => step.kind === "deploy" && step.workersAi) }),
  );
  return { worker: wanted.worker, base };
}

/**
 * Prints the steps of a first deployment and builds the Worker. Doesn't call Cloudflare, so it works without a login.
 */
export async function dryRun(deployment: Deployment): Promise<void> {
  const { project, runWrangler, print } = deployment;
  const wanted = readWanted(project, deployment);
  const steps = toPlan({ ...wanted, database: { ...wanted.database, id: null } }, EMPTY_ACCOUNT);
  print(toList(steps, wanted));
  print(
    "A deployment skips the steps that are already done. A dry run doesn't check which ones are. Building the Worker …",
  );
  const wrangler = toWrangler({ project, runWrangler, wanted });
  const workersAi = steps.some((step) => step.kind === "deploy" && step.workersAi);
  const { ok, output } = await withConfig(project, toDeployedConfig(wanted, { workersAi, analytics: true }), (config) =>
    wrangler.run(["deploy", "--dry-run", "--outdir", "dist", "--config", config]),
  );
  if (!ok) throw new Error(`The Worker can't be built.\n\n${output}`);
  print(output.split("\n").find((line) => line.startsWith("Total Upload")) ?? "");
  print("Nothing was deployed.");
}

function toList(steps: Step[], wanted: Wanted): string {
  return ["Steps:", ...steps.map((step, index) => `  ${index + 1}. ${describe(step, wanted)}`)].join("\n");
}

function toFailure(index: number, steps: Step[], wanted: Wanted, error: unknown): string {
  const step = steps[index];
  const what = step === undefined ? "" : describe(step, wanted);
  return `Step ${index + 1} of ${steps.length} failed: ${what}.

${toMessage(error)}

The earlier steps are complete. Run the same command again to continue with this step.`;
}

function toNextSteps({
  base,
  wanted,
  account,
  workersAi,
}: {
  base: string | null;
  wanted: Wanted;
  account: Account;
  workersAi: boolean;
}): string {
  const { worker, environment, settings } = wanted;
  const address = base ?? "https://<address of the Worker>";
  const env = environment === null ? "" : ` --env ${environment}`;
  const status =
    base === null
      ? `The Worker is deployed. Wrangler reported no address for it, so set PUBLIC_URL in ${settings.file}.`
      : `The service is available at ${base}.`;
  return `
${status}

Next steps:
  npm run admin -- sign-in you@example.com --url ${address}${env}
      Creates a link that signs you in to the dashboard.
  ADMIN_EMAILS and SIGNUP under [vars] in ${settings.file}
      Set who can see all accounts, and who can sign up.
  npx wrangler secret put OPENAI_API_KEY --name ${worker} (or ANTHROPIC_API_KEY)
      ${
        workersAi
          ? "Replaces Workers AI as the default model of parse requests."
          : "Without a model, parse requests fail with status 503."
      }
  npx wrangler secret put PROXIES --name ${worker} (or SERP_PROVIDER_KEY, MAIL_KEY, …)
      docs/configuration.md lists all secrets.
  https://dash.cloudflare.com/${account.id}/workers
      Shows the logs.`;
}

function toMessage(error: unknown): string {
  return withHint(error instanceof Error ? error.message : String(error));
}
