import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle, evaluatedAtStart } from "../../scripts/bundle.ts";
import type { Figure } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import { PROJECT } from "./world.ts";

const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");
/** The goals for the size of the bundle and for the CPU time of its start-up. */
export const BUNDLE_GOAL_BYTES = 7_500_000;
const CPU_GOAL_MS = 120;
const PROFILES = chooseCount("BENCH_PROFILES", { short: 1, full: 3 });

/**
 * Path fragments that identify the lazy modules. Only some requests need these modules, so startup must not evaluate
 * them.
 */
export const LAZY_MODULES = [
  "node_modules/openai/",
  "node_modules/@anthropic-ai/",
  "node_modules/@cloudflare/puppeteer/",
  "src/pdf/pdfjs.generated.mjs",
  "node_modules/better-auth/",
  "node_modules/kysely/",
  "node_modules/@cloudflare/workers-oauth-provider/",
  "node_modules/@modelcontextprotocol/",
  "node_modules/marked/",
  "src/dashboard/pages/",
  "src/browser/page-scripts.generated.mjs",
  "src/browser/render.ts",
  "src/documents/",
  "src/endpoints/runs.ts",
  "src/html/block-pages/",
  "src/html/encoding/",
  "src/html/main-content/",
  "src/html/outcome/",
];

/**
 * Measures the bundle's size with and without lazy modules, the number of lazy modules that startup evaluates, and the
 * CPU time of startup.
 */
export async function startUp(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "extraction-start-up-"));
  try {
    const entry = join(PROJECT, "src", "index.ts");
    const whole = await bundle(entry, join(folder, "whole.mjs"));
    await bundle(entry, join(folder, "start.mjs"), { excludeLazy: true });
    const sizes = ["whole.mjs", "start.mjs"].map((file) => readFileSync(join(folder, file)));
    const [all = Buffer.alloc(0), start = Buffer.alloc(0)] = sizes;
    const cpuMs = Math.min(...profileStart(folder));
    const early = [...evaluatedAtStart(whole)].filter((path) => LAZY_MODULES.some((part) => path.includes(part)));
    for (const path of early) console.error(`start-up: this lazy module is evaluated at startup: ${path}`);
    return [
      {
        what: "start-up, bundle",
        unit: "KB",
        ours: all.byteLength / 1024,
        floor: null,
        more: { "without lazy modules": start.byteLength / 1024 },
        goal: { text: `at most ${BUNDLE_GOAL_BYTES / 1e6} MB`, met: all.byteLength <= BUNDLE_GOAL_BYTES },
      },
      {
        what: "start-up, bundle, gzip",
        unit: "KB",
        ours: gzipSync(all).byteLength / 1024,
        floor: null,
        more: { "without lazy modules": gzipSync(start).byteLength / 1024 },
      },
      {
        what: "start-up, lazy modules evaluated at startup",
        unit: "modules",
        ours: early.length,
        floor: null,
        goal: { text: "none", met: early.length === 0 },
      },
      {
        what: "start-up, CPU",
        unit: "ms",
        ours: cpuMs,
        floor: null,
        goal: { text: `at most ${CPU_GOAL_MS} ms`, met: cpuMs <= CPU_GOAL_MS },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `wrangler check startup`, which profiles the Worker's startup. Returns the CPU time (ms) of each run. */
function profileStart(folder: string): number[] {
  const args = ["check", "startup", "--outfile", join(folder, "start.cpuprofile")];
  return Array.from({ length: PROFILES }, () => {
    // Wrangler prints the output that the bench parses only at this log level.
    const env = { ...process.env, WRANGLER_LOG: "log" };
    const { stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
      cwd: PROJECT,
      env,
      encoding: "utf8",
    });
    const active = /Active: ([\d.]+) ms/.exec(stdout)?.[1];
    if (active === undefined)
      throw new Error(`The output of wrangler check startup has no active time.\n${stdout}\n${stderr}`);
    return Number(active);
  });
}
