// Verifies the service with the stand-ins for Cloudflare's `fetch` and browsers.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Settings } from "../support/platform/browser-settings.ts";
import type { Served } from "../support/platform-service.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "extraction-verify-"));
/** A browser service without the capabilities that Cloudflare doesn't document. */
const settings: Partial<Settings> = {
  refusedMethods: [{ method: "Fetch.enable", isRoot: true }],
  holdsTargets: false,
  rttMs: 20,
};
let child: ChildProcess;
let served: Served;

beforeAll(async () => {
  const script = join(PROJECT, "test/support/platform-service.ts");
  child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("The process has no output.");
  const [line] = await once(createInterface(child.stdout), "line");
  served = JSON.parse(line) as Served;
});
afterAll(async () => {
  child.kill("SIGTERM");
  await once(child, "exit");
  rmSync(folder, { recursive: true, force: true });
});

it("finds only the missing capabilities, and recommends not to share browsers", async () => {
  const targets = join(folder, "targets.json");
  writeFileSync(targets, JSON.stringify(served.targets));
  const options = ["--verify", "--url", served.base, "--targets", targets];
  const command = spawn(process.execPath, [join(PROJECT, "scripts", "deploy.ts"), ...options], {
    env: { ...process.env, ADMIN_TOKEN: served.adminToken },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [command.stdout, command.stderr]) stream.on("data", (data) => (output += data));
  const [code] = await once(command, "close");
  expect(output).toContain("No check failed.");
  expect(output).toContain("2 with a minor difference, 0 unclear.");
  expect(output).toMatch(/^expired certificate +tls_failure +tls_failure, .* ok$/m);
  expect(output).toMatch(/^public IP address +invalid_target +invalid_target +ok$/m);
  expect(output).toMatch(/^interception, whole browser +supported +not supported +differs$/m);
  expect(output).toMatch(/^paused targets +supported +not supported +differs$/m);
  expect(output).toContain("- BROWSER_SHARED: The isolation of renders isn't verified. Keep BROWSER_SHARED off");
  expect(code).toBe(0);
});
