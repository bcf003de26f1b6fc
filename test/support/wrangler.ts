// A fake wrangler 4.155. It has the commands, the output and the exit codes that scripts/deploy/ uses. Its Cloudflare
// account is a JSON file in the working directory, and its databases are SQLite files. Fails for unknown commands and
// for commands in the wrong order.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import type { DeployConfig } from "../../scripts/deploy/config.ts";
import type { RunWrangler } from "../../scripts/deploy/wrangler.ts";

export interface FakeAccount {
  /** All command lines, oldest first. */
  commands: string[];
  /** For each of these prefixes, the next command line that starts with it fails. The prefix is then removed. */
  fails: string[];
  accounts: { id: string; name: string }[];
  databases: { uuid: string; name: string; location?: string; jurisdiction?: string }[];
  /** The rules of each bucket. The name of a bucket in a jurisdiction is `<jurisdiction>/<name>`. */
  buckets: Record<string, { name: string; enabled: string; prefix: string; action: string }[]>;
  queues: string[];
  /** The secrets of each deployed Worker. */
  workers: Record<string, Record<string, string>>;
  /** The configurations of all deployments, oldest first. */
  deployed: DeployConfig[];
  /** True if Analytics Engine is enabled. */
  analytics: boolean;
  target: string;
}

const FILE = "account.json";

/** Thrown if a command fails. The message is wrangler's error. */
class CommandError extends Error {}

if (import.meta.main) {
  const { ok, stdout, stderr } = runFake(process.argv.slice(2), process.cwd(), process.env);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  if (!ok) process.exitCode = 1;
}

/** Runs a command in this process. `folder` is its working directory. */
export const runFakeWrangler: RunWrangler = async (line, { cwd, env }) => {
  const { ok, stdout, stderr } = runFake(line, cwd, env);
  return { ok, stdout, output: `${stdout}${stderr}`.trim() };
};

