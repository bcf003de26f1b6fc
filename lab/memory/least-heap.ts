import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Log, LogLevel, type Miniflare, MiniflareCoreError } from "miniflare";
import { bundle } from "../../scripts/bundle.ts";
import { startRuntime } from "../../scripts/local-runtime.ts";
import { type LocalSecrets, newSecret } from "../../scripts/local-state.ts";
import { productOptions, setUpService } from "../../scripts/product.ts";
import { makePage, type Shape } from "./pages.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const MB = 1024 * 1024;
const STEP_MB = 8;
const MIN_MB = 24;
const SAMPLE_MS = 5;
const TIMEOUT_MS = 120_000;
const FORMATS = ["html", "markdown", "text", "metadata", "links"];

export interface Case {
  shape: Shape;
  /** The page's size in MB. */
  size: number;
  /** The number of parallel scrapes. */
  count: number;
}

/** The memory that a case needs, in MB. */
export interface MemoryNeed {
  /** The smallest heap limit at which all scrapes succeed. */
  heap: number;
  /** The largest observed size of the buffers outside of the heap. */
  buffers: number;
}

export interface MemoryMeter {
  /** Returns null if the scrapes need more than `maxMb` of heap. */
  measure: (each: Case, maxMb: number) => Promise<MemoryNeed | null>;
  close: () => void;
}

/** Builds the Worker and starts a site that serves the pages. */
export async function openMemoryMeter(): Promise<MemoryMeter> {
  const temporary = mkdtempSync(join(tmpdir(), "extraction-memory-"));
  let page: Uint8Array = new Uint8Array();
  const site = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(page);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const worker = join(temporary, "worker.mjs");
  await bundle(join(PROJECT, "src", "index.ts"), worker);
  return {
    measure: async ({ shape, size, count }, maxMb) => {
      page = makePage(shape, size * MB);
      let least: MemoryNeed | null = null;
      let low = MIN_MB / STEP_MB;
      let high = maxMb / STEP_MB;
      while (low <= high) {
        const middle = Math.floor((low + high) / 2);
        const buffers = await attempt({ worker, origin, count, heapMb: middle * STEP_MB });
        if (buffers === null) low = middle + 1;
        else {
          least = { heap: middle * STEP_MB, buffers };
          high = middle - 1;
        }
      }
      return least;
    },
    close: () => {
      site.close();
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

interface Attempt {
  worker: string;
  origin: string;
  count: number;
  heapMb: number;
}

const secrets: LocalSecrets = { live: newSecret("live"), test: newSecret("test"), signing: "m", encryption: "m" };

/**
 * Runs the scrapes with this heap limit. Returns the largest size (MB) of the buffers, or null if the heap was too
 * small.
 */
async function attempt({ worker, origin, count, heapMb }: Attempt): Promise<number | null> {
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-heap-size=${heapMb}`;
  const miniflare = create(worker, origin);
  try {
    await setUp(miniflare);
    const buffers = await watchBuffers(miniflare);
    const url = new URL("/v1/scrape?wait=true", await miniflare.ready);
    await Promise.all(Array.from({ length: count }, () => scrape(url, origin)));
    return buffers.most();
  } catch (error) {
    if (hasDied(error)) return null;
    throw error;
  } finally {
    delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
    await miniflare.dispose().catch(() => {});
  }
}

/** Returns true if the runtime ended because its heap was too small, either during a request or at startup. */
function hasDied(error: unknown): boolean {
  if (error instanceof MiniflareCoreError) return error.code === "ERR_RUNTIME_FAILURE";
  return error instanceof TypeError;
}

/**
 * Polls the size of V8's buffers. V8 responds only while no code runs, so buffers that exist only during a run of code
 * aren't counted.
 */
async function watchBuffers(miniflare: Miniflare): Promise<{ most: () => number }> {
  const socket = new WebSocket(new URL("/core:user:ours", await miniflare.getInspectorURL()));
  await new Promise((opened, failed) => {
    socket.addEventListener("open", opened);
    socket.addEventListener("error", () =>
      failed(new TypeError("The runtime ended before the inspector could connect.")),
    );
  });
  let most = 0;
  let lastId = 0;
  const poll = () => socket.send(JSON.stringify({ id: ++lastId, method: "Runtime.getHeapUsage" }));
  socket.addEventListener("message", ({ data }) => {
    most = Math.max(most, JSON.parse(String(data)).result?.backingStorageSize ?? 0);
    setTimeout(poll, SAMPLE_MS);
  });
  poll();
  return { most: () => most / MB };
}

async function scrape(url: URL, origin: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.live}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `${origin}/page`, formats: FORMATS }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) throw new Error(await response.text());
  for await (const _ of response.body ?? []);
}

function create(worker: string, origin: string): Miniflare {
  const options = productOptions({
    ALLOWED_PRIVATE_HOSTS: new URL(origin).host,
    MAX_PAGE_BYTES: String(64 * MB),
    SIGNING_SECRET: secrets.signing,
    ENCRYPTION_KEY: secrets.encryption,
  });
  return startRuntime(worker, { ...options, name: "ours" }, { log: new Log(LogLevel.NONE), inspectorPort: 0 });
}

async function setUp(miniflare: Miniflare): Promise<void> {
  await setUpService(miniflare, "ours", { secrets, credits: 1_000 });
}
