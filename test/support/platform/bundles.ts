import { join } from "node:path";
import { bundle } from "../../../scripts/bundle.ts";
import { prepareRun } from "../prepare-run.ts";

/** Returns the paths of the bundled stand-ins in the folder of this run. */
export function bundlePaths(): { edge: string; browsers: string } {
  const folder = process.env.TMPDIR ?? "";
  return { edge: join(folder, "edge.mjs"), browsers: join(folder, "browser-service.mjs") };
}

/** Bundles the stand-ins for Cloudflare's `fetch` and browser service, before the runtime starts. */
export async function setup(): Promise<void> {
  await prepareRun();
  const { edge, browsers } = bundlePaths();
  await bundle(join(import.meta.dirname, "edge-worker.ts"), edge);
  await bundle(join(import.meta.dirname, "browser-service.ts"), browsers);
}
