import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Miniflare, V4WorkerOptions } from "miniflare";
import { setUpBrowser } from "../browser.ts";
import { bundle } from "../bundle.ts";
import { EGRESS_WORKER, egressWorkerOptions } from "../egress/network.ts";
import { loadPolicy } from "../egress/policy.ts";
import { serveSocksProxy } from "../egress/socks-proxy.ts";
import { type Database, productOptions, setUpService, startRuntime } from "../local-runtime.ts";
import { type LocalSecrets, newSecret } from "../local-state.ts";
import { endBrowsers } from "../processes.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const CREDITS = 1_000_000;
const TRIVIAL = "<!doctype html><title>Harbour</title><h1>Harbour</h1><p>The harbour is open from six to nine.</p>";
const secrets: LocalSecrets = {
  live: newSecret("live"),
  test: newSecret("test"),
  signing: "bench",
  encryption: "bench",
};

/** A Worker in the local runtime, without wrangler's proxy and log. */
export interface Running {
  post: (path: string, body: Record<string, unknown>, status: number) => Promise<string>;
  get: (path: string) => Promise<string>;
  database: () => Promise<Database>;
  stop: () => Promise<void>;
}

export interface World {
  /** The page that is scraped, on a loopback site. */
  target: string;
  /** A page of a few words. */
  trivial: string;
  article: Buffer;
  /** The built Worker; unless it consumes its queues, asynchronous jobs stay where they are. */
  startOurs: (options?: { consumes?: boolean }) => Promise<Running>;
  /** The platform's own calls, with nothing around them. */
  startBare: (options?: { consumes?: boolean }) => Promise<Running>;
  close: () => Promise<void>;
}

export async function openWorld(): Promise<World> {
  const temporary = mkdtempSync(join(tmpdir(), "extraction-bench-"));
  process.env.TMPDIR = temporary;
  Object.assign(process.env, (await setUpBrowser()).env);
  const article = readFileSync(join(import.meta.dirname, "article.html"));
  const site = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(url === "/trivial" ? TRIVIAL : article);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  const target = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

  async function start(
    entry: string,
    name: string,
    options: Partial<V4WorkerOptions>,
    beside: V4WorkerOptions[] = [],
  ): Promise<Running> {
    const outfile = join(temporary, `${name}.mjs`);
    await bundle(join(PROJECT, entry), outfile);
    return await toRunning(startRuntime(outfile, { ...options, name }, { beside }), name);
  }

  /** The ways out that `npm start` gives the service: the egress Worker, and the proxy under the browser. */
  async function waysOut(allowed: string) {
    const script = join(temporary, "egress.mjs");
    await bundle(join(PROJECT, "scripts", "egress", "worker.ts"), script);
    const { url } = await serveSocksProxy({ policy: (await loadPolicy(temporary))(allowed, []) });
    return {
      proxy: url,
      egress: egressWorkerOptions(readFileSync(script, "utf8"), { ALLOWED_PRIVATE_HOSTS: allowed }),
    };
  }

  return {
    target,
    trivial: `${target}trivial`,
    article,
    startOurs: async ({ consumes = true } = {}) => {
      const allowed = new URL(target).host;
      const { proxy, egress } = await waysOut(allowed);
      const options = productOptions({
        ALLOWED_PRIVATE_HOSTS: allowed,
        BROWSER_PROXY: proxy,
        SIGNING_SECRET: secrets.signing,
        ENCRYPTION_KEY: secrets.encryption,
      });
      const way = { outboundService: EGRESS_WORKER, ...(consumes ? {} : { queueConsumers: {} }) };
      return await start("src/index.ts", "ours", { ...options, ...way }, [egress]);
    },
    startBare: ({ consumes = false } = {}) =>
      start("scripts/bench/bare-worker.ts", "bare", {
        compatibilityDate: "2026-10-01",
        compatibilityFlags: ["nodejs_compat"],
        durableObjects: {
          HOLDER: { className: "BrowserHolder", useSQLite: true },
          COUNTER: { className: "Counter", useSQLite: true },
        },
        d1Databases: { DB: "bare" },
        queueProducers: { QUEUE: "bare" },
        queueConsumers: consumes ? { bare: { maxBatchSize: 4, maxBatchTimeout: 0 } } : {},
        browserRendering: { binding: "BROWSER" },
      }),
    close: async () => {
      await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
      site.close();
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function toRunning(miniflare: Miniflare, name: string): Promise<Running> {
  const origin = await miniflare.ready;
  const database = () => miniflare.getD1Database("DB", name);
  await setUpService(miniflare, name, { secrets, credits: CREDITS });
  const headers = {
    authorization: `Bearer ${secrets.live}`,
    "content-type": "application/json",
    // The runtime in front of the Worker would compress JSON, which the platform does outside of it, and not the floor's bytes.
    "accept-encoding": "identity",
  };
  async function ask(path: string, status: number, init: RequestInit = {}): Promise<string> {
    const response = await fetch(new URL(path, origin), { ...init, headers });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path} answered ${response.status}: ${text}`);
    return text;
  }
  return {
    post: (path, body, status) => ask(path, status, { method: "POST", body: JSON.stringify(body) }),
    get: (path) => ask(path, 200),
    database,
    stop: () => miniflare.dispose(),
  };
}
