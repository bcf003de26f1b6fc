import { openScales } from "../memory/least-heap.ts";
import type { Figure } from "./figures.ts";

const MOST_MB = 256;
const [SMALL_MB, LARGE_MB] = [1, 9];

/**
 * The heap and buffers of a synchronous scrape into all formats, for each MB of an article; `npm run memory` looks
 * closer.
 */
export async function memory(): Promise<Figure[]> {
  const scales = await openScales();
  try {
    const needs: number[] = [];
    for (const size of [SMALL_MB, LARGE_MB]) {
      const need = await scales.weigh({ shape: "article", size, count: 1 }, MOST_MB);
      needs.push(need === null ? Number.NaN : need.heap + need.buffers);
    }
    const [small = Number.NaN, large = Number.NaN] = needs;
    return [
      {
        what: "memory of a scrape, for each MB of the page",
        unit: "MB",
        ours: (large - small) / (LARGE_MB - SMALL_MB),
        floor: null,
        more: { [`page of ${SMALL_MB} MB`]: small, [`page of ${LARGE_MB} MB`]: large },
      },
    ];
  } finally {
    scales.close();
  }
}
