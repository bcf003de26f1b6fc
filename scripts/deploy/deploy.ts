import { executeStep } from "./execute.ts";
import { checkHealth } from "./health.ts";
import { type Account, findAccount, inspectAccount } from "./inspect.ts";
import { describe, EMPTY_ACCOUNT, type Step, toPlan } from "./plan.ts";
import { readWanted, type Wanted } from "./wanted.ts";
import { type RunWrangler, toWrangler } from "./wrangler.ts";

export interface Deployment {
  /** The folder with wrangler.toml, schema.sql and migrations/. */
  project: string;
  runWrangler: RunWrangler;
  print: (text: string) => void;
  /** Returns true if the operator confirms the printed steps. */
  confirm: () => Promise<boolean>;
  /** The maximum time (ms) until a new deployment responds. */
  healthTimeoutMs: number;
}

/**
 * Compares the Cloudflare account with the configuration and prints the missing steps. Executes them after
 * confirmation. If a step fails, throws an error that says how to continue.
 */
export async function deploy({ project, runWrangler, print, confirm, healthTimeoutMs }: Deployment): Promise<void> {
  const wanted = readWanted(project);
  const wrangler = toWrangler({ project, runWrangler, wanted });
  const account = await findAccount(wrangler, wanted);
  print(`Checking the resources of the account ${account.name} …`);
  const found = await inspectAccount(wrangler, wanted).catch((error: unknown) => {
    throw new Error(`The resources of the account can't be read.\n\n${toMessage(error)}\n\nNothing was changed.`, {
      cause: error,
    });
  });
  const steps = toPlan(wanted, found);
  print(toList(steps, wanted));
  if (!(await confirm())) throw new Error("Canceled. Nothing was changed.");

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
  print(toNextSteps(base, account));
}

/**
 * Prints the steps of a first deployment and builds the Worker. Doesn't call Cloudflare, so it works without a login.
 */
export async function dryRun({ project, runWrangler, print }: Deployment): Promise<void> {
  const wanted = readWanted(project);
  print(toList(toPlan({ ...wanted, database: { ...wanted.database, id: null } }, EMPTY_ACCOUNT), wanted));
  print(
    "A deployment skips the steps that are already done. A dry run doesn't check which ones are. Building the Worker …",
  );
  const { ok, output } = await toWrangler({ project, runWrangler, wanted }).run([
    "deploy",
    "--dry-run",
    "--outdir",
    "dist",
  ]);
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

The earlier steps are complete. Run npm run deploy again to continue with this step.`;
}

function toNextSteps(base: string | null, { id }: Account): string {
  const address = base ?? "https://<address of the Worker>";
  const status =
    base === null
      ? "The Worker is deployed. Wrangler reported no address for it, so set PUBLIC_URL."
      : `The service is available at ${base}.`;
  return `
${status}

Next steps:
  npm run account -- sign-in you@example.com --url ${address}
      Creates a link that signs you in to the dashboard.
  ADMIN_EMAILS and SIGNUP in wrangler.toml
      Set who can see all accounts, and who can sign up.
  npx wrangler secret put OPENAI_API_KEY (or ANTHROPIC_API_KEY)
      Without a model, parse requests fail with status 503.
  npx wrangler secret put PROXIES (or SERP_PROVIDER_KEY, MAIL_KEY, …)
      docs/configuration.md lists all secrets.
  https://dash.cloudflare.com/${id}/workers
      Shows the logs.`;
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
