// The deployment against a wrangler that keeps its account in a folder: nothing here reaches Cloudflare.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deploy, rehearse } from "../../scripts/deploy/deploy.ts";
import { OBJECTS_QUERY, readObjects, toMissing, toObjects } from "../../scripts/deploy/schema.ts";
import { NO_DATABASE_ID } from "../../scripts/deploy/wanted.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import type { FakeAccount } from "../support/wrangler.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "extraction-deploy-"));
let service: Loopback;
/** What the deployed service answers to a key that nobody has. */
let refusal = { status: 401, body: '{"error":{"code":"invalid_api_key"}}' };
let project: string;
let said: string[];

beforeAll(async () => {
  service = await listen(createServer((_, response) => response.writeHead(refusal.status).end(refusal.body)));
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  project = mkdtempSync(join(folder, "project-"));
  for (const file of ["wrangler.toml", "schema.sql"]) copyFileSync(join(root, file), join(project, file));
  save({
    commands: [],
    fails: [],
    accounts: [{ id: "1", name: "Mine" }],
    databases: [],
    buckets: {},
    queues: [],
    secrets: null,
    deployments: 0,
    target: service.origin,
  });
  refusal = { status: 401, body: '{"error":{"code":"invalid_api_key"}}' };
  said = [];
});

const account = (): FakeAccount => JSON.parse(readFileSync(join(project, "account.json"), "utf8"));
const save = (all: FakeAccount) => writeFileSync(join(project, "account.json"), JSON.stringify(all));
const change = (more: Partial<FakeAccount>) => save({ ...account(), ...more });

const options = (confirm: boolean) => ({
  project,
  wrangler: [process.execPath, join(root, "test/support/wrangler.ts")] as [string, string],
  say: (text: string) => said.push(text),
  confirm: async () => confirm,
  patienceMs: 0,
});
const run = (confirm = true) => deploy(options(confirm));

/** As after a first run. */
function complete(more: Partial<FakeAccount> = {}): void {
  const uuid = "0b6e2d1a-1111-4222-8333-444455556666";
  const database = new DatabaseSync(join(project, `${uuid}.sqlite`));
  database.exec(readFileSync(join(root, "schema.sql"), "utf8"));
  database.close();
  edit(`database_id = "${NO_DATABASE_ID}"`, `database_id = "${uuid}"`);
  const rules = ["results", "screenshots", "requests"].map((name) => {
    return { name, enabled: "Yes", prefix: `${name}/`, action: "Expire objects after 31 days" };
  });
  change({
    databases: [{ uuid, name: "web-data-extraction" }],
    buckets: {
      "web-data-extraction": [...rules, { name: "mine", enabled: "No", prefix: "(all prefixes)", action: "" }],
    },
    queues: ["jobs", "renders", "jobs-dead", "renders-dead"],
    secrets: { SIGNING_SECRET: "the first", ENCRYPTION_KEY: "the second" },
    ...more,
  });
}

/** Changes wrangler.toml. */
function edit(from: string, to: string): void {
  const file = join(project, "wrangler.toml");
  writeFileSync(file, readFileSync(file, "utf8").replace(`\n${from}`, `\n${to}`));
}

/** The command lines that change something, without where their configuration is. */
const changes = () =>
  account()
    .commands.map((line) => line.replace(/ --config .*| --secrets-file .*/, ""))
    .filter((line) => !/^whoami| list\b| info |--command/.test(line));

const everything = [
  "d1 create web-data-extraction",
  "r2 bucket create web-data-extraction",
  "queues create jobs",
  "queues create renders",
  "queues create jobs-dead",
  "queues create renders-dead",
  expect.stringMatching(/^d1 execute web-data-extraction --remote --yes --file .*schema\.sql$/),
  "r2 bucket lifecycle add web-data-extraction results results/ --expire-days 31",
  "r2 bucket lifecycle add web-data-extraction screenshots screenshots/ --expire-days 31",
  "r2 bucket lifecycle add web-data-extraction requests requests/ --expire-days 31",
  "deploy",
];

