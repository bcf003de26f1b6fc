// `npm run memory`: how much memory scrapes of large pages need. The built Worker in the local runtime, its heap bounded by
// V8's own limit, which is lowered until it dies: what V8 says of a heap that has room counts what it hasn't collected yet.
// Loopback alone.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { bundle } from "./bundle.ts";
import { type LocalSecrets, localAccountSql, newSecret } from "./local-state.ts";
import { makePage, SHAPES, type Shape } from "./memory/pages.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const MB = 1024 * 1024;
const STEP_MB = 8;
const LEAST_MB = 24;
const SAMPLE_MS = 5;
const PATIENCE_MS = 120_000;
const MOST_MB = Number(process.env.MEMORY_MOST_MB ?? 128);
const sizes = (process.env.MEMORY_SIZES ?? "1,2,5,10").split(",").map(Number);
const counts = (process.env.MEMORY_COUNTS ?? "1,8").split(",").map(Number);
const shapes = (process.env.MEMORY_SHAPES?.split(",") ?? Object.keys(SHAPES)) as Shape[];
const FORMATS = ["html", "markdown", "text", "metadata", "links"];

const temporary = mkdtempSync(join(tmpdir(), "extraction-memory-"));
const pages = new Map<string, Buffer>();
const site = createServer((request, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(pages.get(new URL(request.url ?? "/", "http://site").pathname));
}).listen(0, "127.0.0.1");
await once(site, "listening");
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
const secrets: LocalSecrets = { live: newSecret("live"), test: newSecret("test"), signing: "m", encryption: "m" };
const worker = join(temporary, "worker.mjs");
await bundle(join(PROJECT, "src", "index.ts"), worker);

interface Case {
  shape: Shape;
  size: number;
  count: number;
}

try {
  const rows = [];
  for (const shape of shapes) {
    for (const size of sizes) {
      const row: Record<string, string | number> = { shape, "page MB": size };
      for (const count of counts) {
        row[count === 1 ? "alone" : `${count} at once`] = await measure({ shape, size, count });
        console.error(JSON.stringify(row));
      }
      rows.push(row);
    }
  }
  console.table(rows);
} finally {
  site.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}
process.exit(0);

/** The smallest heap in which all of them succeed, and the most that was seen in buffers beside it; both in MB. */
async function measure(each: Case): Promise<string> {
  pages.clear();
  pages.set("/page", makePage(each.shape, each.size * MB));
  let least: { heap: number; buffers: number } | null = null;
  let low = LEAST_MB / STEP_MB;
  let high = MOST_MB / STEP_MB;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const buffers = await attempt(each.count, middle * STEP_MB);
    if (buffers === null) low = middle + 1;
    else {
      least = { heap: middle * STEP_MB, buffers };
      high = middle - 1;
    }
  }
  return least === null ? `> ${MOST_MB}` : `${least.heap} + ${Math.ceil(least.buffers)}`;
}

/** The most bytes (MB) in buffers; null when the heap was too small. */
async function attempt(count: number, heapMb: number): Promise<number | null> {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${heapMb}`;
  const miniflare = await start();
  try {
    const buffers = await watchBuffers(miniflare);
    const url = new URL("/v1/scrape?wait=true", await miniflare.ready);
    await Promise.all(Array.from({ length: count }, () => scrape(url)));
    return buffers.most();
  } catch (error) {
    // It died, as a heap that is too small makes it.
    if (error instanceof TypeError) return null;
    throw error;
  } finally {
    await miniflare.dispose().catch(() => {});
  }
}

/** Asks V8 again and again, whenever no code runs: what is gone by then isn't seen. */
async function watchBuffers(miniflare: Miniflare): Promise<{ most: () => number }> {
  const socket = new WebSocket(new URL("/core:user:ours", await miniflare.getInspectorURL()));
  await new Promise((opened) => socket.addEventListener("open", opened));
  let most = 0;
  let asked = 0;
  const ask = () => socket.send(JSON.stringify({ id: ++asked, method: "Runtime.getHeapUsage" }));
  socket.addEventListener("message", ({ data }) => {
    most = Math.max(most, JSON.parse(String(data)).result?.backingStorageSize ?? 0);
    setTimeout(ask, SAMPLE_MS);
  });
  ask();
  return { most: () => most / MB };
}

async function scrape(url: URL): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.live}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `${origin}/page`, formats: FORMATS }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (response.status !== 200) throw new Error(await response.text());
  for await (const _ of response.body ?? []);
}

async function start(): Promise<Miniflare> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml"));
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      workers: [
        {
          ...workerOptions,
          name: "ours",
          modules: [{ type: "ESModule", path: "index.mjs", contents: readFileSync(worker, "utf8") }],
          bindings: {
            ...(workerOptions.bindings as Record<string, string>),
            ALLOWED_PRIVATE_HOSTS: new URL(origin).host,
            MAX_PAGE_BYTES: String(64 * MB),
            SIGNING_SECRET: secrets.signing,
            ENCRYPTION_KEY: secrets.encryption,
          },
        },
      ],
    }),
    log: new Log(LogLevel.NONE),
    inspectorPort: 0,
    handleStructuredLogs: () => {},
  });
  const db = await miniflare.getD1Database("DB", "ours");
  const sql = `${readFileSync(join(PROJECT, "schema.sql"), "utf8")}\n${localAccountSql({ secrets, ratePerMinute: 1_000_000, linkToken: null })}`;
  for (const statement of unstable_splitSqlQuery(sql)) await db.prepare(statement).run();
  await db
    .prepare(
      "INSERT INTO ledger (account_id, kind, balance_change, created_at) VALUES ('local', 'adjustment', 1000, 0)",
    )
    .run();
  return miniflare;
}
