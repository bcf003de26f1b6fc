import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Log, LogLevel, type Miniflare, MiniflareCoreError } from "miniflare";
import { bundle } from "../bundle.ts";
import { productOptions, setUpService, startRuntime } from "../local-runtime.ts";
import { type LocalSecrets, newSecret } from "../local-state.ts";
import { makePage, type Shape } from "./pages.ts";

const PROJECT = resolve(import.meta.dirname, "../..");
const MB = 1024 * 1024;
const STEP_MB = 8;
const LEAST_MB = 24;
const SAMPLE_MS = 5;
const PATIENCE_MS = 120_000;
const FORMATS = ["html", "markdown", "text", "metadata", "links"];

export interface Case {
  shape: Shape;
  /** Of the page, in MB. */
  size: number;
  /** Scrapes at once. */
  count: number;
}

/** In MB: the smallest heap in which all of them succeed, and the most that was seen in buffers beside it. */
export interface Need {
  heap: number;
  buffers: number;
}

export interface Scales {
  /** Null: more than `mostMb` of heap. */
  weigh: (each: Case, mostMb: number) => Promise<Need | null>;
  close: () => void;
}

/** The built Worker in the local runtime, its heap bounded by V8's own limit; and a site with the page. */
export async function openScales(): Promise<Scales> {
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
    weigh: async ({ shape, size, count }, mostMb) => {
      page = makePage(shape, size * MB);
      let least: Need | null = null;
      let low = LEAST_MB / STEP_MB;
      let high = mostMb / STEP_MB;
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

/** The most bytes (MB) in buffers; null when the heap was too small. */
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

/** As a heap that is too small makes it: under a request, or before it could start. */
function hasDied(error: unknown): boolean {
  if (error instanceof MiniflareCoreError) return error.code === "ERR_RUNTIME_FAILURE";
  return error instanceof TypeError;
}

/** Asks V8 again and again, whenever no code runs: what is gone by then isn't seen. */
async function watchBuffers(miniflare: Miniflare): Promise<{ most: () => number }> {
  const socket = new WebSocket(new URL("/core:user:ours", await miniflare.getInspectorURL()));
  await new Promise((opened, failed) => {
    socket.addEventListener("open", opened);
    socket.addEventListener("error", () => failed(new TypeError("The runtime ended before it could be watched.")));
  });
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

async function scrape(url: URL, origin: string): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.live}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `${origin}/page`, formats: FORMATS }),
    signal: AbortSignal.timeout(PATIENCE_MS),
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
