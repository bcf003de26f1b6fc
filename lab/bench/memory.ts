import { openMemoryMeter } from "../memory/least-heap.ts";
import type { Figure } from "./figures.ts";

const MAX_MB = 256;
const [SMALL_MB, LARGE_MB] = [1, 9];

/**
 * Measures the heap and buffers that a synchronous scrape needs for each MB of an article. `npm run lab -- memory` has more
 * detailed figures.
 */
export async function memory(): Promise<Figure[]> {
  const meter = await openMemoryMeter();
  try {
    const needs: number[] = [];
    for (const size of [SMALL_MB, LARGE_MB]) {
      const need = await meter.measure({ shape: "article", size, count: 1 }, MAX_MB);
      needs.push(need === null ? Number.NaN : need.heap + need.buffers);
    }
    const [small = Number.NaN, large = Number.NaN] = needs;
    return [
      {
        what: "memory of a scrape, per MB of the page",
        unit: "MB",
        ours: (large - small) / (LARGE_MB - SMALL_MB),
        floor: null,
        more: { [`page of ${SMALL_MB} MB`]: small, [`page of ${LARGE_MB} MB`]: large },
      },
    ];
  } finally {
    meter.close();
  }
}
