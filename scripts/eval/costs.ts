import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundle } from "../bundle.ts";
import { median } from "../figures.ts";
import { type Conversion, convertByPeer, cpuMs } from "./conversions.ts";
import type { Page } from "./fixtures.ts";

const WARM_UP_PAGES = 37;
const KIB = 1024;

/** Returns the medians of the CPU time (ms) per page: the service's, and that of Readability, linkedom and turndown. */
export function measureCpu({ decodeHtml, convertHtml }: Conversion, pages: Page[]): { ours: number; peer: number } {
  const ours: number[] = [];
  const peer: number[] = [];
  for (const [index, { bytes, contentType, url }] of [...pages.slice(0, WARM_UP_PAGES), ...pages].entries()) {
    const html = decodeHtml(bytes, contentType);
    const options = { url, markdown: true, text: false, onlyMainContent: true };
    const times = [cpuMs(() => convertHtml(html, options)), cpuMs(() => convertByPeer(html))] as const;
    if (index < WARM_UP_PAGES) continue;
    ours.push(times[0]);
    peer.push(times[1]);
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
