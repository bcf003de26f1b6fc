// `npm run assets`, which wrangler runs before it serves or deploys: what the Worker serves as files and comes from packages.
// The copies aren't committed.
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");

/** By their place in assets/: where they lie in node_modules. */
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

/** A copy is younger than what it was made from, and as long: a file that is watched isn't touched for nothing. */
function isCopied(from: string, to: string): boolean {
  if (!existsSync(to)) return false;
  const [source, copy] = [statSync(from), statSync(to)];
  return copy.size === source.size && copy.mtimeMs >= source.mtimeMs;
}
