import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ENTRY = "Nothing imports the entry.";
const BACKGROUND = "Only the entry imports this.";
const DURABLE_OBJECT = "Only the entry imports a Durable Object.";
const ROUTES = "Only the entry imports routes/.";
const DASHBOARD = "Only the entry imports dashboard/.";
const MIDDLEWARE = "Only what has a request imports middleware.";
const USERS = "The dashboard knows users, not keys.";
const FLOW = "This layer doesn't import the flow.";
const STORE = "This layer doesn't import store/.";
const IO = "upstream/ and store/ don't import each other.";
const UPSTREAM = "This layer doesn't import upstream/.";
const HONO = "hono stands in entry and edge only.";
const PLATFORM = "Only Durable Objects import the platform.";
const VENDORS = "Vendors' SDKs stand in upstream/.";
const OUTSIDE = "Nothing imports what lies outside src/.";
const CROOKED = "Write the path itself: dots first, then names.";

/** A file in src/, a line in it, and what lint says of that line. */
const FORBIDDEN: [file: string, line: string, why: string][] = [
  // Each rule.
  ["routes/a.ts", 'import "../app";', ENTRY],
  ["jobs/run.ts", 'import "./consumer";', BACKGROUND],
  ["routes/a.ts", 'import "../keys/gate";', DURABLE_OBJECT],
  ["dashboard/a.tsx", 'import "../routes/jobs";', ROUTES],
  ["routes/a.ts", 'import "../dashboard/app";', DASHBOARD],
  ["jobs/run.ts", 'import "../request-log";', MIDDLEWARE],
  ["dashboard/a.tsx", 'import "../keys/middleware";', USERS],
  ["store/a.ts", 'import "../jobs/run";', FLOW],
  ["html/a.ts", 'import "../store/jobs";', STORE],
  ["upstream/a.ts", 'import "../store/jobs";', IO],
  ["upstream/browser/host.ts", 'import "../../store/jobs";', IO],
  ["html/a.ts", 'import "../upstream/fetch";', UPSTREAM],
  ["jobs/run.ts", 'import "hono";', HONO],
  ["store/a.ts", 'import "@hono/zod-openapi";', HONO],
  ["routes/a.ts", 'import "cloudflare:workers";', PLATFORM],
  ["parse/execute.ts", 'import "openai/streaming";', VENDORS],

  // From each depth.
  ["errors.ts", 'import "./store/jobs";', STORE],
  ["mock/schema/a.ts", 'import "../execute";', FLOW],
  ["mock/schema/a.ts", 'import "../../store/jobs";', STORE],
  ["errors.ts", 'import "../src/store/jobs";', OUTSIDE],
  ["html/a.ts", 'import "../../src/store/jobs";', OUTSIDE],
  ["mock/schema/a.ts", 'import "../../../src/store/jobs";', OUTSIDE],

  // With an ending, where a name is exact.
  ["html/a.ts", 'import "../keys/gate.ts";', DURABLE_OBJECT],
  ["html/a.ts", 'import "../jobs/run.ts";', FLOW],
  ["html/a.ts", 'import "../jobs/run.tsx";', FLOW],
  ["html/a.ts", 'import "../jobs/run.js";', FLOW],
  ["html/b.mts", 'import "../jobs/run";', FLOW],

  // Each way to write a path that isn't straight.
  ["html/a.ts", 'import { a } from "./../store/jobs";', CROOKED],
  ["html/a.ts", 'import { b } from ".././store/jobs";', CROOKED],
  ["html/a.ts", 'import { c } from "..//store/jobs";', CROOKED],
  ["html/a.ts", 'import { d } from "../lib/../store/jobs";', CROOKED],
  ["html/a.ts", 'import { e } from "..";', CROOKED],
  ["html/a.ts", 'import { f } from "../stor\\u0065/jobs";', CROOKED],
  ["store/a.ts", 'import { a } from "../serp/../jobs/run";', CROOKED],
  ["html/a.ts", "export const l = (path: string) => import(path);", CROOKED],
  ["html/a.ts", 'export const m = import("../store/" + "jobs");', CROOKED],

  // Each way to import.
  ["html/a.ts", 'import { getJob } from "../store/jobs";', STORE],
  ["html/a.ts", 'import type { Job } from "../store/jobs";', STORE],
  ["html/a.ts", "import type { Other } from '../store/jobs';", STORE],
  ["html/a.ts", 'export * from "../store/jobs";', STORE],
  ["html/a.ts", 'export { listJobs } from "../store/jobs";', STORE],
  ["html/a.ts", 'export const g = import("../store/jobs");', STORE],
  ["html/a.ts", "export const h = import(`../store/jobs`);", STORE],
  ["html/a.ts", 'export const i = import("../store/jobs", { with: {} });', STORE],
  ["html/a.ts", 'export type J = import("../store/jobs").JobFilter;', STORE],
  ["html/a.ts", 'export type K = typeof import("../store/jobs");', STORE],
  ["html/a.ts", 'export type L = import("../store/jobs", { with: { "resolution-mode": "import" } }).JobFilter;', STORE],
];

/** What stands between them, and lint has nothing to say of. */
const ALLOWED: [file: string, line: string][] = [
  ["index.ts", 'import "./keys/gate";'],
  ["app.ts", 'export const later = import("./dashboard/app");'],
  ["routes/a.ts", 'import "../keys/middleware";'],
  ["routes/a.ts", 'import "hono/cors";'],
  ["dashboard/a.tsx", 'import "./samples";'],
  ["keys/gate.ts", 'import "cloudflare:workers";'],
  ["jobs/run.ts", 'import "../store/jobs.ts";'],
  ["jobs/run.ts", 'import "../upstream/models/openai";'],
  ["store/a.ts", 'import "./jobs";'],
  ["upstream/a.ts", 'export const sdk = import("openai");'],
  ["mock/schema/a.ts", 'import "../../lib/random";'],
  ["html/a.ts", 'import "../errors";'],
  ["html/a.ts", 'import "css-select";'],
  ["html/a.ts", 'export type M = import("../contract/job").Job;'],
];

const project = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "extraction-layers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = new Map<string, string[]>();
const placed = [...FORBIDDEN, ...ALLOWED].map(([file, line, ...why]) => {
  const before = lines.get(file) ?? [];
  lines.set(file, [...before, line]);
  return { file, line, why, place: `src/${file}:${before.length + 1}` };
});

/** What lint says, by the place of the line. */
const said = new Map<string, string[]>();

// One run for all.
beforeAll(() => {
  for (const file of ["layers.grit", "biome.json"]) cpSync(join(project, file), join(folder, file));
  for (const [file, written] of lines) {
    const path = join(folder, "src", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, written.join("\n"));
  }
  const options = ["--only=plugin", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=json"];
  const { stdout, stderr } = spawnSync(join(project, "node_modules/.bin/biome"), ["lint", ...options, "src"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { message: string; location: { path: string; start: { line: number } } }[];
  };
  for (const { message, location } of diagnostics) {
    const place = `${location.path}:${location.start.line}`;
    said.set(place, [...(said.get(place) ?? []), message]);
  }
});

describe("the layers", () => {
  it.each(placed)("$file: $line", ({ place, why }) => {
    expect(said.get(place) ?? []).toEqual(why);
  });
});
