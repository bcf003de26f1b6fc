import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "../../scripts/bundle.ts";
import { median } from "../figures.ts";
import { type Conversion, convertByPeer, cpuMs } from "./conversions.ts";
import type { Page } from "./fixtures.ts";

const RUNS = 7;
const KIB = 1024;

/**
 * Returns the medians of the CPU time (ms) per page: the service's, and that of Readability, linkedom and turndown. The
 * best of seven runs counts for each page, because the time of a single run varies by a third.
 */
export function measureCpu({ decodeHtml, convertHtml }: Conversion, pages: Page[]): { ours: number; peer: number } {
  const ours = pages.map(() => Number.POSITIVE_INFINITY);
  const peer = [...ours];
  for (let run = 0; run < RUNS; run++)
    for (const [at, { bytes, contentType, url }] of pages.entries()) {
      const html = decodeHtml(bytes, contentType);
      const options = { url, markdown: true, text: false, onlyMainContent: true };
      ours[at] = Math.min(
        ours[at] ?? 0,
        cpuMs(() => convertHtml(html, options)),
      );
      peer[at] = Math.min(
        peer[at] ?? 0,
        cpuMs(() => convertByPeer(html)),
      );
    }
  return { ours: median(ours), peer: median(peer) };
}

/** Bundles the Worker as for a deployment. Returns the sizes (KiB) of the bundle and of its gzip encoding. */
export async function measureBundle(project: string): Promise<{ size: number; gzip: number }> {
  const outfile = join(project, ".cache/eval-worker.js");
  await bundle(join(project, "src/index.ts"), outfile);
  const code = readFileSync(outfile);
  return { size: code.byteLength / KIB, gzip: gzipSync(code).byteLength / KIB };
}
