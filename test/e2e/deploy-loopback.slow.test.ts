// Deploys with the real wrangler to a loopback of Cloudflare's API. Each command of wrangler takes about a second.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { deploy } from "../../scripts/deploy/deploy.ts";
import { inChildProcess } from "../../scripts/deploy/wrangler.ts";
import { readMigrations } from "../../scripts/migrations.ts";
import { ACCOUNT_ID } from "../support/cloudflare/account.ts";
import { type CloudflareApi, startCloudflareApi } from "../support/cloudflare/api.ts";
import { type Loopback, listen } from "../support/loopback.ts";

const TIMEOUT_MS = 600_000;
const NAME = "web-data-extraction";
const QUEUES = ["jobs", "renders", "webhooks", "summaries", "jobs-dead", "renders-dead"].map(
  (name) => `${NAME}-${name}`,
);
const root = resolve(import.meta.dirname, "../..");
const project = mkdtempSync(join(tmpdir(), "extraction-loopback-"));
const wrangler = inChildProcess(process.execPath, join(root, "node_modules", "wrangler", "bin", "wrangler.js"));
let api: CloudflareApi;
let service: Loopback;

beforeAll(async () => {
  const copied = [
    "src",
    "clients",
    "scripts",
    "assets",
    "docs",
    "CHANGELOG.md",
    ...readMigrations(root).map(({ file }) => file),
    "wrangler.toml",
    "package.json",
    "LICENSE",
    "tsconfig.json",
  ];
  for (const file of copied) cpSync(join(root, file), join(project, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  api = await startCloudflareApi();
  const refusal = '{"error":{"code":"invalid_api_key"}}';
  service = await listen(createServer((_, response) => response.writeHead(401, { connection: "close" }).end(refusal)));
  writeFileSync(join(project, "deploy.toml"), `[vars]\nPUBLIC_URL = "${service.origin}"\n`);
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", `${api.origin}/client/v4`);
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", ACCOUNT_ID);
});
afterAll(() => {
  vi.unstubAllEnvs();
  api.close();
  service.close();
  rmSync(project, { recursive: true, force: true });
});

async function run(): Promise<string[]> {
  await deploy({
    ...{
      project,
      environment: null,
      runWrangler: wrangler,
      print: () => {},
      confirm: async () => true,
      healthTimeoutMs: 0,
    },
    region: { location: "weur", jurisdiction: null },
  });
  expect(api.unknown).toEqual([]);
  return api.changes.splice(0);
}

it(
  "creates the whole service in the first run, and only a new version in the second",
  async () => {
    const first = await run();
    expect(first.filter((change) => change === "POST /queues")).toHaveLength(QUEUES.length);
    expect(api.queues.map(({ queue_name }) => queue_name)).toEqual(QUEUES);
    for (const { queue_name, consumers } of api.queues) {
      const dead = /-(?:jobs|renders)$/.test(queue_name) ? { dead_letter_queue: `${queue_name}-dead` } : {};
      expect(consumers).toMatchObject([{ script: NAME, ...dead }]);
    }
    expect(api.buckets).toMatchObject([{ name: NAME, location: "weur" }]);
    expect(api.buckets[0]?.rules.map(({ id }) => id)).toEqual([
      "results",
      "screenshots",
      "requests",
      "captures",
      "files",
    ]);
    const [database] = api.databases;
    expect(database?.body).toMatchObject({ name: NAME, primary_location_hint: "weur" });
    const versions = database?.sqlite.prepare("SELECT COUNT(*) AS count FROM schema_versions").get();
    expect(versions).toEqual({ count: readMigrations(root).length });

    const worker = api.workers.get(NAME);
    expect(Object.keys(worker?.secrets ?? {})).toEqual(["SIGNING_SECRET", "ENCRYPTION_KEY", "ADMIN_TOKEN"]);
    expect(worker).toMatchObject({ schedules: [{ cron: "* * * * *" }], subdomain: true });
    expect(worker?.metadata).toMatchObject({
      code_update_strategy: { mode: "deferred", max_delay: 60 },
      observability: { enabled: true, logs: { invocation_logs: false } },
    });
    expect(worker?.metadata.bindings).toEqual(
      expect.arrayContaining([
        { type: "d1", name: "DB", id: database?.uuid },
        { type: "ai", name: "AI" },
        { type: "browser", name: "BROWSER" },
        { type: "analytics_engine", name: "ANALYTICS", dataset: "web_data_extraction" },
        { type: "plain_text", name: "ACCOUNT_LOCATION", text: "weur" },
      ]),
    );

    const second = await run();
    const isUpload = (change: string) => change.includes(`/workers/scripts/${NAME}`) || change.includes("/consumers/");
    expect(second.filter((change) => !isUpload(change))).toEqual([]);
    expect(api.workers.get(NAME)?.secrets).toEqual(worker?.secrets);
    expect(api.workers.get(NAME)).toMatchObject({ codeUpdate: { mode: "deferred", max_delay: 60 } });
    expect(api.workers.get(NAME)?.deployments).toHaveLength(2);
    expect(readdirSync(project).filter((name) => name.startsWith("wrangler"))).toEqual(["wrangler.toml"]);
    expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toBe(
      readFileSync(join(root, "wrangler.toml"), "utf8"),
    );
  },
  TIMEOUT_MS,
);

it(
  "rolls back to the previous version, and keeps the secrets and the schedule",
  async () => {
    const before = api.workers.get(NAME);
    const [older, newer] = before?.deployments ?? [];
    const { ok, output } = await wrangler(["rollback", "--yes", "--message", "test"], { cwd: project, env: {} });
    expect(ok, output).toBe(true);
    const after = api.workers.get(NAME);
    expect(after?.deployments).toEqual([older, newer, older]);
    expect(after).toMatchObject({ secrets: before?.secrets, schedules: before?.schedules });
    expect(api.unknown).toEqual([]);
  },
  TIMEOUT_MS,
);

it(
  "creates the resources with `wrangler deploy` alone, without writing to wrangler.toml",
  async () => {
    const other = await startCloudflareApi();
    const env = { CLOUDFLARE_API_BASE_URL: `${other.origin}/client/v4` };
    const { ok, output } = await wrangler(["deploy"], { cwd: project, env });
    expect(ok, output).toBe(true);
    expect(other.unknown).toEqual([]);
    expect(other.queues.map(({ queue_name }) => queue_name).toSorted()).toEqual(QUEUES.toSorted());
    expect(other.databases.map(({ name }) => name)).toEqual([NAME]);
    expect(other.buckets.map(({ name }) => name)).toEqual([NAME]);
    for (const { consumers } of other.queues) expect(consumers).toMatchObject([{ script: NAME }]);
    expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toBe(
      readFileSync(join(root, "wrangler.toml"), "utf8"),
    );
    other.close();
  },
  TIMEOUT_MS,
);
