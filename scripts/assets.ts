// Generates the files that a build needs and that aren't committed: static files from npm packages and from docs/ in
// assets/, and the modules *.generated.mjs in src/. Wrangler runs this script before it serves or deploys the Worker.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writePageScripts } from "./page-scripts.ts";
import { writePdfjs } from "./pdfjs.ts";

const PROJECT = resolve(import.meta.dirname, "..");

/** Each file's path in assets/, and its source path in node_modules. */
const COPIES = {
  "docs/scalar.js": "@scalar/api-reference/dist/browser/standalone.js",
};

/** The character maps with which PDFs encode Chinese, Japanese and Korean text. pdf.js of `unpdf` doesn't have them. */
const CMAPS = "pdfjs-dist/cmaps";

/** Writes the static files that are missing or out of date. */
export function writeAssets(): void {
  for (const [name, source] of Object.entries(COPIES)) copyAsset(source, name);
  copyCMaps();
  const guide = join(PROJECT, "assets", "llms-full.txt");
  const text = toFullGuide();
  if (!existsSync(guide) || readFileSync(guide, "utf8") !== text) writeFileSync(guide, text);
}

export function copyCMaps(): void {
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

/** The pages for users after those in docs/api/. */
const OTHER_PAGES = ["clients.md", "mcp.md", "dashboard.md"];

/** Returns all documentation for users as one Markdown text. Its links lead to headings of the same text. */
export function toFullGuide(): string {
  const docs = join(PROJECT, "docs");
  const readPage = (name: string) => readFileSync(join(docs, name), "utf8");
  const linked = [...readPage("api/README.md").matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, name]) => `api/${name}`);
  const others = readdirSync(join(docs, "api")).map((name) => `api/${name}`);
  const names = [...new Set(["api/README.md", ...linked, ...others, ...OTHER_PAGES])];
  const pages = new Map(names.filter((name) => name.endsWith(".md")).map((name) => [join(docs, name), readPage(name)]));
  const texts = [...pages].map(([path, text]) =>
    text.replace(/!?\[([^\]]*)\]\(([^):#]*)(#[\w-]+)?\)/g, (_, label: string, file: string, anchor?: string) => {
      const target = pages.get(file === "" ? path : join(dirname(path), file));
      return target === undefined ? label : `[${label}](${anchor ?? toAnchor(target)})`;
    }),
  );
  return `${texts.map((text) => text.trim()).join("\n\n")}\n`;
}

/** Returns the anchor of the page's title. */
function toAnchor(page: string): string {
  const [title = ""] = page.split("\n");
  return title.replace("# ", "#").toLowerCase().replaceAll(" ", "-");
}

if (import.meta.main) {
  writeAssets();
  await Promise.all([writePdfjs(), writePageScripts()]);
}
