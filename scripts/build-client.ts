// Builds the TypeScript client and its command line into clients/typescript/dist. Packs it and the Python client into assets/, from
// where the service serves them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { writeDeclarations } from "./client/declarations.ts";
import { buildWheel } from "./client/wheel.ts";
import { parseOptions } from "./options.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const CLIENT = join(PROJECT, "clients/typescript");
const DIST = join(CLIENT, "dist");
const ASSETS = join(PROJECT, "assets");
const PACKED = join(ASSETS, "client.tgz");
const CACHE = join(PROJECT, ".cache");
/** Has the hash of the sources from which the client was built. */
const BUILT = join(CACHE, "client-sources");

/** The files and folders that the package is built from. The contract imports only from these folders of src/. */
const SOURCES = [
  ...["clients/python/pyproject.toml", "clients/python/README.md", "clients/python/web_data_extraction"],
  ...["clients/typescript", "src/contract", "src/model", "src/lib"],
  ...["scripts/build-client.ts", "scripts/client", "package.json", "tsconfig.json", "LICENSE"],
];

/** Builds and packs the client if it is missing or out of date. */
export async function writeClient(): Promise<void> {
  const hash = hashSources();
  const isBuilt = [DIST, PACKED, BUILT].every((path) => existsSync(path)) && findWheels().length === 1;
  if (isBuilt && readFileSync(BUILT, "utf8") === hash) return;
  mkdirSync(CACHE, { recursive: true });
  // The compiler infers types from packages in node_modules, so the folder must be inside the project.
  const work = mkdtempSync(join(CACHE, "client-"));
  try {
    const folder = join(work, "package");
    mkdirSync(join(folder, "dist"), { recursive: true });
    for (const name of ["package.json", "README.md"]) copyFileSync(join(CLIENT, name), join(folder, name));
    copyFileSync(join(PROJECT, "LICENSE"), join(folder, "LICENSE"));
    await Promise.all([writeModules(join(folder, "dist")), writeDeclarations(PROJECT, work, join(folder, "dist"))]);
    const options = ["--pack-destination", work, "--ignore-scripts", "--no-update-notifier", "--loglevel", "error"];
    execFileSync("npm", ["pack", folder, ...options], { stdio: ["ignore", "ignore", "inherit"] });
    // Renames complete files, because another process may read or write them at the same time.
    const packed = readdirSync(work).find((name) => name.endsWith(".tgz")) ?? "";
    renameSync(join(work, packed), PACKED);
    writeWheel();
    rmSync(DIST, { recursive: true, force: true });
    renameSync(join(folder, "dist"), DIST);
    writeFileSync(BUILT, hash);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Returns the paths of the wheels in assets/. */
export function findWheels(): string[] {
  const names = readdirSync(ASSETS).filter((name) => name.endsWith(".whl"));
  return names.map((name) => join(ASSETS, name));
}

function writeWheel(): void {
  const { name, bytes } = buildWheel(join(PROJECT, "clients/python"));
  for (const path of findWheels()) rmSync(path);
  writeFileSync(join(ASSETS, name), bytes);
}

function hashSources(): string {
  const hash = createHash("sha256");
  const files = SOURCES.flatMap((source) => {
    const path = join(PROJECT, source);
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
    return names.filter((name) => !name.startsWith(DIST) && statSync(name).isFile());
  });
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** Bundles the client into one module without dependencies, and the command line into another. */
async function writeModules(out: string): Promise<void> {
  const options = { bundle: true, format: "esm", target: "es2022", logLevel: "error" } as const;
  const { metafile } = await build({
    ...options,
    entryPoints: [join(CLIENT, "src/index.ts")],
    outfile: join(out, "index.js"),
    platform: "neutral",
    metafile: true,
    absWorkingDir: CLIENT,
  });
  await build({
    ...options,
    entryPoints: [join(CLIENT, "cli/main.ts")],
    outfile: join(out, "cli.js"),
    platform: "node",
    // The command line imports the client from its own package.
    external: ["web-data-extraction"],
    banner: { js: "#!/usr/bin/env node" },
  });
  const outside = Object.keys(metafile.inputs).filter((input) => !input.startsWith("src/"));
  if (outside.length > 0)
    throw new Error(`The client must not bundle files outside of clients/typescript/src/: ${outside.join(", ")}.`);
}

if (import.meta.main) {
  parseOptions(
    `node scripts/build-client.ts

Builds the TypeScript client into clients/typescript/dist. Packs it and the
Python client into assets/.`,
    {},
  );
  await writeClient();
  console.log("The clients are in clients/typescript/dist and assets/.");
}
