// `npm run admin -- <command>`: operates a running service through its admin API.
import { generateKeyPairSync } from "node:crypto";
import { resolve } from "node:path";
import { ADMIN_OPTIONS, ADMIN_OPTIONS_USAGE, type AdminClient, openAdmin } from "./admin/client.ts";
import { formatAccounts, formatData, formatText, type ListedAccount } from "./admin/format.ts";
import { resealAll } from "./admin/reseal.ts";
import { compareAccount, exportAccount, importAccount } from "./admin/transfer.ts";
import { readLocalKeys } from "./local-state.ts";
import { didYouMean, parseOptions } from "./options.ts";

const USAGE = `npm run admin -- <command> [options]

Accounts
  list                        one line per account: id, plan, balance, status, name
  show <account>
  find <text>                 finds a job, batch, delivery, request id, key, account or email
  create <name>               --plan free|pro|business|enterprise, --rate N, --monthly-credits N,
                              --location weur|…, --jurisdiction eu|us|fedramp
  set <account>               --name TEXT, --plan …, --rate N|plan, --monthly-credits N|plan,
                              --concurrent-jobs N|plan, --concurrent-renders N|plan,
                              --daily-credits N|none, --charge-free-outcomes on|off,
                              --prices scrape=2,parse=3|none, --suspend, --resume
  credits <account> --add=N   adds credits; a negative N removes them; calls with the same
                              --key TEXT apply once
  erase <account> --yes       deletes the account and all its data
Keys and users
  keys                        prints the API keys of the local service
  key <account>               creates an API key: --mode live|test, --name TEXT
  sign-in <email>             creates a one-time link that signs the user in: --base URL
  reset <email>               creates a one-time link for a new password: --base URL
Denied targets
  deny list                   --account ID for the list of one account instead of all accounts
  deny add <target>           example.com, *.example.com or a network: --account ID, --note TEXT
  deny remove <target>        --account ID
The service
  health                      --range hour|day|week
  apply-plans                 applies changed credits and limits of the plans to all accounts
  bot-key                     prints a new value for the secret BOT_PRIVATE_KEY
  reseal                      encrypts the stored secrets with the current keys, after a rotation
Copies of accounts
  export <account> --to DIR   writes the account with its stored results to a folder
  restore <folder>            restores an erased account from its export, also in another
                              region: --location weur|…|none, --jurisdiction eu|us|fedramp|none
  compare <folder>            compares an account with its export

${ADMIN_OPTIONS_USAGE}
  --json             prints the data as JSON
  --help             prints this help`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const OWN_OPTIONS = {
  ...{ account: text, add: text, base: text, "charge-free-outcomes": text, "concurrent-jobs": text },
  ...{ "concurrent-renders": text, "daily-credits": text, jurisdiction: text, key: text, location: text, mode: text },
  ...{ "monthly-credits": text, name: text, note: text, plan: text, prices: text, range: text, rate: text, to: text },
  ...{ resume: flag, suspend: flag, yes: flag },
};
type Option = keyof typeof OWN_OPTIONS;

const { values, positionals } = parseOptions(USAGE, {
  allowPositionals: true,
  options: { ...ADMIN_OPTIONS, ...OWN_OPTIONS, json: flag },
});

/** The output of a command: the data with --json, and otherwise the text, or the data as text. */
interface Output {
  data: unknown;
  text?: string;
}

interface Command {
  /** The number of arguments after the command. */
  arguments: number;
  options?: readonly Option[];
  run: (admin: AdminClient, ...given: string[]) => Promise<Output>;
}

const DENY_DELAY = "All instances of the service use the new list within 60 seconds.";
const LINK_NOTE = "This link works once and expires after a day.";
const PLACE_OPTIONS = ["location", "jurisdiction"] as const;

/** The options that are fields of an account in the admin API. The service validates their values. */
const FIELDS: Partial<Record<Option, readonly [name: string, convert: (given: string, option: string) => unknown]>> = {
  name: ["name", toItself],
  plan: ["plan", toItself],
  location: ["location", toPlace],
  jurisdiction: ["jurisdiction", toPlace],
  rate: ["rate_per_minute", toLimit],
  "monthly-credits": ["monthly_credits", toLimit],
  "concurrent-jobs": ["concurrent_jobs", toLimit],
  "concurrent-renders": ["concurrent_renders", toLimit],
  "daily-credits": ["daily_credits", toLimit],
  "charge-free-outcomes": ["charge_free_outcomes", toSwitch],
  prices: ["prices", toPrices],
};

