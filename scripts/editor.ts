// Writes assets/dashboard/editor.js: the JSON editor and the schema builder of the playground, with CodeMirror.
// scripts/assets.ts runs this script. The file isn't committed.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const PROJECT = resolve(import.meta.dirname, "..");
const ENTRY = join(PROJECT, "src/dashboard/editor/main.ts");
const TARGET = join(PROJECT, "assets/dashboard/editor.js");

/** Bundles the editor. Rewrites the file only if it has changed, because that would trigger file watchers. */
export async function writeEditor(): Promise<void> {
  const { outputFiles } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    // License comments stay in the file, because they are part of the licenses.
    legalComments: "eof",
    logLevel: "error",
  });
  const text = outputFiles[0]?.text ?? "";
  if (existsSync(TARGET) && readFileSync(TARGET, "utf8") === text) return;
  // Writes a temporary file and renames it, because another process may read or write the target at the same time.
  const part = `${TARGET}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, TARGET);
}
