import { carryOut } from "./carry-out.ts";
import { lookAt } from "./health.ts";
import { type Account, findAccount, lookAround } from "./look.ts";
import { describe, NOTHING, type Step, toPlan } from "./plan.ts";
import { readWanted, type Wanted } from "./wanted.ts";
import { toWrangler } from "./wrangler.ts";

export interface Deployment {
  /** The folder with wrangler.toml, schema.sql and migrations/. */
  project: string;
  /** How wrangler is started. */
  wrangler: [string, ...string[]];
  say: (text: string) => void;
  /** Whether to go on with what has been shown. */
  confirm: () => Promise<boolean>;
  /** How long a fresh deployment may take until it answers. */
  patienceMs: number;
}

/** Looks at what is there, shows what is to be done, and does it. Throws, with what to do next, when a step fails. */
export async function deploy({ project, wrangler: command, say, confirm, patienceMs }: Deployment): Promise<void> {
  const wanted = readWanted(project);
  const wrangler = toWrangler({ project, command, wanted });
  const account = await findAccount(wrangler, wanted);
  say(`Looking at what the account ${account.name} has already …`);
  const found = await lookAround(wrangler, wanted).catch((error: unknown) => {
    throw new Error(`What the account has can't be seen.\n\n${toText(error)}\n\nNothing was changed.`, {
      cause: error,
    });
  });
  const steps = toPlan(wanted, found);
  say(toList(steps, wanted));
  if (!(await confirm())) throw new Error("Nothing was done.");

  let base = wanted.publicUrl;
  const notes: string[] = [];
  for (const [index, step] of steps.entries()) {
    say(`${index + 1}/${steps.length}  ${describe(step, wanted)} …`);
    try {
      if (step.kind !== "look") {
        const outcome = await carryOut(step, { project, wrangler, wanted });
        base ??= outcome.address ?? null;
        notes.push(...(outcome.notes ?? []));
      } else if (base !== null) await lookAt(base, patienceMs);
    } catch (error) {
      throw new Error(toFailure(index, steps, wanted, error), { cause: error });
    }
  }
  for (const note of notes) say(`\n${note}`);
  say(toNextSteps(base, account));
}

/** What a first deployment would do, and that the Worker can be built: nobody is asked who needs a log-in. */
export async function rehearse({ project, wrangler: command, say }: Deployment): Promise<void> {
  const wanted = readWanted(project);
  say(toList(toPlan({ ...wanted, database: { ...wanted.database, id: null } }, NOTHING), wanted));
  say("Each only where it isn't done yet; which those are, Cloudflare wasn't asked. Building the Worker …");
  const { ok, words } = await toWrangler({ project, command, wanted }).run(["deploy", "--dry-run", "--outdir", "dist"]);
  if (!ok) throw new Error(`The Worker can't be built.\n\n${words}`);
  say(words.split("\n").find((line) => line.startsWith("Total Upload")) ?? "");
  say("Nothing was deployed.");
}

function toList(steps: Step[], wanted: Wanted): string {
  return ["This is to be done:", ...steps.map((step, index) => `  ${index + 1}. ${describe(step, wanted)}`)].join("\n");
}

function toFailure(index: number, steps: Step[], wanted: Wanted, error: unknown): string {
  const step = steps[index];
  const what = step === undefined ? "" : describe(step, wanted);
  return `Step ${index + 1} of ${steps.length} failed: ${what}.

${toText(error)}

What was done before it stays done. Run it again: it goes on from here.`;
}

function toNextSteps(base: string | null, { id }: Account): string {
  const address = base ?? "https://<where the Worker is>";
  const where = base === null ? "Deployed; wrangler told no address, so set PUBLIC_URL." : `The service is at ${base}.`;
  return `
${where}

Next:
  npm run account -- sign-in you@example.com --url ${address}     a link that signs you in to the dashboard
  ADMIN_EMAILS and SIGNUP in wrangler.toml                                  who sees all accounts, and who may sign up
  npx wrangler secret put OPENAI_API_KEY (or ANTHROPIC_API_KEY)             without a model, parse answers 503
  npx wrangler secret put PROXIES, SERP_PROVIDER_KEY, MAIL_KEY, …           docs/operating.md has them all
  https://dash.cloudflare.com/${id}/workers                                 its logs`;
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
