// Tests the deployment with a fake wrangler, which stores its account in a folder. The tests don't contact Cloudflare.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { experimental_readRawConfig } from "wrangler";
import type { DeployConfig } from "../../scripts/deploy/config.ts";
import { type Deployment, deploy, dryRun } from "../../scripts/deploy/deploy.ts";
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
  service = await listen(
    createServer((_, response) => response.writeHead(refusal.status, { connection: "close" }).end(refusal.body)),
  );
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  project = mkdtempSync(join(folder, "project-"));
  for (const file of ["wrangler.toml", ...readMigrations(root).map(({ file }) => file)])
    cpSync(join(root, file), join(project, file));
  save({
    commands: [],
    fails: [],
    accounts: [{ id: "1", name: "Mine" }],
    databases: [],
    buckets: {},
    queues: [],
    workers: {},
    deployed: [],
    analytics: true,
    target: service.origin,
  });
  refusal = { status: 401, body: '{"error":{"code":"invalid_api_key"}}' };
  output = [];
});
// The files of this project share a process.
afterEach(() => vi.unstubAllEnvs());

const account = (): FakeAccount => JSON.parse(readFileSync(join(project, "account.json"), "utf8"));
const save = (all: FakeAccount) => writeFileSync(join(project, "account.json"), JSON.stringify(all));
const change = (more: Partial<FakeAccount>) => save({ ...account(), ...more });

/** Runs the fake wrangler as a child process. Most tests run it in their own process instead, which is faster. */
const childProcess = inChildProcess(process.execPath, join(root, "test/support/wrangler.ts"));

const NAME = "web-data-extraction";
const VERSIONS = readMigrations(resolve(import.meta.dirname, "../..")).map(({ version }) => version);
const LATEST = VERSIONS.length;
/** The number of steps of a first deployment. Each version of the schema is one step. */
const STEPS = 15 + LATEST;

const options = (confirm: boolean): Deployment => ({
  project,
  environment: null,
  region: { location: null, jurisdiction: null },
  runWrangler: runFakeWrangler,
  print: (text: string) => output.push(text),
  confirm: async () => confirm,
  healthTimeoutMs: 0,
});
const run = (confirm = true, more: Partial<Deployment> = {}) => deploy({ ...options(confirm), ...more });

/** Sets up an account with all resources that the first deployment creates. `version` is the version of its schema. */
function complete(more: Partial<FakeAccount> = {}, version = LATEST): void {
  const uuid = "0b6e2d1a-1111-4222-8333-444455556666";
  const database = new DatabaseSync(join(project, `${uuid}.sqlite`));
  for (const { sql } of readMigrations(project).slice(0, version)) database.exec(sql);
  database.close();
  const rules = ["results", "screenshots", "requests", "captures"].map((name) => {
    return { name, enabled: "Yes", prefix: `${name}/`, action: "Expire objects after 32 days" };
  });
  rules.push({ name: "files", enabled: "Yes", prefix: "files/", action: "Expire objects after 7 days" });
  change({
    databases: [{ uuid, name: "web-data-extraction" }],
    buckets: {
      "web-data-extraction": [...rules, { name: "mine", enabled: "No", prefix: "(all prefixes)", action: "" }],
    },
    queues: ["jobs", "renders", "webhooks", "summaries", "jobs-dead", "renders-dead"].map(
      (queue) => `${NAME}-${queue}`,
    ),
    workers: { [NAME]: { SIGNING_SECRET: "the first", ENCRYPTION_KEY: "the second", ADMIN_TOKEN: "the third" } },
    ...more,
  });
}

/** Writes the operator's settings. */
function set(text: string, file = "deploy.toml"): void {
  writeFileSync(join(project, file), text);
}

/** Returns the configuration of the last deployment. */
const deployed = () => account().deployed.at(-1);

