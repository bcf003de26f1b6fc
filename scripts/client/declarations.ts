import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { annotate, type Notes, readNotes } from "./notes.ts";

/**
 * Writes the client's declarations. They don't import the contract or zod, so the package has no dependencies. Writes
 * temporary files to `work`, a folder in .cache/ of the project.
 */
export async function writeDeclarations(root: string, work: string, out: string): Promise<void> {
  const wire = readFileSync(join(root, "clients/typescript/src/wire.ts"), "utf8");
  const [expanded, notes] = await Promise.all([emit(wire, { root, work, out }), readNotes(wire, work)]);
  writeFileSync(join(out, "wire.d.ts"), toStandalone(wire, expanded, notes));
}

/**
 * Writes all declarations to `out`. Returns declarations of wire.ts with expanded types. `toStandalone` needs the
 * expanded types.
 */
async function emit(wire: string, { root, work, out }: { root: string; work: string; out: string }): Promise<string> {
  // The compiler copies an exported type alias unchanged, but expands the type of an exported value into its members.
  // Therefore, this function writes a module with one value for each exported type of wire.ts.
  const names = [...wire.matchAll(/^export type (\w+) =/gm)].map(([, name = ""]) => name);
  const values = names.map((name) => `declare const of${name}: wire.${name};\nexport const ${name} = of${name};\n`);
  writeFileSync(
    join(work, "values.ts"),
    `import type * as wire from "../../clients/typescript/src/wire";\n${values.join("")}`,
  );
  const compilerOptions = {
    noEmit: false,
    // `npm run check` checks the types.
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    noErrorTruncation: true,
    rootDir: root,
    outDir: "out",
  };
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({
      extends: "../../clients/typescript/tsconfig.json",
      compilerOptions,
      include: ["values.ts", "../../clients/typescript/src"],
    }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  // Several threads would each infer the same types, and the order of unions would change between builds.
  const compiler = spawn(process.execPath, [tsc, "-p", work, "--singleThreaded"], { stdio: "inherit" });
  const [code] = await once(compiler, "exit");
  if (code !== 0) throw new Error("The client's declarations could not be written.");

  const emitted = join(work, "out/clients/typescript/src");
  for (const file of readdirSync(emitted)) {
    const text = readFileSync(join(emitted, file), "utf8");
    // Adds the extension `.js`, because Node requires file extensions in import specifiers.
    writeFileSync(join(out, file), text.replace(/(from|import\() ?"(\.\/[\w-]+)"/g, '$1 "$2.js"'));
  }
  return readFileSync(join(work, "out", relative(root, work), "values.d.ts"), "utf8");
}

/** Returns the text of wire.ts with each inferred type replaced by its expanded type. */
function toStandalone(wire: string, expanded: string, notes: Notes): string {
  const types = new Map(
    expanded.split(/^export declare const /m).flatMap((part) => {
      const [, name, type] = /^(\w+): ([\s\S]+);\s*(?:export \{\};\s*)?$/.exec(part) ?? [];
      return name === undefined || type === undefined ? [] : [[name, type] as const];
    }),
  );
  const pieces = wire.slice(wire.indexOf("\nexport ") + 1).split(/^(?=export type |\/\*\*)/m);
  const standalone = pieces.map((piece) => {
    const name = /^export type (\w+) =/.exec(piece)?.[1];
    if (name === undefined) return piece;
    const type = types.get(name);
    if (type === undefined) throw new Error(`The compiler's output has no declaration for the type ${name}.`);
    if (/\bimport\(|\bwire\.|\bz\./.test(type))
      throw new Error(`The expanded type ${name} must not refer to other modules: ${type}`);
    return `export type ${name} = ${annotate(type, notes.get(name))};\n`;
  });
  return standalone.join("");
}
