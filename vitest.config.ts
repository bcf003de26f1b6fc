import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { unstable_splitSqlQuery } from "wrangler";
import { setUpBrowser } from "./scripts/browser.ts";

// The runtime's browsers keep their profiles in here: by this path the tests know them.
process.env.TMPDIR = mkdtempSync(join(tmpdir(), "extraction-test-"));
Object.assign(process.env, (await setUpBrowser()).env);
// Absent in a clone without the shared data: the tests that need it are skipped, and say so.
const fixtures = process.env.FIXTURES ?? "";

export default defineConfig({
  test: {
    silent: "passed-only",
    projects: [
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./wrangler.toml" },
            miniflare: {
              bindings: {
                ALLOWED_PRIVATE_HOSTS: inject<string>("allowedHosts"),
                SIGNING_SECRET: "a secret of the tests",
                ENCRYPTION_KEY: "another secret of the tests",
                TEST_SCHEMA: unstable_splitSqlQuery(readFileSync("./schema.sql", "utf8")),
              },
            },
          })),
        ],
        test: {
          name: "worker",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**"],
          globalSetup: ["./test/support/outside.ts"],
          setupFiles: ["./test/support/database.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
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
