// Builds the package of the TypeScript client into dist/client, or the folder that it is given: one module without
// dependencies, and declarations that stand alone.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { writeDeclarations } from "./client/declarations.ts";

const root = resolve(import.meta.dirname, "..");
const out = resolve(process.argv[2] ?? join(root, "dist/client"));

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
  const strange = Object.keys(metafile.inputs).filter((input) => !input.startsWith("src/client/"));
  if (strange.length > 0) throw new Error(`The client would bring along ${strange.join(", ")}.`);
}

/** The same name and entry as within the project. */
function writePackage(): void {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const manifest = {
    name,
    version,
    description: "The client of the web data extraction service.",
    license,
    type: "module",
    engines,
    sideEffects: false,
    exports: { "./client": { types: "./index.d.ts", default: "./index.js" } },
    files: ["*.js", "*.d.ts"],
  };
  writeFileSync(join(out, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}
