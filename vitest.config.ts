import { mkdtempSync, rmSync } from "node:fs";
import { builtinModules } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { setUpBrowser } from "./scripts/browser.ts";
import { readMigrations } from "./scripts/migrations.ts";
import { writePageScripts } from "./scripts/page-scripts.ts";
import { writePdfjs } from "./scripts/pdfjs.ts";
import { toBindings } from "./test/support/bindings.ts";
import { makeCertificate } from "./test/support/certificate.ts";
import { PACKAGES } from "./test/support/packages.ts";
import { LongestFirst } from "./test/support/sequencer.ts";

// The runtime's browsers keep their profiles in here: by this path the tests know them.
// This file is read more than once in a run: the first time makes what all share.
const isFirst = process.env.EXTRACTION_TEST_FOLDER === undefined;
process.env.EXTRACTION_TEST_FOLDER ??= mkdtempSync(join(tmpdir(), "extraction-test-"));
process.env.TMPDIR = process.env.EXTRACTION_TEST_FOLDER;
Object.assign(process.env, (await setUpBrowser()).env);
// The runtime reads which certificates it trusts when its module is loaded: that comes after this.
if (isFirst) {
  const folder = process.env.TMPDIR;
  process.env.NODE_EXTRA_CA_CERTS = (await makeCertificate(folder)).file;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
// wrangler runs `npm run assets` before it bundles the Worker. The test runner doesn't.
await Promise.all([writePdfjs(), writePageScripts()]);
const { cloudflareTest } = await import("@cloudflare/vitest-plugin");
const { unstable_splitSqlQuery } = await import("wrangler");
// Of each version of the schema, its statements.
const schema = readMigrations(".").map(({ sql }) => unstable_splitSqlQuery(sql));
// Absent in a clone without the shared data: the tests that need it are skipped, and say so.
const fixtures = process.env.FIXTURES ?? "";

/** What needs no bindings and leaves nothing behind. */
const PURE = [
  "test/{contract,html,json-schema,model,scripts}/**/*.test.ts",
  // Workers have a function for comparisons in constant time that Node lacks.
  "test/lib/!(crypto).test.ts",
  "test/endpoints/parse/**/*.test.ts",
  "test/account/{delivery-rules,histogram,usage-totals}.test.ts",
  "test/search/{engines,places,results}/**/*.test.ts",
];
/** Tests of the Worker with all that it is bound to, and with the world outside. */
function worker(files: { name: string; include: string[]; exclude: string[] }) {
  return {
    plugins: [
      cloudflareTest(({ inject }) => ({
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: { bindings: toBindings(inject, schema) },
      })),
    ],
    test: {
      ...files,
      deps: {
        optimizer: {
          ssr: {
            enabled: true,
            include: PACKAGES,
            rolldownOptions: { external: [/^node:/, ...builtinModules] },
          },
        },
      },
      globalSetup: ["./test/support/outside.ts"],
      setupFiles: ["./test/support/database.ts"],
      // Of concurrent tests: as many as the browsers have places.
      maxConcurrency: 8,
      testTimeout: 60_000,
      hookTimeout: 60_000,
      expect: { poll: { timeout: 10_000 } },
    },
  } satisfies TestProjectConfiguration;
}

export default defineConfig({
  test: {
    silent: "passed-only",
    // Much of the time goes by in waiting for time-outs, pauses and browsers: on two cores too, two files at a time.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
    projects: [
      worker({ name: "worker", include: ["test/**/*.test.ts"], exclude: ["test/e2e/**", ...PURE] }),
      {
        test: {
          name: "pure",
          include: PURE,
          environment: "node",
          isolate: false,
          testTimeout: 60_000,
          env: { FIXTURES: fixtures },
        },
      },
      {
        test: {
          name: "start",
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each command starts a Node of its own: what one has compiled, the next needn't.
          env: { FIXTURES: fixtures, NODE_COMPILE_CACHE: join(process.env.TMPDIR, "compiled") },
        },
      },
    ],
  },
});
