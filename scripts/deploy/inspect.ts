import { TABLES_QUERY, VERSIONS_QUERY } from "../migrations.ts";
import type { AccountState } from "./plan.ts";
import type { Rule, Wanted } from "./wanted.ts";
import { readJson, toRegionOptions, type Wrangler } from "./wrangler.ts";

export interface Account {
  id: string;
  name: string;
}

/**
 * Returns the Cloudflare account that wrangler will use. Throws if the user isn't logged in or must choose between
 * accounts.
 */
export async function findAccount(wrangler: Wrangler, wanted: Wanted): Promise<Account> {
  const result = await wrangler.run(["whoami", "--json"]);
  // If the user isn't logged in, wrangler exits with an error, but its JSON is still valid.
  const { loggedIn, accounts = [] } = readJson<{ loggedIn: boolean; accounts?: Account[] }>({ ...result, ok: true });
  if (!loggedIn)
    throw new Error("You aren't logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN.");
  const chosen = wanted.accountId ?? process.env.CLOUDFLARE_ACCOUNT_ID;
  if (chosen !== undefined) return accounts.find(({ id }) => id === chosen) ?? { id: chosen, name: chosen };
  const [account] = accounts;
  if (account === undefined) throw new Error(`This login has no Cloudflare account.\n${result.output}`);
  if (accounts.length > 1) {
    const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
    throw new Error(`You have several Cloudflare accounts. Set CLOUDFLARE_ACCOUNT_ID to one of them:\n${list}`);
  }
  return account;
}

/** Returns the resources that the account already has. Throws with wrangler's output if a command fails. */
export async function inspectAccount(wrangler: Wrangler, wanted: Wanted): Promise<AccountState> {
  const database = await findDatabase(wrangler, wanted.database.name);
  const databaseId = database?.uuid ?? null;
  return {
    databaseId,
    jurisdiction: database?.jurisdiction,
    versions: databaseId === null ? [] : await readVersions(wrangler, databaseId, wanted),
    rules: await readRules(wrangler, wanted),
    queues: await findQueues(wrangler, wanted.queues),
    ...(await findWorker(wrangler, wanted.worker)),
  };
}

/** A database as Cloudflare's API lists it. */
interface Database {
  name: string;
  uuid: string;
  jurisdiction?: string | null;
}

async function findDatabase(wrangler: Wrangler, name: string): Promise<Database | null> {
  const databases = readJson<Database[]>(await wrangler.runWithoutBindings(["d1", "list", "--json"]));
  return databases.find((database) => database.name === name) ?? null;
}

async function readVersions(wrangler: Wrangler, databaseId: string, wanted: Wanted): Promise<number[]> {
  const query = async <Row>(sql: string): Promise<Row[]> => {
    const result = await wrangler.runWithoutBindings([
      "d1",
      "execute",
      databaseId,
      "--remote",
      "--json",
      "--command",
      sql,
    ]);
    return readJson<{ results: Row[] }[]>(result)[0]?.results ?? [];
  };
  const tables = (await query<{ name: string }>(TABLES_QUERY)).map(({ name }) => name);
  if (tables.includes("schema_versions")) {
    return (await query<{ version: number }>(VERSIONS_QUERY)).map(({ version }) => version);
  }
  if (tables.length > 0) {
    throw new Error(
      `The database ${wanted.database.name} has tables, but no schema version, so it belongs to another project. Set another 'name' in ${wanted.settings.file}.`,
    );
  }
  return [];
}

/** Returns the bucket's lifecycle rules, or null if the bucket doesn't exist. */
async function readRules(wrangler: Wrangler, { bucket, settings }: Wanted): Promise<Rule[] | null> {
  const command = ["r2", "bucket", "lifecycle", "list", bucket, ...toRegionOptions(settings, ["jurisdiction"])];
  const { ok, stdout, output } = await wrangler.runWithoutBindings(command);
  if (ok) return parseRules(stdout);
  if (output.includes("[code: 10006]")) return null;
  throw new Error(output);
}

/**
 * Parses the list of rules that wrangler prints as blocks of `label: value` lines. `days` is NaN if a rule is disabled
 * or doesn't delete objects after a number of days.
 */
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
    const { ok, output } = await wrangler.runWithoutBindings(["queues", "info", queue]);
    if (ok) found.push(queue);
    else if (!output.includes(`Queue "${queue}" does not exist`)) throw new Error(output);
  }
  return found;
}

/**
 * Returns the names of the Worker's secrets. Throws on any error except that the Worker doesn't exist, because the
 * deployment replaces secrets that aren't in the list.
 */
async function findWorker(wrangler: Wrangler, worker: string): Promise<Pick<AccountState, "hasWorker" | "secrets">> {
  const result = await wrangler.runWithoutBindings(["secret", "list", "--name", worker]);
  if (!result.ok && result.output.includes(`Worker "${worker}" not found`)) return { hasWorker: false, secrets: [] };
  return { hasWorker: true, secrets: readJson<{ name: string }[]>(result).map(({ name }) => name) };
}
