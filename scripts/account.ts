// `npm run account -- …`: manages accounts through the admin API of a running service.
import { resolve } from "node:path";
import { formatPrices, type OwnPrices, parsePrices } from "../src/model/prices.ts";
import { ADMIN_OPTIONS, ADMIN_OPTIONS_USAGE, type AdminClient, openAdmin } from "./admin/client.ts";
import { find } from "./admin/find.ts";
import { resealAll } from "./admin/reseal.ts";
import { compareAccount, exportAccount, importAccount } from "./admin/transfer.ts";
import { readLocalKeys } from "./local-state.ts";
import { parseOptions } from "./options.ts";

const USAGE = `npm run account -- list
npm run account -- show <account>
npm run account -- find <text>                     finds a job, batch, delivery, request id, key, account or email
npm run account -- create <name> [--plan free|pro|business|enterprise] [--rate N] [--monthly-credits N]
                                   [--location weur|…] [--jurisdiction eu|fedramp]
npm run account -- set <account> [--plan …] [--rate N|plan] [--monthly-credits N|plan] [--daily-credits N|none] [--suspend] [--resume]
                                   [--charge-free-outcomes on|off] [--prices scrape=2,parse=3|none]
npm run account -- credits <account> --add=N [--key TEXT]
                                   adds N credits; a negative N removes credits; calls with the same --key apply once
npm run account -- keys                            prints the keys of the local account
npm run account -- key <account> [--mode live|test] [--name TEXT]
npm run account -- sign-in <email> [--base URL]    creates a one-time link that signs the user in to the dashboard
npm run account -- reset <email> [--base URL]      creates a one-time link for choosing a new password
npm run account -- export <account> --to DIR       writes the account with its stored results to a folder
npm run account -- import DIR                      restores an erased account from its export
npm run account -- compare DIR                     compares the account with its export
npm run account -- apply-plans                     applies changed credits and limits of the plans to all accounts
npm run account -- reseal                          encrypts the stored secrets with the current keys, after a rotation
npm run account -- move <account> [--location …] [--jurisdiction …]
                                   moves the account's data to another region
npm run account -- erase <account> --yes           deletes the account and all its data

${ADMIN_OPTIONS_USAGE}
  --base URL         the base URL of the link (default: the URL of the service)
  --help             prints this help`;

const PLANS = ["free", "pro", "business", "enterprise"];

/** An account as the admin API returns it. Lists omit `balance`, `reserved`, `used` and `next_grant_at`. */
interface Account {
  id: string;
  name: string;
  plan: string;
  rate_per_minute: number | null;
  charge_free_outcomes: boolean;
  daily_credits: number | null;
  prices: OwnPrices | null;
  balance?: number | null;
  reserved?: number;
  used?: number | null;
  suspended_at: string | null;
  next_grant_at?: string;
}

const { values, positionals } = parseOptions(USAGE, {
  allowPositionals: true,
  options: {
    ...ADMIN_OPTIONS,
    plan: { type: "string" },
    rate: { type: "string" },
    "monthly-credits": { type: "string" },
    location: { type: "string" },
    jurisdiction: { type: "string" },
    suspend: { type: "boolean", default: false },
    resume: { type: "boolean", default: false },
    add: { type: "string" },
    key: { type: "string" },
    mode: { type: "string", default: "live" },
    name: { type: "string" },
    to: { type: "string" },
    yes: { type: "boolean", default: false },
    base: { type: "string" },
    "charge-free-outcomes": { type: "string" },
    "daily-credits": { type: "string" },
    prices: { type: "string" },
  },
});

