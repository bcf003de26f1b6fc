// Tests an upgrade in a real Git clone: the operator's settings and the files of a deployment never conflict with it.
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { deploy } from "../../scripts/deploy/deploy.ts";
import { readMigrations } from "../../scripts/migrations.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { type FakeAccount, runFakeWrangler } from "../support/wrangler.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "extraction-upgrade-"));
const [origin, clone] = [join(folder, "origin"), join(folder, "clone")];
let service: Loopback;

beforeAll(async () => {
  const refusal = '{"error":{"code":"invalid_api_key"}}';
  service = await listen(createServer((_, response) => response.writeHead(401, { connection: "close" }).end(refusal)));
});
afterAll(() => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
});

function git(cwd: string, ...args: string[]): string {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const readAccount = (): FakeAccount => JSON.parse(readFileSync(join(clone, "account.json"), "utf8"));

async function deployClone(environment: string | null): Promise<void> {
  await deploy({
    project: clone,
    environment,
    region: { location: environment === null ? "weur" : null, jurisdiction: null },
    runWrangler: runFakeWrangler,
    print: () => {},
    confirm: async () => true,
    healthTimeoutMs: 0,
  });
}

function replace(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

it("pulls and deploys a new version without a conflict, and keeps the operator's settings", async () => {
  for (const file of ["wrangler.toml", ".gitignore", ...readMigrations(root).map(({ file }) => file)])
    cpSync(join(root, file), join(origin, file));
  git(origin, "init", "--quiet", "--initial-branch=main");
  git(origin, "add", "--all");
  git(origin, "commit", "--quiet", "--message=Version 1");
  git(folder, "clone", "--quiet", origin, clone);
  // The fake wrangler keeps its account in these files.
  appendFileSync(join(clone, ".git", "info", "exclude"), "account.json\n/*.sqlite\n");
  const account: FakeAccount = {
    ...{ commands: [], fails: [], accounts: [{ id: "1", name: "Mine" }], databases: [], buckets: {}, queues: [] },
    ...{ workers: {}, deployed: [], analytics: true, target: service.origin },
  };
  writeFileSync(join(clone, "account.json"), JSON.stringify(account));

  writeFileSync(join(clone, "deploy.toml"), '[vars]\nSIGNUP = "closed"\nBROWSERS = "5"\n');
  writeFileSync(join(clone, "deploy.staging.toml"), '[vars]\nBROWSERS = "1"\n');
  writeFileSync(join(clone, ".dev.vars"), 'SIGNING_SECRET="local"\n');
  for (const environment of [null, "staging"]) await deployClone(environment);
  expect(git(clone, "status", "--porcelain")).toBe("");

  const config = join(origin, "wrangler.toml");
  replace(config, 'SIGNUP = "open"', 'SIGNUP = "open"\nNEW_VARIABLE = "new"');
  replace(config, 'BROWSERS = "10"', 'BROWSERS = "3"');
  replace(config, 'RETENTION_DAYS = "30"', 'RETENTION_DAYS = "20"');
  replace(config, 'binding = "DB"', 'binding = "DB" # the directory');
  const next = readMigrations(origin).length + 1;
  mkdirSync(join(origin, "migrations"), { recursive: true });
  writeFileSync(
    join(origin, "migrations", `${String(next).padStart(4, "0")}_upgrade.sql`),
    "CREATE TABLE upgraded (id TEXT PRIMARY KEY) STRICT;\n",
  );
  git(origin, "add", "--all");
  git(origin, "commit", "--quiet", "--message=Version 2");

  git(clone, "pull", "--quiet");
  for (const environment of [null, "staging"]) await deployClone(environment);
  expect(git(clone, "status", "--porcelain")).toBe("");
  const [, , production, staging] = readAccount().deployed;
  expect(production?.vars).toMatchObject({
    ...{ SIGNUP: "closed", BROWSERS: "5", ACCOUNT_LOCATION: "weur" },
    ...{ NEW_VARIABLE: "new", RETENTION_DAYS: "20" },
  });
  expect(staging?.vars).toMatchObject({ SIGNUP: "open", BROWSERS: "1", ACCOUNT_LOCATION: "", NEW_VARIABLE: "new" });
  const migrations = readAccount().commands.filter((command) => command.includes(`migration-${next}.sql`));
  expect(migrations).toHaveLength(2);
});
