// Tests the deployment with a fake wrangler, which stores its account in a folder. The tests don't contact Cloudflare.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Deployment, deploy, dryRun } from "../../scripts/deploy/deploy.ts";
import { NO_DATABASE_ID } from "../../scripts/deploy/wanted.ts";
import { inChildProcess } from "../../scripts/deploy/wrangler.ts";
import { readMigrations } from "../../scripts/migrations.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { type FakeAccount, runFakeWrangler } from "../support/wrangler.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "extraction-deploy-"));
let service: Loopback;
/** The deployed service's response to an unknown API key. */
let refusal = { status: 401, body: '{"error":{"code":"invalid_api_key"}}' };
let project: string;
let output: string[];

beforeAll(async () => {
  service = await listen(createServer((_, response) => response.writeHead(refusal.status).end(refusal.body)));
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  project = mkdtempSync(join(folder, "project-"));
  for (const file of ["wrangler.toml", "schema.sql", "migrations"])
    cpSync(join(root, file), join(project, file), { recursive: true });
  save({
    commands: [],
    fails: [],
    accounts: [{ id: "1", name: "Mine" }],
    databases: [],
    buckets: {},
    queues: [],
    secrets: null,
    deployments: 0,
    analytics: true,
    target: service.origin,
  });
  refusal = { status: 401, body: '{"error":{"code":"invalid_api_key"}}' };
  output = [];
});

const account = (): FakeAccount => JSON.parse(readFileSync(join(project, "account.json"), "utf8"));
const save = (all: FakeAccount) => writeFileSync(join(project, "account.json"), JSON.stringify(all));
const change = (more: Partial<FakeAccount>) => save({ ...account(), ...more });

/** Runs the fake wrangler as a child process. Most tests run it in their own process instead, which is faster. */
const childProcess = inChildProcess(process.execPath, join(root, "test/support/wrangler.ts"));

const options = (confirm: boolean) => ({
  project,
  runWrangler: runFakeWrangler,
  print: (text: string) => output.push(text),
  confirm: async () => confirm,
  healthTimeoutMs: 0,
});
const run = (confirm = true, more: Partial<Deployment> = {}) => deploy({ ...options(confirm), ...more });

/** Sets up an account with all resources that the first deployment creates. */
function complete(more: Partial<FakeAccount> = {}): void {
  const uuid = "0b6e2d1a-1111-4222-8333-444455556666";
  const database = new DatabaseSync(join(project, `${uuid}.sqlite`));
  for (const { sql } of readMigrations(project)) database.exec(sql);
  database.close();
  edit(`database_id = "${NO_DATABASE_ID}"`, `database_id = "${uuid}"`);
  const rules = ["results", "screenshots", "requests"].map((name) => {
    return { name, enabled: "Yes", prefix: `${name}/`, action: "Expire objects after 32 days" };
  });
  change({
    databases: [{ uuid, name: "web-data-extraction" }],
    buckets: {
      "web-data-extraction": [...rules, { name: "mine", enabled: "No", prefix: "(all prefixes)", action: "" }],
    },
    queues: ["jobs", "renders", "webhooks", "summaries", "jobs-dead", "renders-dead"],
    secrets: { SIGNING_SECRET: "the first", ENCRYPTION_KEY: "the second", ADMIN_TOKEN: "the third" },
    ...more,
  });
}

/** Replaces a line of wrangler.toml. */
function edit(from: string, to: string): void {
  const file = join(project, "wrangler.toml");
  writeFileSync(file, readFileSync(file, "utf8").replace(`\n${from}`, `\n${to}`));
}

