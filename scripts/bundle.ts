import { build } from "esbuild";

/** Bundles a Worker as wrangler does it: the conditions of Workers, nothing minified. */
export async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    keepNames: true,
    logLevel: "error",
  });
}
