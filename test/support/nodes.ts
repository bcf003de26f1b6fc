import { spawnSync } from "node:child_process";
import { delimiter, join, resolve } from "node:path";
import type { TestContext } from "vitest";

const inPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
const isVersion20 = (path: string) => spawnSync(path, ["--version"], { encoding: "utf8" }).stdout?.startsWith("v20.");

/** The oldest and the newest Node.js that the tests of the client run. The oldest may be missing on this machine. */
export const NODES = [
  { version: 20, path: inPath.find(isVersion20) },
  { version: 24, path: resolve(import.meta.dirname, "../../node_modules/node/bin/node") },
];

/** Returns the path of this Node.js, or skips the test if it is missing. */
export function requireNode({ version, path }: (typeof NODES)[number], { skip }: TestContext): string {
  return path ?? skip(`Node.js ${version} isn't installed.`);
}
