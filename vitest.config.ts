// The name of a test file says where and when it runs:
// - *.test.ts runs in Node, and *.worker.test.ts in the Workers runtime. `npm test` runs both.
// - *.slow.test.ts, *.worker.slow.test.ts and *.platform.slow.test.ts run only in `npm run test:all`. The last kind runs
//   with the stand-ins for Cloudflare's `fetch` and browser service (test/support/platform).
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { configDefaults, defineConfig, type TestProjectConfiguration } from "vitest/config";
import { readMigrations } from "./scripts/migrations.ts";
import { toBindings } from "./test/support/bindings.ts";
import { CERTIFICATE } from "./test/support/certificate.ts";
import { PACKAGES } from "./test/support/packages.ts";
import { browserServiceOptions, WITH_BROWSER_SERVICE } from "./test/support/platform/browser-service-options.ts";
import { bundlePaths } from "./test/support/platform/bundles.ts";
import { EDGE_WORKER, type EdgeBindings, edgeWorkerOptions } from "./test/support/platform/edge.ts";
import { ByProject } from "./test/support/sequencer.ts";
import { Summary } from "./test/support/summary.ts";

// The module of the runtime reads this variable when it is loaded, so it is imported afterward.
// Programs that use the internet, such as npm, need the certificates of this machine.
process.env.MACHINE_CA_CERTS ??= process.env.NODE_EXTRA_CA_CERTS ?? "";
process.env.NODE_EXTRA_CA_CERTS = CERTIFICATE.file;
const { cloudflareTest } = await import("@cloudflare/vitest-plugin");

/** The time limits of a test or hook, and of a wait for an event. Only a test that hangs may reach them. */
const timeLimits = { testTimeout: 240_000, hookTimeout: 240_000, expect: { poll: { timeout: 90_000 } } };

/** The exports of the Worker that the plugin doesn't find, because the tests' Worker re-exports them. */
const ADDITIONAL_EXPORTS = { RenderRunner: "WorkerEntrypoint" } as const;

/**
 * Retries of tests that use the service's own time limits, which a page may reach on a busy machine. The summary lists
 * the tests that passed only after a retry.
 */
const RETRIES = 2;

/** The option with which the scripts for fuzzing print their progress. */
const PRINTS_LOGS = process.argv.includes("--silent=false");

/** .ci/run reads a report in JSON from this file. */
const { TEST_REPORT } = process.env;
const report: ["json", { outputFile: string }][] = TEST_REPORT ? [["json", { outputFile: TEST_REPORT }]] : [];

/** Reads the SQL statements of each version of the schema. */
async function readSchema(): Promise<string[][]> {
  const { unstable_splitSqlQuery } = await import("wrangler");
  return readMigrations(".").map(({ sql }) => unstable_splitSqlQuery(sql));
}

/**
 * Removes the source maps of packages and of a large generated file. Vitest sends all modules to a runtime in one
 * message, which must be smaller than 32 MiB. Otherwise, the runtime ends, and its test files don't run.
 */
const withoutSourceMap = {
  name: "without-source-map",
  transform: (code: string, id: string) =>
    id.endsWith("/pdfjs.generated.mjs") || id.includes("/node_modules/")
      ? { code, map: { mappings: "" as const } }
      : null,
};

/** Imports the files of SQL as texts, as wrangler does. */
const sqlAsText = {
  name: "sql-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".sql") ? { code: `export default ${JSON.stringify(code)}`, map: { mappings: "" as const } } : null,
};

/** Configures tests of the Worker with its bindings, real browsers and the stand-in servers of test/support. */
const worker = {
  // Not in node_modules, because several checkouts may share that folder by a link.
  cacheDir: resolve(".cache/vite"),
  plugins: [
    withoutSourceMap,
    sqlAsText,
    cloudflareTest(async ({ inject }) => ({
      main: "./test/support/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      additionalExports: ADDITIONAL_EXPORTS,
      miniflare: {
        bindings: toBindings(inject, await readSchema()),
        email: { send_email: [{ name: "TEST_EMAIL", allowed_sender_addresses: ["extraction@mail.example"] }] },
      },
    })),
  ],
  resolve: { alias: { "@better-auth/utils/password": resolve("test/support/password.ts") } },
  test: {
    name: "worker",
    include: ["test/**/*.worker.test.ts"],
    // Starting a runtime takes longer than most files, so these files share one per worker, with its database.
    isolate: false,
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
    setupFiles: [
      "./test/support/loaded-modules.ts",
      "./test/support/database.ts",
      ...(PRINTS_LOGS ? [] : ["./test/support/console.ts"]),
    ],
    // The browsers can open this many tabs at a time.
    maxConcurrency: 8,
    retry: RETRIES,
    ...timeLimits,
  },
} satisfies TestProjectConfiguration;

const slowWorker = {
  ...worker,
  test: { ...worker.test, name: "worker-slow", include: ["test/**/*.worker.slow.test.ts"] },
} satisfies TestProjectConfiguration;

/** Configures tests of the Worker as on Cloudflare: without a resolver, and with Cloudflare's `fetch` and browsers. */
const platform = {
  ...worker,
  plugins: [
    withoutSourceMap,
    sqlAsText,
    cloudflareTest(async ({ inject }) => ({
      main: "./test/support/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      additionalExports: ADDITIONAL_EXPORTS,
      miniflare: {
        bindings: {
          ...toBindings(inject, await readSchema()),
          // The platform needs no resolver and no filtering proxies, because it reaches no private network.
          DNS_RESOLVER: "",
          BROWSER_PROXY: "",
          SEARCH_BROWSER_PROXY: "",
          BROWSER_NETWORK: "public",
          BROWSER_SHARED: "on",
        },
        outboundService: EDGE_WORKER,
        ...WITH_BROWSER_SERVICE,
        workers: [
          edgeWorkerOptions(bundlePaths().edge, inject<EdgeBindings>("edge")),
          browserServiceOptions(readFileSync(bundlePaths().browsers, "utf8"), {}),
        ],
      },
    })),
  ],
  test: {
    ...worker.test,
    name: "platform-slow",
    include: ["test/**/*.platform.slow.test.ts"],
    globalSetup: [...worker.test.globalSetup, "./test/support/platform/bundles.ts"],
    setupFiles: [...worker.test.setupFiles, "./test/support/platform/uncached.ts"],
  },
} satisfies TestProjectConfiguration;

const pure = {
  plugins: [sqlAsText],
  // The SQL of accounts also runs in Node.
  resolve: {
    alias: {
      "cloudflare:test": resolve("test/support/sqlite/cloudflare-test.ts"),
      "cloudflare:workers": resolve("test/support/sqlite/cloudflare-workers.ts"),
    },
  },
  test: {
    name: "pure",
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "test/**/*.{worker,slow}.test.ts"],
    environment: "node",
    isolate: false,
    ...timeLimits,
  },
} satisfies TestProjectConfiguration;

/** Configures slow tests that run in Node: they start the service and the commands as a user does. */
const slow = {
  test: {
    ...pure.test,
    name: "slow",
    include: ["test/**/*.slow.test.ts"],
    exclude: [...configDefaults.exclude, "test/**/*.{worker,platform}.slow.test.ts"],
    globalSetup: ["./test/support/prepare-run.ts"],
    retry: RETRIES,
  },
} satisfies TestProjectConfiguration;

export default defineConfig({
  test: {
    silent: "passed-only",
    reporters: ["default", new Summary(), ...report],
    // Tests often wait for timeouts and browsers, so two cores can run five workers.
    maxWorkers: Math.max(5, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: ByProject },
    projects: [worker, pure, slowWorker, platform, slow],
  },
});
