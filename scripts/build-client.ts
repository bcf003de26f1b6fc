// Builds the package of the TypeScript client into dist/client, or into the folder given as the first argument. The
// package has one module and one declaration file, both without dependencies.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { writeDeclarations } from "./client/declarations.ts";
import { parseOptions } from "./options.ts";

const { positionals } = parseOptions(
  `node scripts/build-client.ts [DIR]

Builds the TypeScript client into DIR (default dist/client).`,
  { allowPositionals: true },
);

const root = resolve(import.meta.dirname, "..");
const out = resolve(positionals[0] ?? join(root, "dist/client"));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await writeModule();
await writeDeclarations(root, out);
writePackage();
console.log(`The client is in ${relative(process.cwd(), out)}.`);

async function writeModule(): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(root, "src/client/index.ts")],
    outfile: join(out, "index.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    metafile: true,
    absWorkingDir: root,
    logLevel: "error",
  });
  const outside = Object.keys(metafile.inputs).filter((input) => !input.startsWith("src/client/"));
  if (outside.length > 0)
    throw new Error(`The client must not bundle files outside of src/client/: ${outside.join(", ")}.`);
}

/** Writes package.json with the project's own package name and entry point, so that imports are the same in both. */
function writePackage(): void {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = {
    name,
    version,
    description: "TypeScript client for the web data extraction service.",
    license,
    type: "module",
    engines,
    sideEffects: false,
    exports: { "./client": { types: "./index.d.ts", default: "./index.js" } },
    files: ["*.js", "*.d.ts"],
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
