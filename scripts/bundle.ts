import { pathToFileURL } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";
import { writePageScripts } from "./page-scripts.ts";
import { writePdfjs } from "./pdfjs.ts";

/** Bundles a Worker as wrangler does it for a deployment: the conditions of Workers, minified unless said otherwise. */
export async function bundle(
  entry: string,
  outfile: string,
  { withoutLate = false, minify = true } = {},
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
    keepNames: true,
    minify,
    metafile: true,
    logLevel: "error",
    plugins: withoutLate ? [leaveOutLate] : [],
  });
  return metafile;
}

/** What a module of the service exports: Node doesn't resolve its imports as a bundler does. */
export async function importBundled<Exports>(entry: string, outfile: string): Promise<Exports> {
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  return await import(pathToFileURL(outfile).href);
}

/** What `import()` asks for stays outside: what is left is what a start evaluates. */
const leaveOutLate: Plugin = {
  name: "leave-out-late",
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) => (kind === "dynamic-import" ? { path, external: true } : null));
  },
};

/** The modules that are evaluated when the Worker starts: reached from its entry without any `import()`. */
export function evaluatedAtStart({ inputs, outputs }: Metafile): Set<string> {
  const reached = new Set<string>();
  const toLookAt = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  for (let path = toLookAt.pop(); path !== undefined; path = toLookAt.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { path: next, kind, external } of inputs[path]?.imports ?? []) {
      if (kind !== "dynamic-import" && !external) toLookAt.push(next);
    }
  }
  return reached;
}