/** Returns the commands that change something, without the paths of their configuration. */
const changes = () =>
  account()
    .commands.map((line) => line.replace(/ --config \S+\/deploy\.json| --secrets-file \S+/g, ""))
    .map((line) => line.replace(/ --config \S+\//, " --config "))
    .filter((line) => !/^whoami| list\b| info |--command/.test(line));

/** The deployment with the Analytics Engine binding, which wrangler.toml contains as a comment. */
const DEPLOY = "deploy --config wrangler.analytics.toml";

const everything = [
  "d1 create web-data-extraction",
  "r2 bucket create web-data-extraction",
  "queues create jobs",
  "queues create renders",
  "queues create webhooks",
  "queues create summaries",
  "queues create jobs-dead",
  "queues create renders-dead",
  expect.stringMatching(/^d1 execute web-data-extraction --remote --yes --file .*migration-1\.sql$/),
  expect.stringMatching(/^d1 execute web-data-extraction --remote --yes --file .*migration-2\.sql$/),
  expect.stringMatching(/^d1 execute web-data-extraction --remote --yes --file .*migration-3\.sql$/),
  "r2 bucket lifecycle add web-data-extraction results results/ --expire-days 32",
  "r2 bucket lifecycle add web-data-extraction screenshots screenshots/ --expire-days 32",
  "r2 bucket lifecycle add web-data-extraction requests requests/ --expire-days 32",
  DEPLOY,
];

describe("npm run deploy", () => {
  it("creates all resources in the first run, and only deploys in the second", async () => {
    await run(true, { runWrangler: childProcess });
    expect(changes()).toEqual(everything);
    const { databases, secrets, target } = account();
    const [database] = databases;
    expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`\ndatabase_id = "${database?.uuid}"\n`);
    expect(Object.keys(secrets ?? {})).toEqual(["SIGNING_SECRET", "ENCRYPTION_KEY", "ADMIN_TOKEN"]);
    for (const value of Object.values(secrets ?? {})) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets?.SIGNING_SECRET).not.toBe(secrets?.ENCRYPTION_KEY);
    expect(output.join("\n")).toContain(`npm run account -- sign-in you@example.com --url ${target}`);
    expect(output.join("\n")).not.toContain(secrets?.SIGNING_SECRET);

    change({ commands: [] });
    output = [];
    await run();
    expect(changes()).toEqual([DEPLOY]);
    expect(account()).toMatchObject({ secrets, deployments: 2 });
    expect(output.join("\n")).toContain("1. deploy the Worker web-data-extraction and keep its secrets");
  });

  it("reports the failed step with wrangler's error, and continues with that step in the next run", async () => {
    change({ fails: ["queues create renders"] });
    const failure = await run(true, { runWrangler: childProcess }).catch((error: Error) => error.message);
    expect(failure).toContain("Step 4 of 16 failed: create the queue renders.");
    expect(failure).toContain("An unknown error has occurred [code: 10013]");
    expect(failure).toContain("Run npm run deploy again to continue with this step.");
    expect(account().deployments).toBe(0);

    const before = changes().length;
    await run();
    expect(changes().slice(before)).toEqual(everything.slice(3));
    expect(account()).toMatchObject({ deployments: 1, databases: [{ name: "web-data-extraction" }] });
  });

  it("uses a database that an interrupted run created but didn't write to wrangler.toml", async () => {
    complete();
    const [database] = account().databases;
    edit(`database_id = "${database?.uuid}"`, `database_id = "${NO_DATABASE_ID}"`);
    await run();
    expect(changes()).toEqual([DEPLOY]);
    expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`\ndatabase_id = "${database?.uuid}"\n`);
  });

  it("creates missing secrets and never replaces one", async () => {
    complete({ secrets: { ENCRYPTION_KEY: "the first one", PROXIES: "{}" } });
    await run();
    expect(account().secrets).toEqual({
      ENCRYPTION_KEY: "the first one",
      PROXIES: "{}",
      SIGNING_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
      ADMIN_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("stores the admin API's token in a file that only its owner can read, and prints the path", async () => {
    await run();
    const file = join(project, ".wrangler", "admin-token");
    expect(readFileSync(file, "utf8").trim()).toBe(account().secrets?.ADMIN_TOKEN);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(output.join("\n")).toContain(".wrangler/admin-token");
    expect(output.join("\n")).not.toContain(account().secrets?.ADMIN_TOKEN);
  });

  it("binds Analytics Engine if it is enabled, and otherwise prints that it isn't", async () => {
    complete();
    await run();
    expect(account()).toMatchObject({ deployments: 1, bindsAnalytics: true });
    expect(output.join("\n")).not.toContain("Analytics Engine");

    change({ analytics: false, commands: [] });
    await run();
    expect(changes()).toEqual([DEPLOY, "deploy"]);
    expect(account()).toMatchObject({ deployments: 2, bindsAnalytics: false });
    expect(output.join("\n")).toContain("Analytics Engine isn't enabled in this account");
    expect(existsSync(join(project, "wrangler.analytics.toml"))).toBe(false);
  });

  it("applies and records the missing schema versions", async () => {
    complete();
    const [database] = account().databases;
    const open = () => new DatabaseSync(join(project, `${database?.uuid}.sqlite`));
    const before = open();
    before.exec("ALTER TABLE accounts DROP COLUMN charge_free_outcomes; DELETE FROM schema_versions WHERE version = 3");
    before.close();
    await run();
    expect(changes()).toEqual([expect.stringContaining("migration-3.sql"), DEPLOY]);
    const after = open();
    expect(after.prepare("SELECT COUNT(charge_free_outcomes) AS n FROM accounts").get()).toEqual({ n: 0 });
    expect(after.prepare("SELECT MAX(version) AS version FROM schema_versions").get()).toEqual({ version: 3 });
    after.close();
  });

  it("doesn't touch a database of version 0.1.0", async () => {
    complete();
    const [database] = account().databases;
    const old = new DatabaseSync(join(project, `${database?.uuid}.sqlite`));
    old.exec("DROP TABLE schema_versions; CREATE TABLE jobs (id TEXT)");
    old.close();
    await expect(run()).rejects.toThrow(/created by version 0\.1\.0[\s\S]*Nothing was changed/);
    expect(changes()).toEqual([]);
  });

  it.each(["d1 list", "r2 bucket lifecycle list", "queues info", "secret list"])(
    "changes nothing if it can't read the account: %s",
    async (command) => {
      change({ fails: [command] });
      await expect(run()).rejects.toThrow(/can't be read[\s\S]*code: 10013[\s\S]*Nothing was changed/);
      expect(changes()).toEqual([]);
    },
  );

  it("updates only its own lifecycle rules when RETENTION_DAYS changes", async () => {
    complete();
    edit('RETENTION_DAYS = "30"', 'RETENTION_DAYS = "7"');
    await run();
    const rules = account().buckets["web-data-extraction"]?.map(({ name, action }) => `${name}: ${action}`);
    expect(rules).toEqual([
      "mine: ",
      "results: Expire objects after 9 days",
      "screenshots: Expire objects after 9 days",
      "requests: Expire objects after 9 days",
    ]);
  });

  it("shows the plan, and does nothing if the user declines", async () => {
    await expect(run(false)).rejects.toThrow("Canceled. Nothing was changed.");
    expect(output.join("\n")).toContain("1. create the D1 database web-data-extraction");
    expect(changes()).toEqual([]);
  });

  it("prints how to log in", async () => {
    change({ accounts: [] });
    await expect(run()).rejects.toThrow("npx wrangler login");
    expect(account().commands).toEqual(["whoami --json"]);
  });

  it("doesn't choose between several accounts", async () => {
    change({
      accounts: [
        { id: "1", name: "Mine" },
        { id: "2", name: "Theirs" },
      ],
    });
    await expect(run()).rejects.toThrow(/Set CLOUDFLARE_ACCOUNT_ID[\s\S]*2 {2}Theirs/);
  });

  it("doesn't touch a database of another account", async () => {
    complete({ databases: [] });
    await expect(run()).rejects.toThrow("this account has no database of that name");
    expect(changes()).toEqual([]);
  });

  it("reports the service's response if it doesn't refuse an unknown key", async () => {
    complete();
    refusal = { status: 500, body: '{"error":{"code":"internal_error"}}' };
    await expect(run()).rejects.toThrow(/Step 2 of 2 failed[\s\S]*status 500, .*internal_error/);
  });

  it("deletes all files with secrets", async () => {
    const before = readdirSync(tmpdir());
    complete({ fails: ["deploy"], secrets: null });
    await expect(run()).rejects.toThrow("Step 1 of 2 failed");
    expect(readdirSync(tmpdir()).filter((name) => !before.includes(name) && name.includes("deploy"))).toEqual([]);
  });

  it("prints all steps of a first run with --dry-run, and runs only the bundler", async () => {
    change({ accounts: [] });
    await dryRun(options(false));
    expect(account().commands).toEqual(["deploy --dry-run --outdir dist"]);
    expect(output.join("\n")).toMatch(
      /1\. create the D1 database[\s\S]*16\. check that the service responds[\s\S]*Total Upload/,
    );
  });
});
