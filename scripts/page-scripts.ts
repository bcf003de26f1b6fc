// Writes src/browser/page-scripts.generated.mjs: the source text of the functions in src/browser/page-scripts/,
// one per file. The subfolder shared/ has what they import.
// `npm run assets`, scripts/bundle.ts and vitest.config.ts run it.
//
// The functions run inside pages, where nothing of the Worker exists. A function's own `toString()` isn't its source: bundlers
// rename its imports and add helpers. Therefore each one is bundled by itself.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { build } from "esbuild";

const PROJECT = resolve(import.meta.dirname, "..");
const FOLDER = join(PROJECT, "src/browser/page-scripts");
const TARGET = join(PROJECT, "src/browser/page-scripts.generated.mjs");

/** The end of an ES module of esbuild with one export. */
const EXPORT = /^export \{\n {2}(\w+)\n\};\n$/m;

/** Writes the generated module, unless it is up to date. */
export async function writePageScripts(): Promise<void> {
  const scripts = JSON.stringify(await readPageScripts(), null, 2);
  const text = `// Made by scripts/page-scripts.ts.\nexport const PAGE_SCRIPTS = ${scripts};\n`;
  if (existsSync(TARGET) && readFileSync(TARGET, "utf8") === text) return;
  // Another process may read the file or write it meanwhile.
  const part = `${TARGET}.${process.pid}`;
  writeFileSync(part, text);
  renameSync(part, TARGET);
}

/** Returns the text of each page script, by its name: an expression whose value is the function. */
export async function readPageScripts(): Promise<Record<string, string>> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".ts"));
  const entries = files.sort().map(async (file): Promise<[string, string]> => [toName(file), await toExpression(file)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the name of the function in a file: `wait-for-selector.ts` exports `waitForSelector`. */
function toName(file: string): string {
  return basename(file, ".ts").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Bundles a file. Returns the text of an expression whose value is the function. */
async function toExpression(file: string): Promise<string> {
  const name = toName(file);
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "./${file}";`, resolveDir: FOLDER },
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    charset: "utf8",
    logLevel: "error",
  });
  const text = (outputFiles[0]?.text ?? "").replace(/^\/\/ .*\n/gm, "");
  const [end, exported] = EXPORT.exec(text) ?? [];
  if (end === undefined || exported !== name) throw new Error(`The bundle of ${file} doesn't export only ${name}.`);
  return `(() => {\n${text.slice(0, -end.length)}return ${name};\n})()`;
}

if (import.meta.main) await writePageScripts();