/** Returns the commands that change something, without the paths of their configuration. */
const changes = () =>
  account()
    .commands.map((line) => line.replace(/ --config \S+\/\.cache\/deploy\.json| --secrets-file \S+/g, ""))
    .map((line) => line.replace(/ --config \S+\//, " --config "))
    .filter((line) => !/^whoami| list\b| info |--command/.test(line));

/** The commands of a first deployment. `name` is the name of the Worker. */
const everything = (name = NAME) => [
  `d1 create ${name}`,
  `r2 bucket create ${name}`,
  `queues create ${name}-jobs`,
  `queues create ${name}-renders`,
  `queues create ${name}-webhooks`,
  `queues create ${name}-summaries`,
  `queues create ${name}-jobs-dead`,
  `queues create ${name}-renders-dead`,
  ...VERSIONS.map((version) =>
    expect.stringMatching(new RegExp(`^d1 execute ${name} --remote --yes --file .*migration-${version}\\.sql$`)),
  ),
  `r2 bucket lifecycle add ${name} results results/ --expire-days 32`,
  `r2 bucket lifecycle add ${name} screenshots screenshots/ --expire-days 32`,
  `r2 bucket lifecycle add ${name} requests requests/ --expire-days 32`,
  `r2 bucket lifecycle add ${name} captures captures/ --expire-days 32`,
  `r2 bucket lifecycle add ${name} files files/ --expire-days 7`,
  toDeploy(name),
];

function toDeploy(name = NAME): string {
  return `deploy --config wrangler.deploy-${name}.json`;
}

describe("npm run deploy", () => {
  it("creates all resources in the first run, and only deploys in the second", async () => {
    await run(true, { runWrangler: childProcess });
    expect(changes()).toEqual(everything());
    const { workers, target } = account();
    const secrets = workers[NAME];
    expect(Object.keys(secrets ?? {})).toEqual(["SIGNING_SECRET", "ENCRYPTION_KEY", "ADMIN_TOKEN"]);
    for (const value of Object.values(secrets ?? {})) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(secrets?.SIGNING_SECRET).not.toBe(secrets?.ENCRYPTION_KEY);
    expect(output.join("\n")).toContain(`npm run admin -- sign-in you@example.com --url ${target}`);
    expect(output.join("\n")).not.toContain(secrets?.SIGNING_SECRET);

    change({ commands: [] });
    output = [];
    await run();
    expect(changes()).toEqual([toDeploy()]);
    expect(account()).toMatchObject({ workers, deployed: [deployed(), deployed()] });
    expect(output.join("\n")).toContain("1. deploy the Worker web-data-extraction with its existing secrets");
    for (const file of ["wrangler.toml", "schema.sql"])
      expect(readFileSync(join(project, file), "utf8")).toBe(readFileSync(join(root, file), "utf8"));
  });

  it("reports the failed step with wrangler's error, and continues with that step in the next run", async () => {
    change({ fails: [`queues create ${NAME}-renders`] });
    const failure = await run(true, { runWrangler: childProcess }).catch((error: Error) => error.message);
    expect(failure).toContain(`Step 4 of ${STEPS} failed: create the queue web-data-extraction-renders.`);
    expect(failure).toContain("An unknown error has occurred [code: 10013]");
    expect(failure).toContain("Run the same command again to continue with this step.");
    expect(account().deployed).toEqual([]);

    const before = changes().length;
    await run();
    expect(changes().slice(before)).toEqual(everything().slice(3));
    expect(account()).toMatchObject({ deployed: [{ name: NAME }], databases: [{ name: NAME }] });
  });

  it("creates missing secrets and never replaces one", async () => {
    complete({ workers: { [NAME]: { ENCRYPTION_KEY: "the first one", PROXIES: "{}" } } });
    await run();
    expect(account().workers[NAME]).toEqual({
      ENCRYPTION_KEY: "the first one",
      PROXIES: "{}",
      SIGNING_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
      ADMIN_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it("stores the admin API's token in a file that only its owner can read, and prints the path", async () => {
    await run();
    const file = join(project, ".wrangler", "admin-token");
    expect(readFileSync(file, "utf8").trim()).toBe(account().workers[NAME]?.ADMIN_TOKEN);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(output.join("\n")).toContain(".wrangler/admin-token");
    expect(output.join("\n")).not.toContain(account().workers[NAME]?.ADMIN_TOKEN);
  });

  it("binds Analytics Engine if it is enabled, and otherwise prints that it isn't", async () => {
    complete();
    await run();
    const bound = [{ binding: "ANALYTICS", dataset: "web_data_extraction" }];
    expect(deployed()).toMatchObject({ analytics_engine_datasets: bound });
    expect(output.join("\n")).not.toContain("Analytics Engine");

    change({ analytics: false, commands: [] });
    await run();
    expect(changes()).toEqual([toDeploy(), toDeploy()]);
    expect(account().deployed).toHaveLength(2);
    expect(deployed()).not.toHaveProperty("analytics_engine_datasets");
    expect(output.join("\n")).toContain("Analytics Engine isn't enabled in this account");
  });

  it("applies and records the missing schema versions", async () => {
    complete();
    const versions = [LATEST + 1, LATEST + 2];
    mkdirSync(join(project, "migrations"), { recursive: true });
    for (const version of versions) {
      const file = `${String(version).padStart(4, "0")}_made_up.sql`;
      writeFileSync(join(project, "migrations", file), `CREATE TABLE made_up_${version} (id INTEGER PRIMARY KEY);\n`);
    }
    await run();
    const missing = versions.map((version) => expect.stringContaining(`migration-${version}.sql`));
    expect(changes()).toEqual([...missing, toDeploy()]);
    const [database] = account().databases;
    const after = new DatabaseSync(join(project, `${database?.uuid}.sqlite`));
    for (const version of versions)
      expect(after.prepare(`SELECT COUNT(*) AS n FROM made_up_${version}`).get()).toEqual({ n: 0 });
    expect(after.prepare("SELECT MAX(version) AS version FROM schema_versions").get()).toEqual({ version: LATEST + 2 });
    after.close();
  });

  it("doesn't touch a database of another project", async () => {
    complete();
    const [database] = account().databases;
    const old = new DatabaseSync(join(project, `${database?.uuid}.sqlite`));
    old.exec("DROP TABLE schema_versions");
    old.close();
    await expect(run()).rejects.toThrow(
      /belongs to another project[\s\S]*Set another 'name' in deploy\.toml[\s\S]*Nothing was changed/,
    );
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
    set('[vars]\nRETENTION_DAYS = "7"\n');
    await run();
    const rules = account().buckets["web-data-extraction"]?.map(({ name, action }) => `${name}: ${action}`);
    expect(rules?.toSorted()).toEqual([
      "captures: Expire objects after 9 days",
      "files: Expire objects after 7 days",
      "mine: ",
      "requests: Expire objects after 9 days",
      "results: Expire objects after 9 days",
      "screenshots: Expire objects after 9 days",
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
    const file = join(project, "wrangler.toml");
    const id = 'database_name = "web-data-extraction"\ndatabase_id = "1"';
    writeFileSync(file, readFileSync(file, "utf8").replace('database_name = "web-data-extraction"', id));
    await expect(run()).rejects.toThrow("this account has no database of that name");
    expect(changes()).toEqual([]);
  });

  it("reports the service's response if it doesn't refuse an unknown key", async () => {
    complete();
    refusal = { status: 500, body: '{"error":{"code":"internal_error"}}' };
    await expect(run()).rejects.toThrow(/Step 2 of 2 failed[\s\S]*status 500, .*internal_error/);
  });

  it("deletes all files with secrets, and its configuration", async () => {
    const files = readdirSync(project);
    // Other tests deploy at the same time, so this test uses a separate folder for temporary files.
    const temporary = mkdtempSync(join(folder, "temporary-"));
    vi.stubEnv("TMPDIR", temporary);
    complete({ fails: ["deploy"], workers: {} });
    await expect(run()).rejects.toThrow("Step 1 of 2 failed");
    vi.unstubAllEnvs();
    expect(readdirSync(project).filter((name) => !files.includes(name) && name.startsWith("wrangler"))).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("prints all steps of a first run with --dry-run, and runs only the bundler", async () => {
    change({ accounts: [] });
    await dryRun(options(false));
    const [command] = account().commands;
    expect(command).toBe(`deploy --dry-run --outdir dist --config ${join(project, `wrangler.deploy-${NAME}.json`)}`);
    expect(account().commands).toHaveLength(1);
    expect(output.join("\n")).toMatch(
      new RegExp(
        `1\\. create the D1 database[\\s\\S]*${STEPS}\\. check that the service responds[\\s\\S]*Total Upload`,
      ),
    );
  });

  it("returns the Worker's name and address", async () => {
    complete();
    expect(await run()).toEqual({ worker: NAME, base: service.origin });
    set(`[vars]\nPUBLIC_URL = "${service.origin}/"\n`);
    expect(await run()).toEqual({ worker: NAME, base: `${service.origin}/` });
  });
});

describe("an environment", () => {
  const STAGING = `${NAME}-staging`;

  it("is a separate service on the same account", async () => {
    await run();
    change({ commands: [] });
    await run(true, { environment: "staging" });
    expect(changes()).toEqual(everything(STAGING));
    const { workers, databases } = account();
    expect(databases.map(({ name }) => name)).toEqual([NAME, STAGING]);
    expect(workers[STAGING]?.SIGNING_SECRET).not.toBe(workers[NAME]?.SIGNING_SECRET);
    expect(deployed()).toMatchObject({
      name: STAGING,
      d1_databases: [{ binding: "DB", database_name: STAGING }],
      r2_buckets: [{ binding: "STORE", bucket_name: STAGING }],
      analytics_engine_datasets: [{ dataset: "web_data_extraction_staging" }],
    });
    expect(readFileSync(join(project, ".wrangler/admin-token-staging"), "utf8").trim()).toBe(
      workers[STAGING]?.ADMIN_TOKEN,
    );
    expect(output.join("\n")).toContain(`--url ${service.origin} --env staging`);

    const names = new Set(account().deployed.map(({ queues }) => JSON.stringify(queues)));
    expect(names.size).toBe(2);
    change({ commands: [] });
    await run(true, { environment: "staging" });
    expect(changes()).toEqual([toDeploy(STAGING)]);
  });

  it("has its own settings file", async () => {
    set('[vars]\nSIGNUP = "closed"\n');
    set('name = "scraper-test"\naccount_id = "1"\n[vars]\nBROWSERS = "1"\n', "deploy.staging.toml");
    await run(true, { environment: "staging" });
    expect(changes()).toEqual(everything("scraper-test"));
    expect(deployed()).toMatchObject({ name: "scraper-test", vars: { SIGNUP: "open", BROWSERS: "1" } });
  });

  it("can't have a name that makes the names of the queues too long", async () => {
    await run(true, { environment: "a".repeat(30) });
    change({ commands: [] });
    await expect(run(true, { environment: "a".repeat(31) })).rejects.toThrow("Use a shorter --env");
    expect(account().commands).toEqual([]);
  });

  it.each(["Staging", "a b", "-a", ""])("can't have the name '%s'", async (environment) => {
    await expect(run(true, { environment })).rejects.toThrow("--env must have lowercase letters");
    expect(account().commands).toEqual([]);
  });
});

describe("the region of a new service", () => {
  it("applies to the database, the bucket and the objects, and is stored in the settings", async () => {
    set('# Mine.\n[vars]\nSIGNUP = "closed"\n');
    await run(true, { region: { location: "weur", jurisdiction: null } });
    expect(changes().slice(0, 2)).toEqual([
      `d1 create ${NAME} --location weur`,
      `r2 bucket create ${NAME} --location weur`,
    ]);
    expect(deployed()?.vars).toMatchObject({ ACCOUNT_LOCATION: "weur", JURISDICTION: "", SIGNUP: "closed" });
    // The browsers of Cloudflare can't reach a private network.
    expect(deployed()?.vars).toMatchObject({ BROWSER_NETWORK: "public", BROWSERS: "10", BROWSER_LOCATION: "DE" });
    expect(readFileSync(join(project, "deploy.toml"), "utf8")).toBe(
      'location = "weur"\n# Mine.\n[vars]\nSIGNUP = "closed"\n',
    );

    change({ commands: [] });
    await run(true, { region: { location: "weur", jurisdiction: null } });
    expect(changes()).toEqual([toDeploy()]);
    await expect(run(true, { region: { location: "enam", jurisdiction: null } })).rejects.toThrow(
      "Cloudflare can't change its region",
    );
  });

  it("can be a jurisdiction, which each later command uses", async () => {
    await run(true, { region: { location: null, jurisdiction: "eu" } });
    expect(account()).toMatchObject({ databases: [{ name: NAME, jurisdiction: "eu" }] });
    expect(Object.keys(account().buckets)).toEqual([`eu/${NAME}`]);
    expect(changes()).toContain(`queues create ${NAME}-jobs --jurisdiction eu`);
    expect(deployed()).toMatchObject({ vars: { JURISDICTION: "eu" }, r2_buckets: [{ jurisdiction: "eu" }] });
    // A plain `wrangler deploy` keeps this secret, so the Worker notices that its variables have no jurisdiction.
    expect(account().workers[NAME]).toMatchObject({ DATA_JURISDICTION: "eu" });

    change({ commands: [] });
    await run();
    expect(changes()).toEqual([toDeploy()]);
    expect(deployed()).toMatchObject({ vars: { JURISDICTION: "eu" }, r2_buckets: [{ jurisdiction: "eu" }] });
  });

  it.each([
    [
      "eu",
      "",
      'is in the jurisdiction eu, but deploy.toml has none. With another jurisdiction, the service would not find its objects. Write the line jurisdiction = "eu" at the start of deploy.toml.',
    ],
    [
      null,
      'jurisdiction = "eu"\n',
      "has no jurisdiction, but deploy.toml has eu. With another jurisdiction, the service would not find its objects. Remove 'jurisdiction' from deploy.toml.",
    ],
  ])("can't change when the settings are lost or edited: %s", async (jurisdiction, text, message) => {
    await run(true, { region: { location: null, jurisdiction: jurisdiction === null ? null : "eu" } });
    change({ commands: [] });
    set(text);
    await expect(run()).rejects.toThrow(message);
    expect(changes()).toEqual([]);
  });

  it("isn't stored if the operator declines", async () => {
    const files = readdirSync(project);
    await expect(run(false, { region: { location: "weur", jurisdiction: null } })).rejects.toThrow("Canceled.");
    expect(readdirSync(project).filter((name) => name.startsWith("deploy"))).toEqual(
      files.filter((name) => name.startsWith("deploy")),
    );
  });
});

describe("the settings", () => {
  it("are those of a plain wrangler deploy, besides the bindings that depend on the account", async () => {
    const file = join(project, "wrangler.toml");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace('BROWSERS = "10"', 'BROWSERS = "3"').replace('BROWSER_LOCATION = ""', 'BROWSER_LOCATION = "FR"'),
    );
    await run(true, { region: { location: "weur", jurisdiction: null } });
    expect(deployed()?.vars).toMatchObject({ ACCOUNT_LOCATION: "weur", BROWSER_LOCATION: "FR" });
    rmSync(join(project, "deploy.toml"));
    await run();
    const { ai, analytics_engine_datasets, ...config } = deployed() ?? {};
    expect(config).toEqual(experimental_readRawConfig({ config: file }).rawConfig);
    expect(config).toMatchObject({
      vars: { BROWSER_NETWORK: "public", BROWSERS: "3", BROWSER_SHARED: "" },
      observability: { redact_query_string: true },
    });
  });

  it("replace values and are merged into tables of wrangler.toml", async () => {
    complete();
    set(`routes = [{ pattern = "extract.example.com", custom_domain = true }]
workers_ai = false
[vars]
SIGNUP = "closed"
[observability.logs]
head_sampling_rate = 0.1
`);
    await run();
    expect(deployed()).toMatchObject({
      main: "src/index.ts",
      routes: [{ pattern: "extract.example.com", custom_domain: true }],
      vars: { SIGNUP: "closed", RENDERS_PER_BROWSER: "4" },
      observability: { enabled: true, logs: { enabled: true, invocation_logs: false, head_sampling_rate: 0.1 } },
    });
    expect(deployed()).not.toHaveProperty("ai");
    expect(deployed()).not.toHaveProperty("send_email");
    // The Worker parses all variables from text.
    set("[vars]\nBROWSERS = 4\nSERP_CANARY = true\nACCOUNT_MAX_BYTES = 8_000_000_000\n");
    await run();
    expect(deployed()?.vars).toMatchObject({ BROWSERS: "4", SERP_CANARY: "true", ACCOUNT_MAX_BYTES: "8000000000" });
    set('[[send_email]]\nname = "EMAIL"\nallowed_sender_addresses = ["mail@example.com"]\n');
    await run();
    expect(deployed()).toMatchObject({
      ai: { binding: "AI" },
      send_email: [{ name: "EMAIL", allowed_sender_addresses: ["mail@example.com"] }],
    });
  });

  it("are merged into the queues of wrangler.toml by name, and set the placement", async () => {
    set(`placement = { region = "aws:eu-central-1" }
[[queues.consumers]]
queue = "${NAME}-jobs"
max_concurrency = 50
max_batch_size = 8
[[queues.producers]]
queue = "${NAME}-webhooks"
delivery_delay = 2
`);
    await run();
    const { queues } = deployed() ?? {};
    const file = join(project, "wrangler.toml");
    const base: Partial<DeployConfig> = experimental_readRawConfig({ config: file }).rawConfig;
    const consumers = base.queues?.consumers.map((consumer) =>
      consumer.queue === `${NAME}-jobs` ? { ...consumer, max_concurrency: 50, max_batch_size: 8 } : consumer,
    );
    const producers = base.queues?.producers.map((producer) =>
      producer.queue === `${NAME}-webhooks` ? { ...producer, delivery_delay: 2 } : producer,
    );
    expect(queues).toEqual({ producers, consumers });
    expect(deployed()).toMatchObject({ placement: { region: "aws:eu-central-1" } });

    set(`name = "acme"\n[[queues.consumers]]\nqueue = "${NAME}-renders"\nmax_retries = 10\n`, "deploy.staging.toml");
    await run(true, { environment: "staging" });
    expect(deployed()?.queues).toMatchObject({
      consumers: expect.arrayContaining([expect.objectContaining({ queue: "acme-renders", max_retries: 10 })]),
    });
  });

  it.each([
    ["queues = 5", "deploy.toml: queues must have the tables [[queues.consumers]]."],
    [
      "[queues.consumers]\nmax_retries = 1",
      "deploy.toml: queues.consumers must be a list of tables, which begin with the line [[queues.consumers]].",
    ],
    ["[[queues.consumer]]\nmax_retries = 1", "queues has the unknown setting consumer. Did you mean 'consumers'?"],
    ["[[queues.consumers]]\nmax_retries = 1", `queues.consumers: queue must be one of ${NAME}-webhooks,`],
    ['[[queues.consumers]]\nqueue = "jobs"', "as in wrangler.toml, but is 'jobs'."],
    [
      `[[queues.consumers]]\nqueue = "${NAME}-jobs"\n[[queues.consumers]]\nqueue = "${NAME}-jobs"`,
      "deploy.toml: queues.consumers must have one table for each queue.",
    ],
    [
      `[[queues.consumers]]\nqueue = "${NAME}-jobs"\nmax_retires = 1`,
      `queues.consumers of ${NAME}-jobs has the unknown setting max_retires. Did you mean 'max_retries'?`,
    ],
    [
      `[[queues.consumers]]\nqueue = "${NAME}-jobs"\nmax_batch_size = 101`,
      `queues.consumers of ${NAME}-jobs: max_batch_size must be a whole number from 1 to 100, but is '101'.`,
    ],
    [
      `[[queues.producers]]\nqueue = "${NAME}-jobs"\ndelivery_delay = "2"`,
      "delivery_delay must be a whole number from 0 to 86400, but is '2'.",
    ],
    ['placement = "smart"', "deploy.toml: placement must be a table with one of mode, region, host, hostname"],
    ['[placement]\nzone = "eu"', "deploy.toml: placement has the unknown setting zone."],
    ['[placement]\nmode = "fast"', `placement.mode must be "smart" or "off", but is 'fast'.`],
    ['[placement]\nregion = "eu"', 'placement.region must be a region of aws, gcp or azure, such as "aws:us-east-1"'],
    ['[placement]\nmode = "smart"\nregion = "aws:us-east-1"', "placement must be a table with one of"],
    ['plan = "free"', "deploy.toml has the unknown setting plan."],
    ['[vars]\nSIGN_UP = "closed"', "deploy.toml: the service has no variable SIGN_UP. Did you mean 'SIGNUP'?"],
    ['[vars]\nMAIL_KEY = "x"', "deploy.toml: MAIL_KEY is a secret. Set it with 'npx wrangler secret put MAIL_KEY'."],
    ['[vars]\nFETCH_VIA = "sockets"', 'FETCH_VIA is "sockets". It must be "fetch", "socket" or empty.'],
    ["vars = 5", "deploy.toml: vars must be a table"],
    ['[vars]\nJURISDICTION = "uk"', 'deploy.toml: JURISDICTION is "uk". It must be "eu", "us", "fedramp" or empty.'],
    ['[vars]\nJURISDICTION = "eu"', "set 'jurisdiction' before the first table instead of the variable JURISDICTION"],
    ['[vars]\nACCOUNT_LOCATION = "mars"', 'deploy.toml: ACCOUNT_LOCATION is "mars".'],
    ['[vars]\nSIGNUP = "close"', 'deploy.toml: SIGNUP is "close". It must be "open", "closed" or empty.'],
    ['[vars]\nPUBLIC_URL = "extraction.example.com"', "It must be an http or https URL, or empty."],
    ["[vars]\nADMIN_EMAILS = []", "deploy.toml: the variable ADMIN_EMAILS must be text in quotation marks."],
    ['name = "x\n', "deploy.toml can't be read: Invalid TOML document"],
    [
      'location = "enam"\njurisdiction = "eu"',
      "The location enam isn't in the jurisdiction eu. Use the location weur or",
    ],
    ["name = 5", "The Worker's name must have 3 to 50 lowercase letters, digits and hyphens, but is '5'."],
    ['name = "My_Service"', "The Worker's name must have 3 to 50 lowercase letters"],
    ['name = "ab"', "The Worker's name must have 3 to 50 lowercase letters"],
    [`name = "${"a".repeat(51)}"`, "Set another 'name' in deploy.toml."],
    ['location = "mars"', "deploy.toml: location must be one of wnam, enam, weur"],
    ['workers_ai = "yes"', "deploy.toml: workers_ai must be true or false."],
    ['[[send_email]]\nname = "MAIL"', "deploy.toml: send_email must have one binding, with the name EMAIL."],
    ["send_email = true", "deploy.toml: send_email must have one binding, with the name EMAIL."],
  ])("are checked: %s", async (text, message) => {
    set(text);
    await expect(run()).rejects.toThrow(message);
    expect(account().commands).toEqual([]);
  });
});

describe("Workers Builds", () => {
  it("can use the name that the operator chose, and gets no admin API token, because it can't keep it", async () => {
    vi.stubEnv("WORKERS_CI", "1");
    vi.stubEnv("WRANGLER_CI_OVERRIDE_NAME", "my-scraper");
    await run();
    expect(changes()).toEqual(everything("my-scraper"));
    expect(Object.keys(account().workers["my-scraper"] ?? {})).toEqual(["SIGNING_SECRET", "ENCRYPTION_KEY"]);
  });
});
