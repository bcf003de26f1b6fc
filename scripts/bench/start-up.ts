import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle, evaluatedAtStart } from "../bundle.ts";
import type { Figure } from "./figures.ts";
import { PROJECT } from "./world.ts";

const WRANGLER = join(PROJECT, "node_modules", "wrangler", "bin", "wrangler.js");
const PROFILES = 3;

/** What only some requests need: by a part of its path. */
export const LAZY_MODULES = [
  "node_modules/openai/",
  "node_modules/@anthropic-ai/",
  "node_modules/@cloudflare/puppeteer/",
  "src/pdf/pdfjs.generated.mjs",
  "node_modules/better-auth/",
  "node_modules/kysely/",
  "node_modules/@modelcontextprotocol/",
  "node_modules/marked/",
  "src/dashboard/",
];

/**
 * The bundle's size, the start's CPU time, and what a start evaluates; beside what it would be without modules loaded
 * late.
 */
export async function startUp(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "extraction-start-up-"));
  try {
    const entry = join(PROJECT, "src", "index.ts");
    const whole = await bundle(entry, join(folder, "whole.mjs"));
    await bundle(entry, join(folder, "start.mjs"), { excludeLazy: true });
    const sizes = ["whole.mjs", "start.mjs"].map((file) => readFileSync(join(folder, file)));
    const [all = Buffer.alloc(0), start = Buffer.alloc(0)] = sizes;
    const early = [...evaluatedAtStart(whole)].filter((path) => LAZY_MODULES.some((part) => path.includes(part)));
    for (const path of early) console.error(`start-up: evaluated at the start: ${path}`);
    return [
      {
        what: "start-up, bundle",
        unit: "KB",
        ours: all.byteLength / 1024,
        floor: null,
        more: { "without late modules": start.byteLength / 1024 },
      },
      {
        what: "start-up, bundle, gzip",
        unit: "KB",
        ours: gzipSync(all).byteLength / 1024,
        floor: null,
        more: { "without late modules": gzipSync(start).byteLength / 1024 },
      },
      {
        what: "start-up, late modules evaluated at once",
        unit: "modules",
        ours: early.length,
        floor: null,
        goal: { text: "none", met: early.length === 0 },
      },
      { what: "start-up, CPU", unit: "ms", ours: Math.min(...profileStart(folder)), floor: null },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `wrangler check startup`, which starts the Worker under the inspector: what it was at work for, each time. */
function profileStart(folder: string): number[] {
  const args = ["check", "startup", "--outfile", join(folder, "start.cpuprofile")];
  return Array.from({ length: PROFILES }, () => {
    // Its output is what the bench needs.
    const env = { ...process.env, WRANGLER_LOG: "log" };
    const { stdout, stderr } = spawnSync(process.execPath, [WRANGLER, ...args], {
      cwd: PROJECT,
      env,
      encoding: "utf8",
    });
    const active = /Active: ([\d.]+) ms/.exec(stdout)?.[1];
    if (active === undefined) throw new Error(`wrangler check startup said nothing of its time.\n${stdout}\n${stderr}`);
    return Number(active);
  });
}
