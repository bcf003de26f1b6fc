import { mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { builtinModules } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { setUpBrowser } from "./scripts/browser.ts";
import { bundle } from "./scripts/bundle.ts";
import { readMigrations } from "./scripts/migrations.ts";
import { writePageScripts } from "./scripts/page-scripts.ts";
import { writePdfjs } from "./scripts/pdfjs.ts";
import { toBindings } from "./test/support/bindings.ts";
import { makeCertificate } from "./test/support/certificate.ts";
import { PACKAGES } from "./test/support/packages.ts";
import { browserServiceOptions, WITH_BROWSER_SERVICE } from "./test/support/platform/browser-service-options.ts";
import { EDGE_WORKER, type EdgeBindings, edgeWorkerOptions } from "./test/support/platform/edge.ts";
import { LongestFirst } from "./test/support/sequencer.ts";

// The browsers of the runtime keep their profiles in this folder. Tests recognize the browsers by its path. Vitest loads
// this file several times in a run, and only the first time creates the folder.
const isFirst = process.env.EXTRACTION_TEST_FOLDER === undefined;
process.env.EXTRACTION_TEST_FOLDER ??= mkdtempSync(join(hasSharedMemory() ? "/dev/shm" : tmpdir(), "extraction-test-"));
process.env.TMPDIR = process.env.EXTRACTION_TEST_FOLDER;
Object.assign(process.env, (await setUpBrowser()).env);
// The module of the runtime reads this variable when it is loaded, so it is imported below.
if (isFirst) {
  const folder = process.env.TMPDIR;
  process.env.NODE_EXTRA_CA_CERTS = (await makeCertificate(folder)).file;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // wrangler runs `npm run assets` before it bundles the Worker. Vitest doesn't.
  await Promise.all([writePdfjs(), writePageScripts()]);
}
const { cloudflareTest } = await import("@cloudflare/vitest-plugin");
const { unstable_splitSqlQuery } = await import("wrangler");
/** The SQL statements of each version of the schema. */
const schema = readMigrations(".").map(({ sql }) => unstable_splitSqlQuery(sql));
// Without this folder of test data, the tests that need it are skipped.
const fixtures = process.env.FIXTURES ?? "";

/**
 * Returns true if this system has a file system in memory for the databases and browser profiles of the tests. On a
 * disk, the databases would wait for each write. The file system needs 2 GiB, and must be able to run scripts.
 */
function hasSharedMemory(): boolean {
  try {
    const mount = readFileSync("/proc/mounts", "utf8").match(/^\S+ \/dev\/shm tmpfs (\S+)/m)?.[1];
    const { bavail, bsize } = statfsSync("/dev/shm");
    return mount !== undefined && !mount.split(",").includes("noexec") && bavail * bsize >= 2 ** 31;
  } catch {
    return false;
  }
}

/**
 * The time limits of a test or hook, and of a wait for an event. They only end a test that hangs, so a slow machine must
 * not reach them.
 */
const TEST_TIMEOUT_MS = 240_000;
const POLL_TIMEOUT_MS = 90_000;

/** The option with which the scripts for fuzzing print their progress. */
const PRINTS_LOGS = process.argv.includes("--silent=false");

/** Tests of code that needs no bindings. They run in Node, which starts faster than the Workers runtime. */
const PURE = [
  "test/{contract,documents,html,json-schema,model,scripts}/**/*.test.ts",
  // Node has no `crypto.subtle.timingSafeEqual`.
  "test/lib/!(crypto).test.ts",
  "test/account/{delivery-rules,histogram,usage-totals}.test.ts",
  "test/browser/{acquire,blocked-urls,errors,idle-time,interception,main-document,network,pending-requests,prepare-tab,render-slots,tab}.test.ts",
  "test/crawl/rules/*.test.ts",
  "test/dashboard/{batch-files,csv,format,icons,markdown,tables}.test.ts",
  "test/directory/location.test.ts",
  "test/endpoints/parse/**/*.test.ts",
  "test/endpoints/{scrape,serp}/mock.test.ts",
  "test/endpoints/shared/{load-options,scripted-outcome}.test.ts",
  "test/health/{alerts,figures,verdict,part-states}.test.ts",
  "test/keys/rate-window.test.ts",
  "test/models/strict-schema.test.ts",
  "test/net/{cookie-jar,deny-list,egress,own-site,platform-answer,proxy-config,response}.test.ts",
  "test/pdf/layout.test.ts",
  "test/search/{engines,places,results}/**/*.test.ts",
  "test/site/!(fetch-resource).test.ts",
  "test/webhooks/signature.test.ts",
];

/**
 * Tests of code that sends requests. They run a second time with the stand-in for Cloudflare's `fetch`
 * (test/support/platform), because the local runtime throws an error where Cloudflare returns a response.
 */
const PLATFORM = [
  "test/platform/**/*.test.ts",
  "test/net/{fetch-page,page}.test.ts",
  "test/routes/{scrape,serp,webhooks}.test.ts",
  "test/hostile/plain.test.ts",
  "test/browser/{browser,browser-host}.test.ts",
  "test/webhooks/!(signature).test.ts",
];

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

/** Configures tests of the Worker with its bindings, real browsers and the stand-in servers of test/support. */
const worker = {
  plugins: [
    withoutSourceMap,
    cloudflareTest(({ inject }) => ({
      main: "./test/support/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: { bindings: toBindings(inject, schema) },
    })),
  ],
  resolve: { alias: { "@better-auth/utils/password": resolve("test/support/password.ts") } },
  test: {
    name: "worker",
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**", "test/platform/**", ...PURE],
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
    // On a busy machine, a page may reach a time limit of the service.
    retry: 2,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
    expect: { poll: { timeout: POLL_TIMEOUT_MS } },
  },
} satisfies TestProjectConfiguration;

/** The platform needs no resolver and no filtering proxies, because it reaches no private network. */
const PLATFORM_BINDINGS = {
  DNS_RESOLVER: "",
  BROWSER_PROXY: "",
  SEARCH_BROWSER_PROXY: "",
  BROWSER_NETWORK: "public",
  BROWSER_SHARED: "on",
};
const edgeScript = join(process.env.TMPDIR, "edge.mjs");
const browserScript = join(process.env.TMPDIR, "browser-service.mjs");
if (isFirst) {
  await bundle("test/support/platform/edge-worker.ts", edgeScript);
  await bundle("test/support/platform/browser-service.ts", browserScript);
}

/** Configures tests of the Worker as on Cloudflare: without a resolver, and with Cloudflare's `fetch` and browsers. */
const platform = {
  ...worker,
  plugins: [
    withoutSourceMap,
    cloudflareTest(({ inject }) => ({
      main: "./test/support/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        bindings: { ...toBindings(inject, schema), ...PLATFORM_BINDINGS },
        outboundService: EDGE_WORKER,
        ...WITH_BROWSER_SERVICE,
        workers: [
          edgeWorkerOptions(edgeScript, inject<EdgeBindings>("edge")),
          browserServiceOptions(readFileSync(browserScript, "utf8"), {}),
        ],
      },
    })),
  ],
  test: {
    ...worker.test,
    name: "platform",
    include: PLATFORM,
    exclude: [],
    setupFiles: [...worker.test.setupFiles, "./test/support/platform/uncached.ts"],
  },
} satisfies TestProjectConfiguration;

export default defineConfig({
  test: {
    silent: "passed-only",
    // Tests often wait for timeouts and browsers, so two cores can run five workers.
    maxWorkers: Math.max(5, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
    projects: [
      worker,
      platform,
      {
        test: {
          name: "pure",
          include: PURE,
          environment: "node",
          isolate: false,
          testTimeout: TEST_TIMEOUT_MS,
          env: { FIXTURES: fixtures },
        },
      },
      {
        test: {
          name: "start",
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          isolate: false,
          // On a busy machine, a browser or a started service may reach a time limit.
          retry: 1,
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: TEST_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS } },
          // Each command starts a new Node process. They share their compiled code.
          env: { FIXTURES: fixtures, NODE_COMPILE_CACHE: join(process.env.TMPDIR, "compiled") },
        },
      },
    ],
  },
});
