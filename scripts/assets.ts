// `npm run assets`: copies static files from npm packages into assets/. Wrangler runs it before it serves or deploys the
// Worker. The files aren't committed.
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");

/** Each file's path in assets/, and its source path in node_modules. */
const COPIES = {
  "docs/scalar.js": "@scalar/api-reference/dist/browser/standalone.js",
};

for (const [name, source] of Object.entries(COPIES)) {
  const from = join(PROJECT, "node_modules", source);
  const to = join(PROJECT, "assets", name);
  if (isCopied(from, to)) continue;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

/** Returns true if the copy is up to date. Rewriting an unchanged file would trigger file watchers. */
function isCopied(from: string, to: string): boolean {
  if (!existsSync(to)) return false;
  const [source, copy] = [statSync(from), statSync(to)];
  return copy.size === source.size && copy.mtimeMs >= source.mtimeMs;
}
