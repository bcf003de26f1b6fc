// `npm run lab -- serp-page`: makes a test of a stored result page, and prints what was read from it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseArguments, readCommandLine } from "../scripts/options.ts";
import { loadSource } from "./eval/source.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const FOLDER = join(PROJECT, "test/fixtures/serp/reported");
const USAGE = `npm run lab -- serp-page --url <url> --name <name> <file>

Reads a stored result page (.html or .html.gz), prints what was read, and stores both in test/fixtures/serp/reported.
test/search/engines/reported.test.ts compares them. Correct the JSON file by hand where the print is wrong.
  --url         the URL of the result page
  --name        the name of the test, such as google-2026-09-news
  --dry-run     only prints what was read`;

const OPTIONS = {
  url: { type: "string" },
  name: { type: "string" },
  "dry-run": { type: "boolean", default: false },
} as const;

/** The part of `SearchEngine` in src/search/engines/search-engine.ts that this script uses. */
interface SearchEngine {
  resultPages: { host: RegExp };
  readPage(html: string, url: string): { kind: string; organic: { title: string; url: string }[]; blocks?: object };
}

const { url, name, file, isDry } = readCommandLine(USAGE, () => {
  const { values, positionals } = parseArguments({ options: OPTIONS, allowPositionals: true });
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new Error("Name one file.");
  if (!URL.canParse(values.url ?? "")) throw new Error("--url needs the URL of the result page.");
  if (!/^[\w-]+$/.test(values.name ?? "")) throw new Error("--name needs a name of letters, digits and hyphens.");
  return { url: values.url ?? "", name: values.name ?? "", file: path, isDry: values["dry-run"] };
});
const { ENGINES: engines } = await loadSource<{ ENGINES: Record<string, SearchEngine> }>(
  PROJECT,
  `export { ENGINES } from "./src/search/engines/engines";`,
);
const found = Object.entries(engines).find(([, { resultPages }]) => resultPages.host.test(new URL(url).hostname));
if (!found) {
  console.error(`${url} isn't the URL of a result page of ${Object.keys(engines).join(", ")}.`);
  process.exit(1);
}
const [engine, { readPage }] = found;
const bytes = readFileSync(file);
const html = new TextDecoder().decode(file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
const page = readPage(html, url);
console.log(JSON.stringify(page, null, 2));
const names = Object.keys(page.blocks ?? {}).filter((block) => block !== "block_positions");
console.log(`${engine}: ${page.kind}, ${page.organic.length} organic results, ${names.join(", ") || "no blocks"}`);
if (!isDry) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.html`), html);
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify({ engine, url, page }, null, 2)}\n`);
  console.log(`Stored ${name}.html and ${name}.json. Check the print above, and correct the JSON file.`);
}
