// `npm run check`: checks the types, the code, the order of the folders, and the language. Files that were clean in an
// earlier run aren't read again. Type checks reuse the results of the previous run in .cache/check.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseOptions } from "./options.ts";
import { listFiles } from "./project-files.ts";

const { values } = parseOptions(
  `npm run check -- [options]

Checks the types, the code, the order of the folders, and the language of
comments, texts and names. After an edit, only the affected files are checked.

  --all     also checks the OpenAPI document, and that the type Env and the types
            of the Python client are up to date
  --fix     first formats the code, fixes what Biome can fix, and updates the
            type Env
  --help    prints this help`,
  { options: { all: { type: "boolean" }, fix: { type: "boolean" } } },
);

const PROJECT = resolve(import.meta.dirname, "..");
const CACHE = join(PROJECT, ".cache", "check");
const BIN = join(PROJECT, "node_modules", ".bin");
/** The names of more files could be too long for one command line. */
const MOST_NAMED_FILES = 500;
const TYPE_PROJECTS = [
  ".",
  "test",
  "scripts",
  "lab",
  "clients/typescript",
  "clients/typescript/cli",
  "src/browser/page-scripts",
];
const WRANGLER_TYPES = ["types", "--include-runtime=false", "--strict-vars=false", "--env-file=/dev/null"];

interface Part {
  name: string;
  command: string;
  args: string[];
}

/** A part whose result for a file depends only on the file, and on these other files. */
interface FilePart extends Part {
  dependsOn: string[];
}

const BIOME: FilePart = {
  name: "biome",
  command: join(BIN, "biome"),
  args: ["check", "--no-errors-on-unmatched", "--files-ignore-unknown=true", "--max-diagnostics=none"],
  dependsOn: ["biome.json", "package-lock.json"],
};
const PROSE: FilePart = {
  name: "prose",
  command: process.execPath,
  args: ["scripts/prose.ts"],
  dependsOn: [
    ...["scripts/prose.ts", "scripts/prose/extract.ts", "scripts/prose/names.ts", "scripts/prose/terms.yml"],
    "package-lock.json",
  ],
};
const LAYERS: Part = { name: "layers", command: process.execPath, args: ["scripts/layers.ts"] };
const OPENAPI: Part[] = [
  { name: "openapi", command: process.execPath, args: ["scripts/openapi.ts"] },
  { name: "python models", command: process.execPath, args: ["scripts/python-models.ts", "--check"] },
  { name: "openapi lint", command: join(BIN, "redocly"), args: ["lint", ".cache/openapi.json"] },
];

let failures = 0;
process.exitCode = await check();

/** Runs all parts and returns the exit code. */
async function check(): Promise<number> {
  const startedAt = performance.now();
  if (values.fix) {
    await run({ ...BIOME, name: "biome --write", args: [...BIOME.args, "--write"] });
    await run({ name: "types of Env", command: join(BIN, "wrangler"), args: WRANGLER_TYPES });
  }
  // Two checks of types at a time would need more than 4 GB of memory.
  const types = async () => {
    for (const project of TYPE_PROJECTS) await run(toTypeCheck(project));
  };
  const others = async () => {
    await run(LAYERS);
    await runForFiles(BIOME);
    await runForFiles(PROSE);
    if (!values.all) return;
    await run({ name: "types of Env", command: join(BIN, "wrangler"), args: [...WRANGLER_TYPES, "--check"] });
    for (const part of OPENAPI) await run(part);
  };
  await Promise.all([types(), others()]);
  const result = failures === 0 ? "All checks passed" : `${failures} ${failures === 1 ? "check" : "checks"} failed`;
  console.log(`${result} in ${toSeconds(startedAt)}.`);
  return failures === 0 ? 0 : 1;
}

/**
 * Returns the type check of a folder. It writes declarations, because TypeScript then knows if an edit changed the
 * types that other files see. Otherwise it would check all of these files after the first edit. The declarations have no
 * comments, so that an edit of a comment changes nothing. With `isolatedModules`, TypeScript 7.0.2 misses errors in files
 * that an edit of several other files affects. `verbatimModuleSyntax` reports the same problems of single files.
 */
function toTypeCheck(project: string): Part {
  const name = project === "." ? "src" : project;
  const folder = join(CACHE, "types", name.replaceAll("/", "-"));
  const args = ["-p", project, "--incremental", "--tsBuildInfoFile", `${folder}.tsbuildinfo`];
  args.push(
    "--noEmit",
    "false",
    "--declaration",
    "--emitDeclarationOnly",
    "--removeComments",
    "--isolatedModules",
    "false",
    "--rootDir",
    ".",
    "--outDir",
    folder,
  );
  return { name: `types of ${name}`, command: join(BIN, "tsc"), args };
}

/** Runs a part for the files that have changed since they were clean. */
async function runForFiles(part: FilePart): Promise<void> {
  const cache = join(CACHE, `${part.name}.json`);
  const clean = new Set<string>(existsSync(cache) ? JSON.parse(readFileSync(cache, "utf8")) : []);
  const key = part.dependsOn.map((file) => readFileSync(join(PROJECT, file), "utf8")).join("\0");
  const hashes = new Map(
    listFiles(PROJECT).map((file) => [file, toHash(key, file, readFileSync(join(PROJECT, file), "base64"))]),
  );
  const changed = [...hashes].flatMap(([file, hash]) => (clean.has(hash) ? [] : [file]));
  for (let at = 0; at < changed.length; at += MOST_NAMED_FILES) {
    const named = changed.slice(at, at + MOST_NAMED_FILES);
    const name = `${part.name}, ${named.length} ${named.length === 1 ? "file" : "files"}`;
    const problems = await run({ ...part, name, args: [...part.args, ...named] });
    if (problems === null) continue;
    // Each problem begins with the file and the line, or with the file and `format`.
    const unclean = named.filter((file) => problems.includes(`${file}:`) || problems.includes(`${file} `));
    for (const file of unclean.length === 0 ? named : unclean) hashes.delete(file);
  }
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(cache, JSON.stringify([...hashes.values()]));
}

function toHash(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("base64url").slice(0, 20);
}

/**
 * Runs a command. Prints its name and its time when it ends, and its output if it failed. Returns the output of a
 * command that failed, and otherwise null.
 */
async function run({ name, command, args }: Part): Promise<string | null> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    cwd: PROJECT,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", WRANGLER_LOG: "error" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  console.log(`${name.padEnd(36)} ${toSeconds(startedAt).padStart(8)}${code === 0 ? "" : "  failed"}`);
  if (code === 0) return null;
  console.error(output.trimEnd());
  failures++;
  return output;
}

function toSeconds(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
}
