// `npm run account -- …`: accounts from the command line, local or deployed, through the service's own functions.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import { importBundled } from "./bundle.ts";
import { requestCron } from "./cron-request.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const USAGE = `npm run account -- list
npm run account -- show <account>
npm run account -- create <name> [--plan free|pro|business|enterprise] [--rate N] [--monthly-credits N]
npm run account -- set <account> [--plan …] [--rate N|plan] [--monthly-credits N|plan] [--suspend] [--resume]
npm run account -- credits <account> --add=N      (N may be below 0)
npm run account -- key <account> [--mode live|test] [--name TEXT]
npm run account -- sign-in <e-mail> [--base URL]   a link that signs in to the dashboard, once; for admins as well

  --persist-to DIR   the local state (default .wrangler/state, as npm start has it)
  --remote           the deployed database instead
  --base URL         where the service is reached, for the link`;

/** An account as the script shows it. The service's own types need those of Workers, which the script doesn't have. */
interface Account {
  id: string;
  name: string;
  plan: string;
  ratePerMinute: number | null;
  balance: number;
  reserved: number;
  used: number;
  suspendedAt: number | null;
  nextGrantAt: number;
}

interface Bindings {
  DB: unknown;
  PUBLIC_URL?: string;
}

/** The exports of src/directory/script-exports.ts. */
interface Operations {
  PLANS: readonly string[];
  isPlan: (text: string) => boolean;
  listAccounts: (db: unknown, filter: { search: string; limit: number; offset: number }) => Promise<Account[]>;
  getAccount: (db: unknown, id: string) => Promise<Account | null>;
  createAccount: (env: Bindings, account: Record<string, unknown>) => Promise<Account>;
  createKeyOffline: (env: Bindings, key: Record<string, unknown>) => Promise<string>;
  changeAccountOffline: (env: Bindings, change: Record<string, unknown>) => Promise<void>;
  adjustCredits: (env: Bindings, change: Record<string, unknown>) => Promise<void>;
  createLink: (env: Bindings, link: Record<string, unknown>) => Promise<string>;
}

const { values, positionals } = readArguments();

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        plan: { type: "string" },
        rate: { type: "string" },
        "monthly-credits": { type: "string" },
        suspend: { type: "boolean", default: false },
        resume: { type: "boolean", default: false },
        add: { type: "string" },
        mode: { type: "string", default: "live" },
        name: { type: "string" },
        remote: { type: "boolean", default: false },
        base: { type: "string" },
        "persist-to": { type: "string", default: ".wrangler/state" },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(1);
  }
}

async function main(): Promise<void> {
  const [command, subject] = positionals;
  const operations = await loadOperations();
  const { env, dispose } = await openDatabase();
  try {
    const by = { actor: "operator", now: Date.now() };
    if (command === "list") return await listAll(env);
    if (command === undefined || subject === undefined) throw new Error(USAGE);
    if (command === "create") {
      const plan = readPlan() ?? "free";
      const rest = { ratePerMinute: readNumber("rate") ?? null, monthlyCredits: readNumber("monthly-credits") ?? null };
      return show([await operations.createAccount(env, { name: subject, plan, ...rest, ...by })]);
    }
    if (command === "sign-in") return await showLink(env, subject, by);
    if ((await operations.getAccount(env.DB, subject)) === null) throw new Error(`There is no account '${subject}'.`);
    if (command === "key") {
      if (values.mode !== "live" && values.mode !== "test") throw new Error("--mode must be live or test.");
      const secret = await operations.createKeyOffline(env, {
        accountId: subject,
        mode: values.mode,
        name: values.name ?? null,
        ...by,
      });
      console.log(`${secret}\n(shown this once)`);
      return;
    }
    if (command === "credits") {
      const change = readNumber("add");
      if (typeof change !== "number") throw new Error("--add takes a whole number.");
      await operations.adjustCredits(env, { accountId: subject, by: change, ...by });
    } else if (command === "set") {
      await operations.changeAccountOffline(env, { accountId: subject, change: readChange(by.now), ...by });
      invalidateKeysSoon();
    } else if (command !== "show") throw new Error(USAGE);
    const account = await operations.getAccount(env.DB, subject);
    if (account !== null) show([account]);
  } finally {
    await dispose();
  }

  async function listAll(bindings: Bindings) {
    const limit = 500;
    for (let offset = 0; ; offset += limit) {
      const accounts = await operations.listAccounts(bindings.DB, { search: "", limit, offset });
      show(accounts.slice(0, limit));
      if (accounts.length <= limit) return;
    }
  }

  /** The link leads to --base, else to the deployed service's PUBLIC_URL, else to where `npm start` listens. */
  async function showLink(bindings: Bindings, email: string, by: { actor: string; now: number }) {
    const base = values.base ?? (bindings.PUBLIC_URL || null) ?? (values.remote ? null : "http://127.0.0.1:8787");
    if (base === null) throw new Error("Say where the service is: --base https://…");
    const link = { kind: "sign-in", email, name: email.split("@")[0] };
    const origin = new URL(base).origin;
    console.log(await operations.createLink(bindings, { link, origin, accountId: null, ...by }));
    console.log("(works once, within a day; whoever uses it is taken for the owner of this address)");
  }

  function readPlan() {
    if (values.plan === undefined) return undefined;
    if (!operations.isPlan(values.plan)) throw new Error(`--plan must be one of ${operations.PLANS.join(", ")}.`);
    return values.plan;
  }

  function readChange(now: number) {
    if (values.suspend && values.resume) throw new Error("--suspend or --resume, not both.");
    const plan = readPlan();
    const [ratePerMinute, monthlyCredits] = [readNumber("rate"), readNumber("monthly-credits")];
    const change = {
      ...(plan === undefined ? {} : { plan }),
      ...(ratePerMinute === undefined ? {} : { ratePerMinute }),
      ...(monthlyCredits === undefined ? {} : { monthlyCredits }),
      ...(values.suspend ? { suspendedAt: now } : values.resume ? { suspendedAt: null } : {}),
    };
    if (Object.keys(change).length === 0) throw new Error(USAGE);
    return change;
  }
}

/** A whole number; null for `plan`, which takes back an account's own figure; undefined when not given. */
function readNumber(option: "rate" | "monthly-credits" | "add"): number | null | undefined {
  const text = values[option];
  if (text === undefined) return undefined;
  if (text === "plan" && option !== "add") return null;
  const number = Number(text);
  if (!Number.isInteger(number) || (option !== "add" && number < 1))
    throw new Error(`--${option} takes a whole number.`);
  return number;
}

function loadOperations(): Promise<Operations> {
  return importBundled(join(PROJECT, "src", "directory", "operations.ts"), join(PROJECT, ".cache", "operations.mjs"));
}

/** The database alone, of the same identity as the service's. */
async function openDatabase(): Promise<{ env: Bindings; dispose: () => Promise<void> }> {
  const { d1_databases, vars, name, compatibility_date } = unstable_readConfig({
    config: join(PROJECT, "wrangler.toml"),
  });
  const configPath = join(PROJECT, ".cache", "account.json");
  const databases = (d1_databases as Record<string, string>[]).map((database) => {
    const { binding, database_name, database_id, preview_database_id } = database;
    return {
      binding,
      database_name,
      database_id,
      remote: values.remote,
      ...(!values.remote && { preview_database_id }),
    };
  });
  mkdirSync(join(PROJECT, ".cache"), { recursive: true });
  writeFileSync(configPath, JSON.stringify({ name, compatibility_date, vars, d1_databases: databases }));
  const path = join(resolve(PROJECT, values["persist-to"]), "v3");
  const { env, dispose } = await getPlatformProxy<Record<string, unknown> & Bindings>({
    configPath,
    persist: { path },
  });
  return { env, dispose };
}

/** Makes a local service invalidate the changed keys now. A deployed one does it within a minute. */
function invalidateKeysSoon(): void {
  if (!values.remote) requestCron(resolve(PROJECT, values["persist-to"]));
}

function show(accounts: Account[]): void {
  console.table(
    accounts.map(({ id, name, plan, ratePerMinute, balance, reserved, used, suspendedAt, nextGrantAt }) => ({
      id,
      name,
      plan,
      rate: ratePerMinute ?? "plan's",
      balance,
      reserved,
      used,
      suspended: suspendedAt === null ? "" : new Date(suspendedAt).toISOString(),
      "next grant": new Date(nextGrantAt).toISOString(),
    })),
  );
}
