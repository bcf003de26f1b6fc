// `npm run memory`: how much memory scrapes of large pages need. The built Worker in the local runtime, its heap
// bounded by V8's own limit, which is lowered until it dies: what V8 says of a heap that has room counts what it hasn't
// collected yet. Loopback alone.
import { openScales } from "./memory/least-heap.ts";
import { SHAPES, type Shape } from "./memory/pages.ts";

const MOST_MB = Number(process.env.MEMORY_MOST_MB ?? 128);
const sizes = (process.env.MEMORY_SIZES ?? "1,2,5,10").split(",").map(Number);
const counts = (process.env.MEMORY_COUNTS ?? "1,8").split(",").map(Number);
const shapes = (process.env.MEMORY_SHAPES?.split(",") ?? Object.keys(SHAPES)) as Shape[];

const scales = await openScales();
try {
  const rows = [];
  for (const shape of shapes) {
    for (const size of sizes) {
      const row: Record<string, string | number> = { shape, "page MB": size };
      for (const count of counts) {
        const need = await scales.weigh({ shape, size, count }, MOST_MB);
        const figure = need === null ? `> ${MOST_MB}` : `${need.heap} + ${Math.ceil(need.buffers)}`;
        row[count === 1 ? "alone" : `${count} at once`] = figure;
        console.error(JSON.stringify(row));
      }
      rows.push(row);
    }
  }
  console.table(rows);
} finally {
  scales.close();
}
process.exit(0);