try {
  if (positionals[0] === "keys") printLocalKeys();
  else await main(openAdmin(values));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(admin: AdminClient): Promise<void> {
  const [command, subject] = positionals;
  if (command === "list") return await listAll(admin);
  if (command === "apply-plans") return await applyPlans(admin);
  if (command === "reseal") return await reseal(admin);
  if (command === undefined) throw new Error(USAGE);
  if (subject === undefined) throw new Error(`'${command}' isn't a command, or it needs another argument.\n\n${USAGE}`);
  const path = `/accounts/${encodeURIComponent(subject)}`;
  const commands: Record<string, () => Promise<void>> = {
    show: async () => show([await admin.call<Account>("GET", path)]),
    find: async () => console.log((await find(admin, subject)).join("\n")),
    create: async () => show([await admin.call<Account>("POST", "/accounts", { name: subject, ...readNew() })]),
    set: async () => show([await admin.call<Account>("PATCH", path, readChange())]),
    credits: async () => {
      const amount = readNumber("add");
      if (typeof amount !== "number") throw new Error("Set --add to the number of credits, for example --add=1000.");
      const key = values.key === undefined ? {} : { key: values.key };
      show([await admin.call<Account>("POST", `${path}/credits`, { amount, ...key })]);
    },
    key: () => createKey(admin, path),
    "sign-in": async () => {
      console.log(await createLink(admin, "sign-in", subject));
      console.log(
        "This link works once and expires after a day. It confirms the email address of the person who uses it.",
      );
    },
    reset: async () => {
      console.log(await createLink(admin, "reset", subject));
      console.log("This link works once and expires after a day.");
    },
    export: () => exportTo(admin, subject),
    import: async () => console.log(`The account ${await importAccount(admin, subject)} was restored.`),
    compare: async () => {
      const difference = await compareAccount(admin, subject);
      if (difference !== null) throw new Error(difference);
      console.log("The account matches its export.");
    },
    move: () => move(admin, path),
    erase: async () => {
      if (!values.yes) throw new Error("This deletes the account and all its data. Add --yes to confirm.");
      await admin.call("POST", `${path}/erase`);
      console.log("The account is disabled and is being erased.");
    },
  };
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) throw new Error(`'${command}' isn't a command.\n\n${USAGE}`);
  await run();
}

async function applyPlans(admin: AdminClient): Promise<void> {
  console.table(await admin.call("GET", "/plans"));
  let count = 0;
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page: { accounts: number; next: string | null } = await admin.call("POST", "/plans/apply", { after });
    count += page.accounts;
    after = page.next;
  }
  console.log(`The plans were applied to ${count} accounts. Their own limits are unchanged.`);
}

async function reseal(admin: AdminClient): Promise<void> {
  const { lines, isComplete } = await resealAll(admin);
  console.log(lines.join("\n"));
  if (!isComplete) process.exitCode = 1;
}

function printLocalKeys(): void {
  const stateFolder = resolve(import.meta.dirname, "..", values["persist-to"]);
  const keys = readLocalKeys(stateFolder);
  if (keys === null) throw new Error(`The folder ${stateFolder} has no keys. Run \`npm start\` first.`);
  console.log(`live key: ${keys.live}\ntest key: ${keys.test}`);
}

async function listAll(admin: AdminClient): Promise<void> {
  const limit = 500;
  for (let offset = 0; ; offset += limit) {
    const accounts = await admin.call<Account[]>("GET", `/accounts?limit=${limit}&offset=${offset}`);
    if (offset === 0 || accounts.length > 0) show(accounts);
    if (accounts.length < limit) return;
  }
}

async function createKey(admin: AdminClient, path: string): Promise<void> {
  if (values.mode !== "live" && values.mode !== "test") throw new Error("--mode must be live or test.");
  const body = { mode: values.mode, name: values.name ?? null };
  const { key } = await admin.call<{ key: string }>("POST", `${path}/keys`, body);
  console.log(`${key}\nStore this key now. It can't be shown again.`);
}

async function createLink(admin: AdminClient, kind: "sign-in" | "reset", email: string): Promise<string> {
  const origin = values.base ?? values.url;
  const body = { kind, email, ...(origin === undefined ? {} : { origin }) };
  return (await admin.call<{ url: string }>("POST", "/links", body)).url;
}

async function exportTo(admin: AdminClient, id: string): Promise<void> {
  if (values.to === undefined) throw new Error("Set --to to the folder for the export.");
  if (!(await exportAccount(admin, id, values.to))) {
    throw new Error(
      "The export isn't consistent, because rows changed while it ran. Suspend the account and export it again.",
    );
  }
  console.log(`The account was exported to ${values.to}.`);
}

/**
 * Repeats the request until the service has moved the account. Each request copies or compares rows for at most 20
 * seconds.
 */
