// Runs the commands with --help and with an unknown option. Neither does anything else.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const PROJECT = resolve(import.meta.dirname, "..", "..");

const run = (script: string, ...given: string[]) =>
  spawnSync(process.execPath, [join(PROJECT, `${script}.ts`), ...given], { cwd: PROJECT, encoding: "utf8" });

describe.each([
  ...["scripts/admin", "scripts/build-client", "scripts/deploy", "scripts/listen", "scripts/start"],
  ...["lab/chaos", "lab/drill", "lab/eval-serp"],
])("%s", (script) => {
  it("prints its usage with --help", () => {
    const { status, stdout, stderr } = run(script, "--help");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^(?:npm start|npm run \w+|node scripts)/);
  });

  it("prints its usage and refuses an unknown option", () => {
    const { status, stdout, stderr } = run(script, "--colour");
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^(?:npm start|npm run \w+|node scripts).*\n\nUnknown option.*--colour.*\n$/s);
  });
});

it.each([
  ["scripts/start", ["--prot", "8901"], "Unknown option '--prot'. Did you mean '--port'?"],
  ["scripts/admin", ["--jsno"], "Unknown option '--jsno'. Did you mean '--json'?"],
  ["scripts/check", ["--al"], "Unknown option '--al'. Did you mean '--all'?"],
  ["scripts/admin", ["lst"], "'lst' isn't a command. Did you mean 'list'?"],
  ["scripts/admin", ["shwo", "acc_1"], "'shwo' isn't a command. Did you mean 'show'?"],
  ["scripts/admin", ["deny", "ad", "example.com"], "'deny' isn't a command. Did you mean 'deny add'?"],
  ["lab/run", ["lab", "choas"], "Unknown program 'choas'. Did you mean 'chaos'?"],
  ["lab/run", ["eval", "extrct"], "Unknown program 'extrct'. Did you mean 'extract'?"],
])("%s suggests a name for a misspelled one: %j", (script, given, message) => {
  const { status, stdout, stderr } = run(script, ...given);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^npm /);
  expect(stderr.endsWith(`\n\n${message}\n`)).toBe(true);
});

it("npm run lab lists the programs", () => {
  const { status, stdout } = run("lab/run", "lab");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^npm run lab -- <program>.*\n\n {2}bench .*\?$/m);
  expect(stdout).toMatch(/^ {2}fuzz-api .*\?$/m);
});

it.each([
  [["--dry-run", "--verify"], "--verify can't be combined with --dry-run."],
  [["--verify", "--location", "weur"], "--location can't be combined with --verify."],
  [["--persist-to", ".wrangler/state"], "--persist-to only applies with --verify."],
  [["--url=https://extraction.example.com"], "--url only applies with --verify."],
])("deploy refuses options without effect: %j", (given, message) => {
  const { status, stdout, stderr } = run("scripts/deploy", ...given);
  expect([status, stdout, stderr.trim()]).toEqual([1, "", message]);
});

it.each([
  [["--var", "BROWSERS"], '--var must have the form NAME:VALUE, but is "BROWSERS".'],
  [["--port", "abc"], "--port must be a whole number from 0 to 65535, but is 'abc'."],
  [["--ip"], "--ip needs a value."],
  [
    ["--var-file", "/nothing/env"],
    "The file of --var-file can't be read: ENOENT: no such file or directory, open '/nothing/env'",
  ],
])("start refuses %j", (given, message) => {
  const { status, stdout, stderr } = run("scripts/start", ...given);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^npm start/);
  expect(stderr.endsWith(`\n\n${message}\n`)).toBe(true);
});

it("start refuses a variable that the service doesn't have, and suggests a similar one", () => {
  const folder = mkdtempSync(join(tmpdir(), "unknown-variable-"));
  try {
    const { status, stderr } = run("scripts/start", "--port", "0", "--persist-to", folder, "--var", "CREDIT_SCRAPE:2");
    expect([status, stderr.trim()]).toEqual([
      1,
      "--var: the service has no variable CREDIT_SCRAPE. Did you mean 'CREDITS_SCRAPE'? docs/configuration.md lists all variables.",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