const COMMANDS: Readonly<Record<string, Command>> = {
  list: { arguments: 0, run: listAccounts },
  show: { arguments: 1, run: async (admin, id = "") => ({ data: await admin.call("GET", toPath(id)) }) },
  find: { arguments: 1, run: async (admin, query) => ({ data: await admin.call("POST", "/find", { query }) }) },
  create: {
    arguments: 1,
    options: ["plan", "rate", "monthly-credits", ...PLACE_OPTIONS],
    run: async (admin, name) => ({ data: await admin.call("POST", "/accounts", { ...readFields(), name }) }),
  },
  set: {
    arguments: 1,
    options: [
      ...(["name", "plan", "rate", "monthly-credits", "concurrent-jobs", "concurrent-renders"] as const),
      ...(["daily-credits", "charge-free-outcomes", "prices", "suspend", "resume"] as const),
    ],
    run: setAccount,
  },
  credits: {
    arguments: 1,
    options: ["add", "key"],
    run: async (admin, id = "") => {
      const body = { amount: toNumber(need("add", "--add=1000"), "add"), key: values.key };
      return { data: await admin.call("POST", `${toPath(id)}/credits`, body) };
    },
  },
  erase: {
    arguments: 1,
    options: ["yes"],
    run: async (admin, id = "") => {
      if (values.yes !== true) throw new Error("This deletes the account and all its data. Add --yes to confirm.");
      const data = await admin.call("POST", `${toPath(id)}/erase`);
      return { data, text: "The account is disabled and is being erased." };
    },
  },
  key: {
    arguments: 1,
    options: ["mode", "name"],
    run: async (admin, id = "") => {
      const body = { mode: values.mode, name: values.name };
      const data = await admin.call<{ key: string }>("POST", `${toPath(id)}/keys`, body);
      return { data, text: `${data.key}\nStore this key now. It can't be shown again.` };
    },
  },
  "sign-in": {
    arguments: 1,
    options: ["base"],
    run: async (admin, email) => {
      const note = "Opening it confirms the email address of the person who uses it.";
      return await createLink(admin, { kind: "sign-in", email }, `${LINK_NOTE} ${note}`);
    },
  },
  reset: {
    arguments: 1,
    options: ["base"],
    run: async (admin, email) => await createLink(admin, { kind: "reset", email }, LINK_NOTE),
  },
  "deny list": {
    arguments: 0,
    options: ["account"],
    run: async (admin) => {
      const query = values.account === undefined ? "" : `?account=${encodeURIComponent(values.account)}`;
      return { data: await admin.call("GET", `/deny-list${query}`) };
    },
  },
  "deny add": {
    arguments: 1,
    options: ["account", "note"],
    run: async (admin, target) => {
      const body = { account: values.account, target, note: values.note };
      const data = await admin.call<{ target: string }>("POST", "/deny-list", body);
      return { data, text: `${data.target} was added. ${DENY_DELAY}` };
    },
  },
  "deny remove": {
    arguments: 1,
    options: ["account"],
    run: async (admin, target) => {
      const data = await admin.call("POST", "/deny-list/remove", { account: values.account, target });
      return { data, text: `${target} was removed. ${DENY_DELAY}` };
    },
  },
  health: {
    arguments: 0,
    options: ["range"],
    run: async (admin) => ({
      data: await admin.call("GET", `/health?range=${encodeURIComponent(values.range ?? "hour")}`),
    }),
  },
  "apply-plans": { arguments: 0, run: applyPlans },
  reseal: {
    arguments: 0,
    run: async (admin) => {
      const { lines, isComplete } = await resealAll(admin);
      if (!isComplete) process.exitCode = 1;
      return { data: { is_complete: isComplete, lines }, text: lines.join("\n") };
    },
  },
  export: {
    arguments: 1,
    options: ["to"],
    run: async (admin, id = "") => {
      const folder = need("to", "--to backup/acme");
      if (!(await exportAccount(admin, id, folder))) {
        throw new Error(
          "The export isn't consistent, because rows changed while it ran. Suspend the account and export it again.",
        );
      }
      return { data: { id, folder }, text: `The account was exported to ${folder}.` };
    },
  },
  restore: {
    arguments: 1,
    options: PLACE_OPTIONS,
    run: async (admin, folder = "") => {
      const id = await importAccount(admin, folder, readFields());
      return { data: { id }, text: `The account ${id} was restored.` };
    },
  },
  compare: {
    arguments: 1,
    run: async (admin, folder = "") => {
      const difference = await compareAccount(admin, folder);
      if (difference !== null) throw new Error(difference);
      return { data: { folder, matches: true }, text: "The account matches its export." };
    },
  },
};