function runFake(line: string[], folder: string, env: NodeJS.ProcessEnv) {
  const file = join(folder, FILE);
  const account: FakeAccount = JSON.parse(readFileSync(file, "utf8"));
  const command = line.join(" ");
  account.commands.push(command);
  const failing = account.fails.findIndex((start) => command.startsWith(start));
  if (failing >= 0) account.fails.splice(failing, 1);
  writeFileSync(file, JSON.stringify(account));
  try {
    if (failing >= 0)
      fail(
        "A request to the Cloudflare API (/accounts/1/somewhere) failed.\n\n  An unknown error has occurred [code: 10013]",
      );
    const stdout = `\n${runCommand(line, { account, folder, env })}\n`;
    writeFileSync(file, JSON.stringify(account));
    // If the user isn't logged in, whoami prints JSON and fails.
    return { ok: account.accounts.length > 0 || line[0] !== "whoami", stdout, stderr: "" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { ok: false, stdout: "", stderr: `\n✘ [ERROR] ${error.message}\n\n` };
  }
}

interface Context {
  account: FakeAccount;
  /** The working directory. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

function runCommand(line: string[], context: Context): string {
  const { account } = context;
  const { positionals, values } = parseArgs({
    args: line,
    allowPositionals: true,
    options: {
      config: { type: "string" },
      json: { type: "boolean" },
      remote: { type: "boolean" },
      yes: { type: "boolean" },
      command: { type: "string" },
      file: { type: "string" },
      name: { type: "string" },
      "expire-days": { type: "string" },
      "secrets-file": { type: "string" },
      "dry-run": { type: "boolean" },
      outdir: { type: "string" },
      location: { type: "string" },
      jurisdiction: { type: "string" },
    },
  });
  const [noun, verb, ...rest] = positionals;
  if (noun === "whoami") return whoami(account);
  if (noun === "deploy")
    return values["dry-run"] ? dryRun(values.config) : deploy(context, values["secrets-file"], values.config);
  if (account.accounts.length === 0)
    fail(
      "In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN environment variable for wrangler to work.",
    );
  if (noun === "secret" && verb === "list") return listSecrets(account, values.name ?? "");
  if (noun === "queues") return queues(account, verb, rest[0] ?? "");
  if (noun === "d1" && verb === "list")
    return JSON.stringify(
      account.databases.map((database) => ({ jurisdiction: null, ...database })),
      null,
      2,
    );
  if (noun === "d1" && verb === "create") return createDatabase(account, rest[0] ?? "", values);
  if (noun === "d1" && verb === "execute" && values.remote)
    return execute(context, rest[0] ?? "", { file: values.file, sql: values.command });
  if (noun === "r2" && verb === "bucket") return bucket(account, rest, { ...values, days: values["expire-days"] });
  return fail(`Unknown arguments: ${line.join(", ")}`);
}

function whoami({ accounts }: FakeAccount): string {
  if (accounts.length > 0)
    return JSON.stringify({ loggedIn: true, authType: "OAuth Token", email: "me@example.com", accounts });
  return JSON.stringify({ loggedIn: false });
}

interface RegionOptions {
  location?: string | undefined;
  jurisdiction?: string | undefined;
}

function createDatabase(account: FakeAccount, name: string, { location, jurisdiction }: RegionOptions): string {
  if (account.databases.some((database) => database.name === name)) fail("A database with that name already exists");
  const uuid = randomUUID();
  account.databases.push({
    uuid,
    name,
    ...(location === undefined ? {} : { location }),
    ...(jurisdiction === undefined ? {} : { jurisdiction }),
  });
  return `✅ Successfully created DB '${name}' in region WEUR\nCreated your new D1 database.`;
}

/** Runs SQL in a database, which has this name or id. */
function execute(
  { account, folder }: Context,
  nameOrId: string,
  { file, sql }: { file: string | undefined; sql: string | undefined },
): string {
  const database = account.databases.find(({ uuid, name }) => uuid === nameOrId || name === nameOrId);
  if (database === undefined)
    fail(`Couldn't find a D1 DB with name or binding '${nameOrId}' in your config or the API.`);
  const sqlite = new DatabaseSync(join(folder, `${database.uuid}.sqlite`));
  if (file !== undefined) sqlite.exec(readFileSync(file, "utf8"));
  const results = sql === undefined ? [] : sqlite.prepare(sql).all();
  sqlite.close();
  return JSON.stringify([{ results, success: true, meta: { duration: 0.2 } }], null, 2);
}

function bucket(
  account: FakeAccount,
  words: string[],
  options: RegionOptions & { name?: string | undefined; days?: string | undefined },
): string {
  const toKey = (name: string) => (options.jurisdiction === undefined ? name : `${options.jurisdiction}/${name}`);
  if (words[0] === "create" && words[1] !== undefined) {
    account.buckets[toKey(words[1])] = [
      {
        name: "Default Multipart Abort Rule",
        enabled: "Yes",
        prefix: "(all prefixes)",
        action: "Abort incomplete multipart uploads after 7 days",
      },
    ];
    return `Creating bucket '${words[1]}'...\n✅ Created bucket '${words[1]}' with default storage class of Standard.`;
  }
  const [, verb, name = "", id = "", prefix = ""] = words;
  const rules = account.buckets[toKey(name)];
  if (rules === undefined)
    fail(
      `A request to the Cloudflare API (/accounts/1/r2/buckets/${name}/lifecycle) failed.\n\n  The specified bucket does not exist. [code: 10006]`,
    );
  if (verb === "list") {
    const blocks = rules.map((rule) =>
      Object.entries(rule)
        .map(([label, value]) => `${`${label}:`.padEnd(10)}${value}`)
        .join("\n"),
    );
    return `Listing lifecycle rules for bucket '${name}'...\n${blocks.join("\n\n")}`;
  }
  if (verb === "add" && !rules.some((rule) => rule.name === id)) {
    rules.push({ name: id, enabled: "Yes", prefix, action: `Expire objects after ${options.days} days` });
    return `✨ Added lifecycle rule '${id}' to bucket '${name}'.`;
  }
  if (verb === "remove" && rules.some((rule) => rule.name === options.name)) {
    account.buckets[toKey(name)] = rules.filter((rule) => rule.name !== options.name);
    return `Lifecycle rule '${options.name}' removed from bucket '${name}'.`;
  }
  return fail(`The lifecycle rule can't be ${verb}ed.`);
}

function queues(account: FakeAccount, verb: string | undefined, name: string): string {
  const exists = account.queues.includes(name);
  if (verb === "info" && !exists)
    fail(`Queue "${name}" does not exist. To create it, run: wrangler queues create ${name}`);
  if (verb === "info") return `Queue Name: ${name}\nQueue ID: 1\nNumber of Producers: 0\nNumber of Consumers: 0`;
  if (exists) fail(`Queue name '${name}' is already taken. Please use a different name and try again. [code: 11009]`);
  account.queues.push(name);
  return `🌀 Creating queue '${name}'\n✅ Created queue '${name}'`;
}

function listSecrets({ workers }: FakeAccount, worker: string): string {
  const secrets = workers[worker];
  if (secrets === undefined)
    fail(`Worker "${worker}" not found.\n\nIf this is a new Worker, run \`wrangler deploy\` first to create it.`);
  return JSON.stringify(
    Object.keys(secrets).map((name) => ({ name, type: "secret_text" })),
    null,
    "  ",
  );
}

/** Simulates a deployment. If a bound resource is missing, fails with Cloudflare's error. */
function deploy({ account, env }: Context, secretsFile: string | undefined, file = ""): string {
  const config: DeployConfig = JSON.parse(readFileSync(file, "utf8"));
  if (config.analytics_engine_datasets !== undefined && !account.analytics)
    fail("You need to enable Analytics Engine. Head to the Cloudflare Dashboard to enable. [code: 10089]");
  for (const { database_name } of config.d1_databases)
    if (!account.databases.some(({ name }) => name === database_name))
      fail("binding DB of type d1 must have a valid `id` specified [code: 10021]");
  const queues = [...config.queues.producers, ...config.queues.consumers].map(({ queue }) => queue);
  const dead = config.queues.consumers.flatMap(({ dead_letter_queue: name }) => name ?? []);
  for (const queue of [...queues, ...dead])
    if (!account.queues.includes(queue))
      fail(`Queue "${queue}" does not exist. To create it, run: wrangler queues create ${queue}`);
  for (const { bucket_name: name, jurisdiction } of config.r2_buckets)
    if (account.buckets[jurisdiction === undefined ? name : `${jurisdiction}/${name}`] === undefined)
      fail(`R2 bucket '${name}' not found. [code: 10085]`);
  const given: Record<string, string> = secretsFile === undefined ? {} : JSON.parse(readFileSync(secretsFile, "utf8"));
  account.workers[config.name] = { ...account.workers[config.name], ...given };
  account.deployed.push(config);
  const report = env.WRANGLER_OUTPUT_FILE_PATH;
  if (report === undefined) return fail("WRANGLER_OUTPUT_FILE_PATH is not set.");
  const entries = [
    { type: "wrangler-session", version: 1 },
    { type: "deploy", version: 1, targets: ["schedule: * * * * *", account.target, "Producer for jobs"] },
  ];
  appendFileSync(report, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return `Total Upload: 9985.12 KiB / gzip: 1983.03 KiB\nUploaded ${config.name} (6.02 sec)`;
}

function dryRun(config = "wrangler.toml"): string {
  if (!existsSync(config)) fail(`${config} doesn't exist.`);
  return "Total Upload: 9985.12 KiB / gzip: 1983.03 KiB\n\n--dry-run: exiting now.";
}

function fail(text: string): never {
  throw new CommandError(text);
}
