import { TABLES_QUERY, VERSIONS_QUERY } from "../migrations.ts";
import type { Found } from "./plan.ts";
import type { Rule, Wanted } from "./wanted.ts";
import { type Result, readJson, type Wrangler } from "./wrangler.ts";

export interface Account {
  id: string;
  name: string;
}

/** The account that wrangler will use. Throws, saying what to do, when nobody is logged in or there are several. */
export async function findAccount(wrangler: Wrangler, wanted: Wanted): Promise<Account> {
  const answer = await wrangler.run(["whoami", "--json"]);
  const { loggedIn, accounts = [] } = readAnswer<{ loggedIn: boolean; accounts?: Account[] }>(answer);
  if (!loggedIn)
    throw new Error("You aren't logged in to Cloudflare: `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
  const chosen = wanted.accountId ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  if (chosen !== undefined) return accounts.find(({ id }) => id === chosen) ?? { id: chosen, name: chosen };
  const [account] = accounts;
  if (account === undefined) throw new Error(`This log-in has no account.\n${answer.words}`);
  if (accounts.length > 1) {
    const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
    throw new Error(`You have several accounts: set CLOUDFLARE_ACCOUNT_ID to the one that is meant.\n${list}`);
  }
  return account;
}

/** Logged out, wrangler prints its JSON and fails: both are the answer. */
function readAnswer<T>(answer: Result): T {
  return readJson({ ...answer, ok: true });
}

/** What the account has already. Throws with wrangler's own words where it can't tell. */
export async function lookAround(wrangler: Wrangler, wanted: Wanted): Promise<Found> {
  const databaseId = await findDatabase(wrangler, wanted.database.name);
  return {
    databaseId,
    versions: databaseId === null ? [] : await readVersions(wrangler, databaseId),
    rules: await readRules(wrangler, wanted.bucket),
    queues: await findQueues(wrangler, wanted.queues),
    secrets: await listSecrets(wrangler, wanted.worker),
  };
}

export async function findDatabase(wrangler: Wrangler, name: string): Promise<string | null> {
  const databases = readJson<{ name: string; uuid: string }[]>(await wrangler.ask(["d1", "list", "--json"]));
  return databases.find((database) => database.name === name)?.uuid ?? null;
}

async function readVersions(wrangler: Wrangler, databaseId: string): Promise<number[]> {
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const answer = await wrangler.ask(["d1", "execute", databaseId, "--remote", "--json", "--command", sql]);
    return readJson<{ results: Row[] }[]>(answer)[0]?.results ?? [];
  };
  const tables = (await query<{ name: string }>(TABLES_QUERY)).map(({ name }) => name);
  if (tables.includes("schema_versions")) {
    return (await query<{ version: number }>(VERSIONS_QUERY)).map(({ version }) => version);
  }
  if (tables.length > 0) {
    throw new Error(
      "The database was made by version 0.1.0, which can't be migrated. Delete it, or name another one in wrangler.toml.",
    );
  }
  return [];
}

/** One question for both: a bucket that isn't there has no rules to list. */
async function readRules(wrangler: Wrangler, bucket: string): Promise<Rule[] | null> {
  const { ok, stdout, words } = await wrangler.ask(["r2", "bucket", "lifecycle", "list", bucket]);
  if (ok) return parseRules(stdout);
  if (words.includes("[code: 10006]")) return null;
  throw new Error(words);
}

/** Rules as wrangler lists them: blocks of `label: value`. Those that don't delete after some days don't concern us. */
function parseRules(text: string): Rule[] {
  return text.split(/\n\s*\n/).flatMap((block) => {
    const value = (label: string) => new RegExp(`^${label}:\\s*(.*)$`, "m").exec(block)?.[1]?.trim();
    const [, days] = /Expire objects after (\d+) days/.exec(value("action") ?? "") ?? [];
    const name = value("name");
    if (name === undefined) return [];
    const enabled = value("enabled") === "Yes";
    return [{ name, prefix: value("prefix") ?? "", days: enabled ? Number(days) : Number.NaN }];
  });
}

async function findQueues(wrangler: Wrangler, queues: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const queue of queues) {
    const { ok, words } = await wrangler.ask(["queues", "info", queue]);
    if (ok) found.push(queue);
    else if (!words.includes(`Queue "${queue}" does not exist`)) throw new Error(words);
  }
  return found;
}

/** Their names. Only a Worker that isn't there has none: whatever else fails must not make new secrets. */
async function listSecrets(wrangler: Wrangler, worker: string): Promise<string[]> {
  const answer = await wrangler.ask(["secret", "list", "--name", worker]);
  if (!answer.ok && answer.words.includes(`Worker "${worker}" not found`)) return [];
  return readJson<{ name: string }[]>(answer).map(({ name }) => name);
}
