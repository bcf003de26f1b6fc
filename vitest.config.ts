import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { setUpBrowser } from "./scripts/browser.ts";
import { makeCertificate } from "./test/support/certificate.ts";
import type { Origins } from "./test/support/engines/server.ts";
import { MAIL_KEY } from "./test/support/mail.ts";
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
const { cloudflareTest } = await import("@cloudflare/vitest-plugin");
const { unstable_splitSqlQuery } = await import("wrangler");
// Absent in a clone without the shared data: the tests that need it are skipped, and say so.
const fixtures = process.env.FIXTURES ?? "";
// What needs no bindings and leaves nothing behind: its files share a runtime, where each of the others starts its own.
const pure = ["test/{html,lib,parse,schema,scripts}/**/*.test.ts", "test/serp/!(stand-ins).test.ts"];

// As many as there are tests that need an admin of their own.
const ADMINS = Array.from({ length: 20 }, (_, i) => `Admin-${i}@extraction.example`);

export default defineConfig({
  test: {
    silent: "passed-only",
    // Much of the time goes by in waiting for time-outs, pauses and browsers: on two cores too, two files at a time.
    maxWorkers: Math.max(2, Math.floor(availableParallelism() / 2)),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ALLOWED_PRIVATE_HOSTS: inject<string>("allowedHosts"),
                DNS_RESOLVER: `${inject<string>("site")}/__dns`,
                PROXIES: JSON.stringify({
                  TR: `http://ok-{country}-{session}:secret@${inject<string>("proxy")}`,
                  DE: `http://ok-{session}:wrong@${inject<string>("proxy")}`,
                  FR: "http://user:secret@127.0.0.1:1",
                }),
                OPENAI_API_KEY: "an OpenAI key of the tests",
                OPENAI_BASE_URL: `${inject<string>("models")}/v1`,
                ANTHROPIC_API_KEY: "an Anthropic key of the tests",
                ANTHROPIC_BASE_URL: inject<string>("models"),
                SERP_GOOGLE_ORIGIN: inject<Origins>("engines").google,
                SERP_BING_ORIGIN: inject<Origins>("engines").bing,
                SERP_YANDEX_ORIGIN: inject<Origins>("engines").yandex,
                MAIL_URL: inject<string>("mail"),
                MAIL_KEY,
                MAIL_FROM: "Extraction <extraction@mail.example>",
                ADMIN_EMAILS: ADMINS.join(", "),
                SIGNING_SECRET: "a secret of the tests",
                ENCRYPTION_KEY: "another secret of the tests",
                FUZZ_SECONDS: process.env.FUZZ_SECONDS ?? "4",
                FUZZ_SEED: process.env.FUZZ_SEED ?? "7",
                FUZZ_REQUESTS: process.env.FUZZ_REQUESTS ?? "400",
                TEST_SCHEMA: unstable_splitSqlQuery(readFileSync("./schema.sql", "utf8")),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          // The models' SDKs are hundreds of modules: bundled once, not fetched one by one for each file.
          deps: {
            optimizer: {
              ssr: {
                enabled: true,
                include: [
                  "openai",
                  "openai/streaming",
                  "@anthropic-ai/sdk",
                  "@anthropic-ai/sdk/streaming",
                  "better-auth",
                  "better-auth/api",
                  "better-auth/plugins/magic-link",
                ],
                rolldownOptions: { external: [/^node:/] },
              },
            },
          },
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", ...pure],
          globalSetup: ["./test/support/outside.ts"],
          setupFiles: ["./test/support/database.ts"],
          // Of concurrent tests: as many as the browsers have places.
          maxConcurrency: 8,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        plugins: [cloudflareTest({ wrangler: { configPath: "./wrangler.toml" } })],
        test: { name: "pure", include: pure, isolate: false, testTimeout: 60_000 },
      },
      {
        test: {
          name: "start",
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          env: { FIXTURES: fixtures },
        },
      },
    ],
  },
});