try {
  const { data, text: shown } = await main();
  const readable = shown === undefined ? formatData(data) : formatText(shown);
  console.log(values.json === true ? JSON.stringify(data, null, 2) : readable);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<Output> {
  const [first, second = "", ...others] = positionals;
  if (first === undefined) throw new Error(USAGE);
  const isPair = Object.hasOwn(COMMANDS, `${first} ${second}`);
  const [name, given] = isPair ? [`${first} ${second}`, others] : [first, positionals.slice(1)];
  if (name === "keys") return readKeys();
  if (name === "bot-key") return createBotKey();
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = ["keys", "bot-key", ...Object.keys(COMMANDS)];
    const question = didYouMean(`${first} ${second}`.trim(), names) || didYouMean(first, names);
    throw new Error(`${USAGE}\n\n'${name}' isn't a command.${question}`);
  }
  if (given.length !== command.arguments) {
    const wanted = command.arguments === 0 ? "no argument" : "one argument";
    throw new Error(`${USAGE}\n\n'${name}' needs ${wanted}, but has ${given.length}.`);
  }
  const known: readonly string[] = command.options ?? [];
  const unknown = Object.keys(OWN_OPTIONS).find((option) => option in values && !known.includes(option));
  if (unknown !== undefined) throw new Error(`'${name}' doesn't have the option --${unknown}.`);
  return await command.run(openAdmin(values), ...given);
}

function readKeys(): Output {
  const stateFolder = resolve(import.meta.dirname, "..", values["persist-to"]);
  const keys = readLocalKeys(stateFolder);
  if (keys === null) throw new Error(`The folder ${stateFolder} has no keys. Run \`npm start\` first.`);
  return { data: keys, text: `live key: ${keys.live}\ntest key: ${keys.test}` };
}

function createBotKey(): Output {
  const { d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { data: { BOT_PRIVATE_KEY: d }, text: d };
}

async function listAccounts(admin: AdminClient): Promise<Output> {
  const limit = 500;
  const data: ListedAccount[] = [];
  for (let isLast = false; !isLast; ) {
    const page = await admin.call<ListedAccount[]>("GET", `/accounts?limit=${limit}&offset=${data.length}`);
    data.push(...page);
    isLast = page.length < limit;
  }
  return { data, text: formatAccounts(data) };
}

async function setAccount(admin: AdminClient, id = ""): Promise<Output> {
  if (values.suspend === true && values.resume === true) throw new Error("Use --suspend or --resume, but not both.");
  const suspended = values.suspend === true || values.resume === true ? { suspended: values.suspend === true } : {};
  const change = { ...readFields(), ...suspended };
  if (Object.keys(change).length === 0) throw new Error(`${USAGE}\n\nSet at least one option to change.`);
  return { data: await admin.call("PATCH", toPath(id), change) };
}

async function createLink(
  admin: AdminClient,
  link: { kind: "sign-in" | "reset"; email: string | undefined },
  note: string,
): Promise<Output> {
  const data = await admin.call<{ url: string }>("POST", "/links", { ...link, origin: values.base ?? values.url });
  return { data, text: `${data.url}\n${note}` };
}

async function applyPlans(admin: AdminClient): Promise<Output> {
  const plans = await admin.call("GET", "/plans");
  let accounts = 0;
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page: { accounts: number; next: string | null } = await admin.call("POST", "/plans/apply", { after });
    accounts += page.accounts;
    after = page.next;
  }
  const applied = `The plans were applied to ${accounts} accounts. Their own limits are unchanged.`;
  return { data: { plans, accounts }, text: `${formatData(plans)}\n\n${applied}` };
}

/** Returns the fields of an account that the options set. */
function readFields(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(FIELDS).flatMap(([option, [name, convert]]) => {
      const given = values[option as Option];
      return typeof given === "string" ? [[name, convert(given, option)]] : [];
    }),
  );
}

function toItself(given: string): string {
  return given;
}

function toPlace(given: string): string | null {
  return given === "none" ? null : given;
}

/** Returns null for the words that remove the account's own limit. */
function toLimit(given: string, option: string): number | null {
  return given === "plan" || given === "none" ? null : toNumber(given, option);
}

function toNumber(given: string, option: string): number {
  if (/^[+-]?\d+$/.test(given)) return Number(given);
  throw new Error(`--${option} must be a whole number, but is '${given}'.`);
}

function toSwitch(given: string, option: string): boolean {
  if (given === "on" || given === "off") return given === "on";
  throw new Error(`--${option} must be on or off, but is '${given}'.`);
}

function toPrices(given: string): Record<string, number> | null {
  if (given === "none") return null;
  const prices = given.split(",").map((price) => {
    const [, name = "", credits = ""] = /^\s*(\w+)\s*=\s*(\d+)\s*$/.exec(price) ?? [];
    if (name === "") throw new Error(`--prices must be none, or prices such as scrape=2,parse=3, but is '${given}'.`);
    return [name, Number(credits)] as const;
  });
  return Object.fromEntries(prices);
}

/** Returns the value of a required option. */
function need(option: "add" | "to", example: string): string {
  const given = values[option];
  if (given === undefined) throw new Error(`Set --${option}, for example ${example}.`);
  return given;
}

function toPath(id: string): string {
  return `/accounts/${encodeURIComponent(id)}`;
}
