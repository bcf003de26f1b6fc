import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The folders of `src/`, from top to bottom. A folder imports only folders below it. If a folder isn't listed, the
 * rules of its listed parent folder apply. "." is the folder of the entry.
 */
export const LAYERS: readonly string[] = [
  ".",
  "website",
  "routes",
  "doors",
  "dashboard",
  "dashboard/pages",
  "dashboard/result-view",
  "dashboard/auth",
  "dashboard/ui",
  "mcp",
  "http",
  "oauth",
  "crawl",
  "jobs",
  "endpoints",
  "endpoints/serp",
  "endpoints/scrape",
  "endpoints/parse",
  "endpoints/shared",
  "health",
  "webhooks",
  "doors/forms",
  "account",
  "account/lifecycle",
  "account/batches",
  "account/jobs",
  "account/credits",
  "account/deliveries",
  "account/retention",
  "account/storage",
  "directory",
  "keys",
  "search",
  "search/apis",
  "search/engines",
  "search/results",
  "search/places",
  "browser",
  "browser/page-scripts",
  "models",
  "site",
  "net",
  "store",
  "text-view",
  "documents",
  "pdf",
  "html/page-data",
  "html/outcome",
  "html",
  "html/block-pages",
  "html/content",
  "html/main-content",
  "html/visibility",
  "html/metadata",
  "html/markdown",
  "html/text",
  "html/ast",
  "html/page",
  "html/parse",
  "html/css",
  "html/encoding",
  "json-schema",
  "contract",
  "model",
  "lib",
];

const COMMENT = /\/\*[\s\S]*?\*\//g;
/** Matches the specifier of a static import, a re-export, a dynamic import or an import type. */
const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*(["'`])([^"'`]+)\1/g;

/** Returns one sentence for each import in `folder` that breaks the rule, sorted by file. */
export function findViolations(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => /\.[cm]?tsx?$/.test(file));
  return files.sort().flatMap((file) => {
    const [top = ""] = file.split("/");
    if (file.includes("/") && !LAYERS.includes(top))
      return [`src/${file}: the folder ${top}/ isn't listed in scripts/layers.ts.`];
    const text = readFileSync(join(folder, file), "utf8").replace(COMMENT, "");
    return [...text.matchAll(SPECIFIER)].flatMap(([, , specifier = ""]) => {
      const reason = specifier.startsWith(".") ? toReason(file, join(dirname(file), specifier)) : null;
      return reason === null ? [] : [`src/${file} imports "${specifier}": ${reason}`];
    });
  });
}

/** Returns the reason why `file` may not import `target`, or null if it may. Both paths are relative to `src/`. */
function toReason(file: string, target: string): string | null {
  // Every folder may read the version of the product.
  if (normalize(target) === "../package.json") return null;
  const [from, to] = [toLayer(file), toLayer(normalize(target))];
  if (to === null) return "it is outside of src/.";
  if (from === null || LAYERS.indexOf(from) <= LAYERS.indexOf(to)) return null;
  return `${to}/ is above ${from}/ in scripts/layers.ts.`;
}

/**
 * Returns the listed folder that a path belongs to, or null if the path is outside of `src/`. The path may omit the
 * file extension.
 */
function toLayer(path: string): string | null {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (folder === "..") return null;
    if (LAYERS.includes(folder)) return folder;
  }
  return path.startsWith("..") ? null : ".";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const violations = findViolations(relative(process.cwd(), join(import.meta.dirname, "../src")));
  for (const violation of violations) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