describe("npm run deploy", () => {
  it("makes all that is needed at the first run, and nothing but a deployment at the second", async () => {
    await run();
    expect(changes()).toEqual(everything);
    const { databases, secrets, target } = account();
    const [database] = databases;
    expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`\ndatabase_id = "${database?.uuid}"\n`);
    expect(Object.keys(secrets ?? {})).toEqual(["SIGNING_SECRET", "ENCRYPTION_KEY"]);
    for (const value of Object.values(secrets ?? {})) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets?.SIGNING_SECRET).not.toBe(secrets?.ENCRYPTION_KEY);
    expect(said.join("\n")).toContain(`npm run account -- sign-in you@example.com --remote --base ${target}`);
    expect(said.join("\n")).not.toContain(secrets?.SIGNING_SECRET);

    change({ commands: [] });
    said = [];
    await run();
    expect(changes()).toEqual(["deploy"]);
    expect(account()).toMatchObject({ secrets, deployments: 2 });
    expect(said.join("\n")).toContain("1. deploy the Worker web-data-extraction; its secrets stay as they are");
  });

  it("says where it failed, in wrangler's own words, and goes on from there", async () => {
    change({ fails: ["queues create renders"] });
    const failure = await run().catch((error: Error) => error.message);
    expect(failure).toContain("Step 4 of 12 failed: create the queue renders.");
    expect(failure).toContain("An unknown error has occurred [code: 10013]");
    expect(failure).toContain("Run it again: it goes on from here.");
    expect(account().deployments).toBe(0);

    const before = changes().length;
    await run();
    expect(changes().slice(before)).toEqual(everything.slice(3));
    expect(account()).toMatchObject({ deployments: 1, databases: [{ name: "web-data-extraction" }] });
  });

  it("goes on with a database that was made, but not yet written into wrangler.toml", async () => {
    complete();
    const [database] = account().databases;
    edit(`database_id = "${database?.uuid}"`, `database_id = "${NO_DATABASE_ID}"`);
    await run();
    expect(changes()).toEqual(["deploy"]);
    expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`\ndatabase_id = "${database?.uuid}"\n`);
  });

  it("makes the secrets that are missing, and never replaces one", async () => {
    complete({ secrets: { ENCRYPTION_KEY: "the first one", PROXIES: "{}" } });
    await run();
    expect(account().secrets).toEqual({
      ENCRYPTION_KEY: "the first one",
      PROXIES: "{}",
      SIGNING_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it.each(["d1 list", "r2 bucket lifecycle list", "queues info", "secret list"])(
    "changes nothing where it can't see what there is: %s",
    async (command) => {
      change({ fails: [command] });
      await expect(run()).rejects.toThrow(/can't be seen[\s\S]*code: 10013[\s\S]*Nothing was changed/);
      expect(changes()).toEqual([]);
    },
  );

  it("changes the rules of the bucket with RETENTION_DAYS, and those alone", async () => {
    complete();
    edit('RETENTION_DAYS = "30"', 'RETENTION_DAYS = "7"');
    await run();
    const rules = account().buckets["web-data-extraction"]?.map(({ name, action }) => `${name}: ${action}`);
    expect(rules).toEqual([
      "mine: ",
      "results: Expire objects after 8 days",
      "screenshots: Expire objects after 8 days",
      "requests: Expire objects after 8 days",
    ]);
  });

  it("does nothing when the answer is no, having shown what it would do", async () => {
    await expect(run(false)).rejects.toThrow("Nothing was done.");
    expect(said.join("\n")).toContain("1. create the D1 database web-data-extraction");
    expect(changes()).toEqual([]);
  });

  it("says how to log in", async () => {
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
    await expect(run()).rejects.toThrow(/set CLOUDFLARE_ACCOUNT_ID[\s\S]*2 {2}Theirs/);
  });

  it("doesn't touch a database of another account", async () => {
    complete({ databases: [] });
    await expect(run()).rejects.toThrow("this account has no database of that name");
    expect(changes()).toEqual([]);
  });

  it("shows what the deployed service answers, when that isn't a refusal of an unknown key", async () => {
    complete();
    refusal = { status: 500, body: '{"error":{"code":"internal_error"}}' };
    await expect(run()).rejects.toThrow(/Step 2 of 2 failed[\s\S]*status 500, .*internal_error/);
  });

  it("leaves no file with a secret behind", async () => {
    const before = readdirSync(tmpdir());
    complete({ fails: ["deploy"], secrets: null });
    await expect(run()).rejects.toThrow("Step 1 of 2 failed");
    expect(readdirSync(tmpdir()).filter((name) => !before.includes(name) && name.includes("deploy"))).toEqual([]);
  });

  it("shows at --dry-run all that a first run does, and asks nobody but the bundler", async () => {
    change({ accounts: [] });
    await rehearse(options(false));
    expect(account().commands).toEqual(["deploy --dry-run --outdir dist"]);
    expect(said.join("\n")).toMatch(
      /1\. create the D1 database[\s\S]*12\. see that the service answers[\s\S]*Total Upload/,
    );
  });
});

describe("the schema", () => {
  const sql = readFileSync(join(root, "schema.sql"), "utf8");
  const objectsOf = (database: DatabaseSync) =>
    toObjects(database.prepare(OBJECTS_QUERY).all() as { type: string; name: string; sql: string }[]);

  it("is found complete in a database that has it", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(sql);
    expect(toMissing(readObjects(sql), objectsOf(database))).toEqual([]);
    expect(readObjects(sql).map(({ name }) => name)).toContain("jobs_ended");
  });

  it("is told apart from one that lacks an index, or has another trigger", () => {
    const database = new DatabaseSync(":memory:");
    database.exec(`${sql}; DROP INDEX jobs_by_wake; DROP TRIGGER jobs_ended;
      CREATE TRIGGER jobs_ended AFTER UPDATE ON jobs BEGIN SELECT 1; END;`);
    expect(toMissing(readObjects(sql), objectsOf(database)).sort()).toEqual(["jobs_by_wake", "jobs_ended"]);
  });
});
