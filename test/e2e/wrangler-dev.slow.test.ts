// Starts `wrangler dev` in a copy of the project without local state, as in a fresh clone.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../scripts/free-port.ts";
import { readMigrations } from "../../scripts/migrations.ts";
import { type Loopback, listen } from "../support/loopback.ts";

const TIMEOUT_MS = 300_000;
const HOST = "127.0.0.1";
const root = resolve(import.meta.dirname, "../..");
const project = mkdtempSync(join(tmpdir(), "extraction-dev-"));
const env = { ...process.env, PATH: `${join(root, "node_modules", ".bin")}:${process.env.PATH}` };
let site: Loopback;
let dev: ChildProcess | null = null;

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
  const page = "<title>A page</title><h1>A page</h1><p>This page has enough text to be a page of its own.";
  site = await listen(createServer((_, response) => response.setHeader("content-type", "text/html").end(page)));
});
afterAll(async () => {
  if (dev?.exitCode === null) {
    dev.kill("SIGTERM");
    await once(dev, "close");
  }
  site.close();
  rmSync(project, { recursive: true, force: true, maxRetries: 3 });
});

/** Runs the build step's script. Returns what it prints. */
function prepare(command: string, more: Record<string, string> = {}): string {
  const script = join(project, "scripts", "dev-state.ts");
  const variables = { ...env, WRANGLER_COMMAND: command, ...more };
  return execFileSync(process.execPath, [script], { env: variables, encoding: "utf8", stdio: "pipe" });
}

it("doesn't deploy without the settings if the data has a jurisdiction, but npm run deploy can", () => {
  const file = join(project, "deploy.toml");
  for (const line of ['jurisdiction = "eu"\n', "  'jurisdiction' = 'eu'\n"]) {
    writeFileSync(file, line);
    for (const command of ["deploy", "versions upload"])
      expect(() => prepare(command)).toThrow(/jurisdiction eu \(deploy.toml\).*Run 'npm run deploy'/);
  }
  expect(prepare("deploy", { DEPLOYS_WITH_SETTINGS: "1" })).toBe("");
  // Wrangler calls a dry run "deploy" too.
  expect(prepare("deploy", { npm_lifecycle_event: "build" })).toBe("");
  writeFileSync(file, 'location = "weur"\n');
  expect(prepare("deploy")).toBe("");
  rmSync(file);
});

it(
  "creates its secrets and its database, and scrapes a page with the key that it prints",
  async () => {
    const port = await freePort(0, HOST);
    const wrangler = join(project, "node_modules", "wrangler", "bin", "wrangler.js");
    const allowed = `ALLOWED_PRIVATE_HOSTS:${new URL(site.origin).host}`;
    const args = ["dev", "--ip", HOST, "--port", String(port), "--inspector-port", "0", "--var", allowed];
    dev = spawn(process.execPath, [wrangler, ...args], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
    const output: string[] = [];
    for (const stream of [dev.stdout, dev.stderr]) stream?.on("data", (data) => output.push(String(data)));
    await expect.poll(() => output.join(""), { timeout: TIMEOUT_MS }).toContain(`Ready on http://${HOST}:${port}`);
    const [, key = ""] = /live key: (sk_live_\w+)/.exec(output.join("")) ?? [];

    const response = await fetch(`http://${HOST}:${port}/v1/scrape?wait=true`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: `${site.origin}/`, formats: ["markdown"] }),
    });
    expect(await response.json()).toMatchObject({
      success: true,
      data: { markdown: expect.stringContaining("# A page") },
    });
    expect((await fetch(`http://${HOST}:${port}/health/ready`)).status).toBe(200);

    const vars = join(project, ".dev.vars");
    expect(statSync(vars).mode & 0o777).toBe(0o600);
    const before = readFileSync(vars, "utf8");
    expect(before).toMatch(/^SIGNING_SECRET="[0-9a-f]{64}"$/m);
    expect(prepare("dev")).toContain(`live key: ${key}\n`);
    expect(readFileSync(vars, "utf8")).toBe(before);
    expect(prepare("deploy")).toBe("");
  },
  TIMEOUT_MS,
);
