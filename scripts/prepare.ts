// Prepares `npm start`: builds the Workers and reads the configuration. `npm start` runs this script in another process,
// because esbuild and wrangler would keep 500 MB of memory until the service stops.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeAssets } from "./assets.ts";
import { writeClient } from "./build-client.ts";
import { bundle } from "./bundle.ts";
import { bundlePolicy } from "./egress/policy.ts";
import type { SchemaVersion } from "./local-runtime.ts";
import type { ProductOptions } from "./product.ts";

const PROJECT = resolve(import.meta.dirname, "..");

/** The files that the script writes to its folder. */
const FILES = { worker: "worker.mjs", egress: "egress.mjs", policy: "policy.mjs", configuration: "configuration.json" };

interface Configuration {
  /** The Miniflare options from wrangler.toml. */
  options: ProductOptions;
  schema: SchemaVersion[];
}

export interface Prepared extends Configuration {
  /** The paths of the bundles: the service, the egress Worker, and the egress policy for the filtering proxies. */
  worker: string;
  egress: string;
  policy: string;
}

/** Runs this script in another process, which writes its files to `folder`. Throws if the script fails. */
export async function prepare(folder: string): Promise<Prepared> {
  const child = spawn(process.execPath, [import.meta.filename, folder], {
    // WRANGLER_LOG suppresses wrangler's warnings about missing secrets.
    env: { ...process.env, WRANGLER_LOG: "error" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  const [code, signal] = await once(child, "exit");
  process.off("exit", kill);
  if (code !== 0) throw new Error(`The service could not be built (${code ?? signal}).`);
  const paths = toPaths(folder);
  return { ...paths, ...(JSON.parse(readFileSync(paths.configuration, "utf8")) as Configuration) };
}

function toPaths(folder: string): typeof FILES {
  const paths = Object.entries(FILES).map(([name, file]) => [name, join(folder, file)]);
  return Object.fromEntries(paths);
}

if (import.meta.main) {
  const { worker, egress, policy, configuration } = toPaths(process.argv[2] ?? "");
  writeAssets();
  await Promise.all([
    bundle(join(PROJECT, "src", "index.ts"), worker, { minify: false }),
    bundle(join(import.meta.dirname, "egress", "worker.ts"), egress, { minify: false }),
    bundlePolicy(policy),
    writeClient(),
  ]).catch((error: unknown) => {
    // esbuild has already printed its errors, with an excerpt of the code.
    if (error instanceof Error && "errors" in error) process.exit(1);
    throw error;
  });
  const { productOptions, readSchema } = await import("./product.ts");
  const value: Configuration = { options: productOptions({}, { withAssets: true }), schema: readSchema() };
  writeFileSync(configuration, JSON.stringify(value), { mode: 0o600 });
  process.exit(0);
}
