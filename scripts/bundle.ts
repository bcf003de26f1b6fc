import { pathToFileURL } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { writePageScripts } from "./page-scripts.ts";
import { writePdfjs } from "./pdfjs.ts";

/**
 * Bundles a Worker as wrangler does for a deployment, with the same import conditions. `excludeLazy` excludes modules
 * that are loaded with `import()`. Returns esbuild's metafile.
 */
export async function bundle(
  entry: string,
  outfile: string,
  { excludeLazy = false, minify = true } = {},
): Promise<Metafile> {
  await Promise.all([writePdfjs(), writePageScripts()]);
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    loader: { ".sql": "text" },
    keepNames: true,
    minify,
    metafile: true,
    logLevel: "error",
    plugins: excludeLazy ? [excludeDynamicImports] : [],
  });
  return metafile;
}

/** Bundles a module of the service for Node, because Node can't resolve imports without file extensions. */
export async function bundleForNode(entry: string, outfile: string): Promise<void> {
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
}

/** Bundles a module of the service for Node and imports the bundle. */
export async function importBundled<Exports>(entry: string, outfile: string): Promise<Exports> {
  await bundleForNode(entry, outfile);
  return await import(pathToFileURL(outfile).href);
}

/** Excludes modules that are loaded with `import()`. The bundle then has only the code that runs at startup. */
const excludeDynamicImports: Plugin = {
  name: "exclude-dynamic-imports",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : null));
  },
};

/** Returns the modules that startup evaluates: all modules that the entry imports without `import()`. */
export function evaluatedAtStart({ inputs, outputs }: Metafile): Set<string> {
  const reached = new Set<string>();
  const pending = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { path: next, kind, external } of inputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import" && !external) pending.push(next);
    }
  }
  return reached;
}
