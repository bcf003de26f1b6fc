import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findViolations } from "../../scripts/layers.ts";

let src: string;

beforeEach(() => {
  src = mkdtempSync(join(tmpdir(), "layers-"));
});
afterEach(() => rmSync(src, { recursive: true }));

function write(file: string, line: string): void {
  mkdirSync(dirname(join(src, file)), { recursive: true });
  writeFileSync(join(src, file), `${line}\n`);
}

it("finds no violation in src/", () => {
  expect(findViolations("src")).toEqual([]);
});

it.each([
  ["store/jobs.ts", 'import { runJob } from "../jobs/run";', "jobs/ is above store/"],
  ["store/jobs.ts", 'import type { Run } from "../jobs/run";', "jobs/ is above store/"],
  ["store/jobs.ts", 'export * from "../jobs/run";', "jobs/ is above store/"],
  ["store/jobs.ts", 'const { run } = await import("../jobs/run");', "jobs/ is above store/"],
  ["store/jobs.ts", 'let run: typeof import("../jobs/run").run;', "jobs/ is above store/"],
  ["store/jobs.ts", 'import {\n  runJob,\n} from "../jobs/run.ts";', "jobs/ is above store/"],
  ["store/jobs.ts", "await import(`../jobs/run`);", "jobs/ is above store/"],
  ["store/jobs.ts", 'import { run } from /* why */ "../jobs/run";', "jobs/ is above store/"],
  ["store/jobs.mts", 'import "../jobs/run";', "jobs/ is above store/"],
  ["extras/a.ts", "", "the folder extras/ isn't listed"],
  ["jobs/run.ts", 'import "../app";', "./ is above jobs/"],
  ["html/ast/handlers.ts", 'import "../main-content/candidate";', "html/main-content/ is above html/ast/"],
  ["html/ast/handlers.ts", 'import "../convert";', "html/ is above html/ast/"],
  ["net/deep/er/page.ts", 'import "../../../jobs/run";', "jobs/ is above net/"],
  ["lib/id.ts", 'import "../../scripts/layers";', "outside of src/"],
])("refuses in %s: %s", (file, line, reason) => {
  write(file, line);
  expect(findViolations(src)).toEqual([expect.stringContaining(reason)]);
});

it.each([
  ["jobs/run.ts", 'import "../store/jobs";'],
  ["jobs/run.ts", 'import "./queues";'],
  ["html/convert.ts", 'import "./ast/handlers";'],
  ["app.ts", 'import "./routes/api";'],
  ["net/proxied-fetch.ts", 'import "cloudflare:sockets";'],
])("allows in %s: %s", (file, line) => {
  write(file, line);
  expect(findViolations(src)).toEqual([]);
});
