import { convertByPeer, cpuMs, loadConversion } from "../eval/conversions.ts";
import { fixturesFolder, readPages } from "../eval/fixtures.ts";
import { median } from "../figures.ts";
import type { Figure } from "./figures.ts";
import { PROJECT } from "./world.ts";

const WARM_UP_PAGES = 37;
const BYTES_PER_MB = 1024 * 1024;

/**
 * Measures the CPU time of converting the articles of the extraction fixtures. The floor is Readability with linkedom
 * and turndown. Returns no figures if there are no fixtures.
 */
export async function conversion(): Promise<Figure[]> {
  const folder = fixturesFolder(PROJECT);
  if (folder === null) {
    console.error("conversion: skipped, because there are no fixtures. Set FIXTURES to their folder.");
    return [];
  }
  const { decodeHtml, convertHtml } = await loadConversion(PROJECT);
  const pages = readPages(folder, "articles");
  const ours: number[] = [];
  const peer: number[] = [];
  let bytesRead = 0;
  for (const [index, { bytes, contentType, url }] of [...pages.slice(0, WARM_UP_PAGES), ...pages].entries()) {
    const options = { url, markdown: true, text: false, onlyMainContent: true };
    const own = cpuMs(() => convertHtml(decodeHtml(bytes, contentType), options));
    const theirs = cpuMs(() => convertByPeer(decodeHtml(bytes, contentType)));
    if (index < WARM_UP_PAGES) continue;
    ours.push(own);
    peer.push(theirs);
    bytesRead += bytes.byteLength;
  }
  const perMb = (times: number[]) => times.reduce((sum, ms) => sum + ms, 0) / (bytesRead / BYTES_PER_MB);
  return [
    {
      what: "conversion, CPU per page",
      unit: "ms",
      ours: median(ours),
      floor: median(peer),
      more: { pages: ours.length },
    },
    { what: "conversion, CPU per MB", unit: "ms", ours: perMb(ours), floor: perMb(peer) },
  ];
}
