import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

/** Bundles a module with this source text, as if it were in the project's folder, and returns its exports. */
export async function loadSource<Exports>(project: string, contents: string): Promise<Exports> {
  const outfile = join(project, ".cache", `eval-${process.pid}.mjs`);
  await build({
    stdin: { contents, resolveDir: project },
    bundle: true,
    format: "esm",
    platform: "node",
    loader: { ".sql": "text" },
    // Only the local runtime has this module.
    alias: { "cloudflare:sockets": "node:net" },
    logLevel: "error",
    outfile,
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}