async function move(admin: AdminClient, path: string): Promise<void> {
  type Progress = { state: "copying" | "comparing" | "moved"; cursor?: string; object?: string };
  let cursor: string | null = null;
  for (;;) {
    const progress: Progress = await admin.call<Progress>("POST", `${path}/move`, { ...readPlace(), cursor });
    if (progress.state === "moved")
      return console.log(`The account was moved to the Durable Object ${progress.object}.`);
    console.log(progress.state === "copying" ? "Copying …" : "Comparing …");
    cursor = progress.cursor ?? null;
  }
}

function readPlan() {
  if (values.plan !== undefined && !PLANS.includes(values.plan)) {
    throw new Error(`--plan must be one of ${PLANS.join(", ")}, but is '${values.plan}'.`);
  }
  return values.plan === undefined ? {} : { plan: values.plan };
}

function readPlace() {
  const { location, jurisdiction } = values;
  return { ...(location === undefined ? {} : { location }), ...(jurisdiction === undefined ? {} : { jurisdiction }) };
}

function readLimits() {
  const [rate, credits] = [readNumber("rate"), readNumber("monthly-credits")];
  return {
    ...readPlan(),
    ...(rate === undefined ? {} : { rate_per_minute: rate }),
    ...(credits === undefined ? {} : { monthly_credits: credits }),
  };
}

function readChange() {
  if (values.suspend && values.resume) throw new Error("Use --suspend or --resume, but not both.");
  const suspended = values.suspend ? { suspended: true } : values.resume ? { suspended: false } : {};
  const change = { ...readLimits(), ...readDailyLimit(), ...readPriceRule(), ...readOwnPrices(), ...suspended };
  if (Object.keys(change).length === 0) throw new Error(`Set at least one option to change.\n\n${USAGE}`);
  return change;
}

/** Returns the fields of a new account. Throws an Error if an option is given that only `set` has. */
function readNew() {
  const names = ["daily-credits", "charge-free-outcomes", "prices", "suspend", "resume"] as const;
  const given = names.find((name) => (values[name] ?? false) !== false);
  if (given !== undefined)
    throw new Error(`'create' doesn't have the option --${given}. Create the account, then change it with 'set'.`);
  return { ...readLimits(), ...readPlace() };
}

function readDailyLimit() {
  const credits = values["daily-credits"] === "none" ? null : readNumber("daily-credits");
  return credits === undefined ? {} : { daily_credits: credits };
}

function readPriceRule() {
  const value = values["charge-free-outcomes"];
  if (value === undefined) return {};
  if (value !== "on" && value !== "off")
    throw new Error(`--charge-free-outcomes must be on or off, but is '${value}'.`);
  return { charge_free_outcomes: value === "on" };
}

function readOwnPrices() {
  const text = values.prices;
  if (text === undefined) return {};
  const prices = text === "none" ? null : parsePrices(text);
  if (typeof prices === "string") throw new Error(`--prices: ${prices}`);
  if (prices === null && text !== "none") throw new Error("--prices must be none, or prices such as scrape=2,parse=3.");
  return { prices };
}

/**
 * Reads a whole number from an option. Returns null for the value `plan`, which restores the plan's default, and
 * undefined if the option isn't given.
 */
function readNumber(option: "rate" | "monthly-credits" | "daily-credits" | "add"): number | null | undefined {
  const text = values[option];
  if (text === undefined) return undefined;
  if (text === "plan" && option !== "add") return null;
  const number = Number(text);
  if (!Number.isInteger(number) || (option !== "add" && number < 1))
    throw new Error(`--${option} must be a whole number${option === "add" ? "" : " of at least 1"}, but is '${text}'.`);
  return number;
}

function show(accounts: Account[]): void {
  console.table(
    accounts.map((account) => ({
      id: account.id,
      name: account.name,
      plan: account.plan,
      rate: account.rate_per_minute ?? "plan default",
      balance: account.balance ?? "",
      reserved: account.reserved ?? "",
      used: account.used ?? "",
      "daily limit": account.daily_credits ?? "",
      "free outcomes": account.charge_free_outcomes ? "charged" : "free",
      prices: formatPrices(account.prices),
      suspended: account.suspended_at ?? "",
      "next grant": account.next_grant_at ?? "",
    })),
  );
}
