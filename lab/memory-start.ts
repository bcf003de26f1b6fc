// `npm run lab -- memory-start`: measures the memory of each process of `npm start` while it scrapes and renders pages,
// and while a slow reader reads the lines of a batch with large results. Requires Linux. Uses loopback only.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseOptions } from "../scripts/options.ts";
import { startProduct } from "../test/support/product.ts";
import { readMemory } from "./memory/processes.ts";
import { readSlowly, runLargeBatch } from "./memory/slow-reader.ts";

parseOptions(
  `npm run lab -- memory-start

Measures the memory of each process of npm start, in MB. Environment variables:
  MEMORY_SCRAPES    the number of plain scrapes (default 1000)
  MEMORY_RENDERS    the number of renders (default 100)
  MEMORY_LINES      the number of large results that are read as lines (default 1000)`,
  {},
);

const SCRAPES = Number(process.env.MEMORY_SCRAPES ?? 1000);
const RENDERS = Number(process.env.MEMORY_RENDERS ?? 100);
const LINES = Number(process.env.MEMORY_LINES ?? 1000);
/** The time for which the reader pauses after the first part of the lines. */
const STALL_MS = 10_000;
/** The figures are read after each of these parts of the requests. */
const PARTS = 4;
const IN_PARALLEL = 4;

const page = readFileSync(join(import.meta.dirname, "bench", "article.html"));
const site = createServer((_, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(page);
}).listen(0, "127.0.0.1");
await once(site, "listening");
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
const folder = mkdtempSync(join(tmpdir(), "extraction-memory-"));
const service = await startProduct({
  state: join(folder, "state"),
  temporary: folder,
  allowedHosts: host,
  env: { LOCAL_RATE_PER_MINUTE: "1000000" },
});
try {
  const { base, live: key, test: testKey } = service;
  const rows: Record<string, Record<string, number>> = { "after the start": measure() };
  for (const { name, count, rendered } of [
    { name: "scrapes", count: SCRAPES, rendered: false },
    { name: "renders", count: RENDERS, rendered: true },
  ]) {
    for (let part = 1; part <= PARTS; part++) {
      await request(base, key, { count: Math.ceil(count / PARTS), rendered });
      rows[`${Math.ceil((count * part) / PARTS)} ${name}`] = measure();
    }
  }
  if (LINES > 0) {
    const id = await runLargeBatch({ base, key: testKey }, LINES);
    rows[`a batch with ${LINES} large results`] = measure();
    const part = Math.ceil(LINES / PARTS);
    const { lines, bytes } = await readSlowly({ base, key: testKey }, id, async (line) => {
      if (line % part === 0 || line === LINES) rows[`${line} lines`] = measure();
      if (line !== part) return;
      await sleep(STALL_MS);
      rows[`${line} lines, after ${STALL_MS / 1_000} s without reading`] = measure();
    });
    if (lines !== LINES) throw new Error(`The response had ${lines} lines instead of ${LINES}.`);
    console.log(`The lines had ${Math.round(bytes / 1_000_000)} MB.`);
  }
  console.log("The memory of the processes (PSS in MB). Memory that processes share is divided between them.");
  console.table(rows);
} finally {
  await service.stop();
  site.close();
  rmSync(folder, { recursive: true, force: true });
}

function measure(): Record<string, number> {
  return readMemory(service.pid);
}

async function request(base: string, key: string, { count, rendered }: { count: number; rendered: boolean }) {
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      const response = await fetch(`${base}/v1/scrape?wait=true`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ url: `http://${host}/${left}`, js_render: rendered }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(text);
    }
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, work));
}
