// `npm run lab -- memory`: measures the memory that scrapes of large pages need. Runs the built Worker in the local
// runtime with a limit for V8's heap. Searches for the smallest limit that lets all scrapes succeed. V8's reported heap
// size isn't suitable, because it includes garbage that V8 hasn't collected yet. Uses loopback only.

import { parseOptions } from "../scripts/options.ts";
import { openMemoryMeter } from "./memory/least-heap.ts";
import { SHAPES, type Shape } from "./memory/pages.ts";

parseOptions(
  `npm run lab -- memory

Measures how much memory large pages need. Environment variables:
  MEMORY_MOST_MB    the largest memory to try (default 128)
  MEMORY_SIZES      the sizes of the pages in MB (default 1,2,5,10)
  MEMORY_COUNTS     the numbers of parallel scrapes (default 1,8)
  MEMORY_SHAPES     the kinds of pages (default: all)`,
  {},
);

const MAX_MB = Number(process.env.MEMORY_MOST_MB ?? 128);
const sizes = (process.env.MEMORY_SIZES ?? "1,2,5,10").split(",").map(Number);
const counts = (process.env.MEMORY_COUNTS ?? "1,8").split(",").map(Number);
const shapes = (process.env.MEMORY_SHAPES?.split(",") ?? Object.keys(SHAPES)) as Shape[];

const meter = await openMemoryMeter();
try {
  const rows = [];
  for (const shape of shapes) {
    for (const size of sizes) {
      const row: Record<string, string | number> = { shape, "page MB": size };
      for (const count of counts) {
        const need = await meter.measure({ shape, size, count }, MAX_MB);
        const figure = need === null ? `> ${MAX_MB}` : `${need.heap} + ${Math.ceil(need.buffers)}`;
        row[count === 1 ? "1 scrape, heap + buffers MB" : `${count} in parallel, heap + buffers MB`] = figure;
        console.error(JSON.stringify(row));
      }
      rows.push(row);
    }
  }
  console.table(rows);
} finally {
  meter.close();
}
process.exit(0);
