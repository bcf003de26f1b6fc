import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";

const PROJECT = resolve(import.meta.dirname, "../..");
const CLASSES = [...readFileSync(join(PROJECT, "wrangler.toml"), "utf8").matchAll(/^class_name = "(\w+)"$/gm)].map(
  ([, name]) => name ?? "",
);

/** Returns the Workers in scripts, lab and tests that replace the service's entry. */
async function findEntries(): Promise<string[]> {
  const files = await Array.fromAsync(glob("{scripts,lab,test}/**/*.ts", { cwd: PROJECT, exclude: ["**/*.test.ts"] }));
  return files.filter((file) => {
    const text = readFileSync(join(PROJECT, file), "utf8");
    return /^import worker\b.* from ".*\/src\/index"/m.test(text);
  });
}

it("every Worker that replaces the entry of the service exports the classes of all Durable Objects", async () => {
  const entries = await findEntries();
  expect(entries).toContain("lab/bench/distant-worker.ts");
  expect(CLASSES).toContain("Account");
  for (const entry of ["src/index.ts", ...entries]) {
    const { metafile } = await build({
      entryPoints: [join(PROJECT, entry)],
      outfile: "worker.mjs",
      bundle: true,
      format: "esm",
      packages: "external",
      external: ["cloudflare:*", "node:*", "*.generated.mjs"],
      loader: { ".sql": "text" },
      write: false,
      metafile: true,
      logLevel: "error",
    });
    const [output] = Object.values(metafile.outputs);
    expect(output?.exports, entry).toEqual(expect.arrayContaining(CLASSES));
  }
});
