// Builds the package of the TypeScript client into dist/client, or the folder that it is given: one module without
// dependencies, and declarations that stand alone.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "src/client");
const out = resolve(process.argv[2] ?? join(root, "dist/client"));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await writeModule();
mkdirSync(join(root, ".cache"), { recursive: true });
// Within the project: what the declarations are made from is found in its packages.
const work = mkdtempSync(join(root, ".cache/client-"));
try {
  writeDeclarations();
} finally {
  rmSync(work, { recursive: true });
}
writePackage();
console.log(`The client is in ${relative(process.cwd(), out)}.`);

async function writeModule(): Promise<void> {
  const { metafile } = await build({
    entryPoints: [join(source, "index.ts")],
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

function writeDeclarations(): void {
  const wire = readFileSync(join(source, "wire.ts"), "utf8");
  const names = [...wire.matchAll(/^export type (\w+) =/gm)].map(([, name = ""]) => name);
  const values = names.map((name) => `declare const of${name}: wire.${name};\nexport const ${name} = of${name};\n`);
  writeFileSync(join(work, "values.ts"), `import type * as wire from "../../src/client/wire";\n${values.join("")}`);
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({
      extends: "../../src/client/tsconfig.json",
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        noErrorTruncation: true,
        rootDir: root,
        outDir: "out",
      },
      include: ["values.ts", "../../src/client"],
    }),
  );
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", work], { stdio: "inherit" });

  const emitted = join(work, "out/src/client");
  for (const file of readdirSync(emitted)) {
    const text = readFileSync(join(emitted, file), "utf8");
    writeFileSync(join(out, file), text.replace(/(from|import\() ?"(\.\/[\w-]+)"/g, '$1 "$2.js"'));
  }
  const expanded = readFileSync(join(work, "out", relative(root, work), "values.d.ts"), "utf8");
  writeFileSync(join(out, "wire.d.ts"), toStandalone(wire, expanded));
}

/**
 * The types of wire.ts written out, so that nobody needs the schemas that they are inferred from: the type of a value is
 * declared member by member.
 */
function toStandalone(wire: string, expanded: string): string {
  const types = new Map(
    expanded.split(/^export declare const /m).flatMap((part) => {
      const [, name, type] = /^(\w+): ([\s\S]+);\s*(?:export \{\};\s*)?$/.exec(part) ?? [];
      return name === undefined || type === undefined ? [] : [[name, type] as const];
    }),
  );
  const pieces = wire.slice(wire.indexOf("\nexport ")).split(/^(?=export type |\/\*\*)/m);
  const standalone = pieces
    .map((piece) => {
      const name = /^export type (\w+) =/.exec(piece)?.[1];
      if (name === undefined) return piece;
      const type = types.get(name);
      if (type === undefined) throw new Error(`The type ${name} could not be written out.`);
      return `export type ${name} = ${type};\n`;
    })
    .join("");
  if (/\bimport\(|\bwire\.|\bz\./.test(standalone)) throw new Error("The declarations lean on something outside.");
  return standalone;
}

/** The same name and entry as within the project. */
function writePackage(): void {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entry = { types: "./index.d.ts", default: "./index.js" };
  const description = "The client of the web data extraction service.";
  const manifest = { name, version, description, license, type: "module", engines, sideEffects: false };
  const files = ["*.js", "*.d.ts"];
  writeFileSync(
    join(out, "package.json"),
    `${JSON.stringify({ ...manifest, exports: { "./client": entry }, files }, null, 2)}\n`,
  );
}
