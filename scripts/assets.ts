// Generates the files that a build needs and that aren't committed: static files from npm packages and from docs/ in
// assets/, the packed client, and the modules *.generated.mjs in src/. Wrangler runs this script before it serves or deploys the Worker.
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writeClient } from "./build-client.ts";
import { writeDocsSite } from "./docs-site.ts";
import { writePageScripts } from "./page-scripts.ts";
import { writePdfjs } from "./pdfjs.ts";

const PROJECT = resolve(import.meta.dirname, "..");

/** Each file's path in assets/, and its source path in node_modules. */
const COPIES = {
  "docs/scalar.js": "@scalar/api-reference/dist/browser/standalone.js",
  "docs/minisearch.js": "minisearch/dist/es/index.js",
};

/** The character maps with which PDFs encode Chinese, Japanese and Korean text. pdf.js of `unpdf` doesn't have them. */
const CMAPS = "pdfjs-dist/cmaps";

/** Writes the static files that are missing or out of date. */
export function writeAssets(): void {
  for (const [name, source] of Object.entries(COPIES)) copyAsset(source, name);
  copyCMaps();
  writeDocsSite();
}

function copyCMaps(): void {
  for (const name of readdirSync(join(PROJECT, "node_modules", CMAPS)))
    copyAsset(`${CMAPS}/${name}`, `pdf/cmaps/${name}`);
}

function copyAsset(source: string, name: string): void {
  const from = join(PROJECT, "node_modules", source);
  const to = join(PROJECT, "assets", name);
  if (isCopied(from, to)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Returns true if the copy is up to date. Rewriting an unchanged file would trigger file watchers. */
function isCopied(from: string, to: string): boolean {
  if (!existsSync(to)) return false;
  const [source, copy] = [statSync(from), statSync(to)];
  return copy.size === source.size && copy.mtimeMs >= source.mtimeMs;
}

if (import.meta.main) {
  writeAssets();
  await Promise.all([writePdfjs(), writePageScripts(), writeClient()]);
}
