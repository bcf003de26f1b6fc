import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Miniflare, V4WorkerOptions } from "miniflare";
import { setUpBrowser } from "../../scripts/browser.ts";
import { bundle } from "../../scripts/bundle.ts";
import { loadPolicy } from "../../scripts/egress/policy.ts";
import { serveSocksProxy } from "../../scripts/egress/socks-proxy.ts";
import { type LocalSecrets, newSecret } from "../../scripts/local-state.ts";
import { endBrowsers } from "../../scripts/processes.ts";
import { CERTIFICATE } from "../../test/support/certificate.ts";
import { listen } from "../../test/support/loopback.ts";
import { browserServiceOptions, WITH_BROWSER_SERVICE } from "../../test/support/platform/browser-service-options.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const CREDITS = 1_000_000;
/**
 * A limit above the number of jobs in the bench. A job beyond the limit would wait for a slot and send no queue
 * message.
 */
const CONCURRENT_JOBS = 1_000_000;
/** A public name of the site, which only the browsers can resolve. */
const PUBLIC_NAME = "ferries.example";
const TRIVIAL = "<!doctype html><title>Harbor</title><h1>Harbor</h1><p>The harbor is open from six to nine.</p>";
const DECLARATION = `<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Article", "headline": "The harbour ledger", "author": {"@type": "Person", "name": "Ada Berg"}, "datePublished": "2026-03-05"}
</script>`;
const APPLICATION = `<!doctype html><title>Ferries</title><main id="app">Loading</main>
${Array.from({ length: 30 }, (_, i) => `<script src="/script-${i}.js"></script>`).join("\n")}
<script>
  (async () => {
    for (let i = 0; i < 8; i++) await (await fetch("/data-" + i)).json();
    document.getElementById("app").innerHTML = "<h1>Ferries</h1><p>The ferry to the island leaves at nine, eleven and two.</p>";
  })();
</script>`;
const secrets: LocalSecrets = {
  live: newSecret("live"),
  test: newSecret("test"),
  signing: "bench",
  encryption: "a secret of the bench",
};

/** A Worker that runs in the local runtime, without wrangler's proxy and log. */
export interface Running {
  post: (path: string, body: Record<string, unknown>, status: number) => Promise<string>;
  get: (path: string) => Promise<string>;
  stop: () => Promise<void>;
}

interface OursOptions {
  /** False if the jobs should stay in the queues. Default: true. */
  consumes?: boolean;
  /** The delay (ms) added to each call to D1, to a Durable Object and to a queue. */
  awayMs?: number;
  /** True if each request must load the deny lists, as in an isolate that has just started. */
  hasColdLists?: boolean;
  /** The round trip (ms) to the browser. By default, the browser is the local runtime's. */
  browserRttMs?: number;
  /** More variables of the service. */
  variables?: Record<string, string>;
  /** Additional hosts (host:port) that the service may reach. */
  hosts?: string[];
  /** The limit of concurrent jobs. By default, no job waits for a slot. */
  concurrentJobs?: number;
}

export interface World {
  /** The URL of the scraped page, on a loopback site. */
  target: string;
  /** The URL of the same page at a public name, which only the browsers can resolve. */
  publicTarget: string;
  /** The URL of a page with a few words. */
  trivial: string;
  /** The URL of a page with 30 scripts, whose content arrives after 8 chained fetches. */
  application: string;
  /** The URL of the article with its title and date as JSON-LD. */
  declared: string;
  article: Buffer;
  /** Two webhook receivers on different hosts. */
  receivers: readonly [Receiver, Receiver];
  startOurs: (options?: OursOptions) => Promise<Running>;
  /**
   * Starts bare-worker.ts, a minimal Worker. It makes only the platform calls that the task requires. Its times are the
   * floor.
   */
  startBare: (options?: { consumes?: boolean; browserRttMs?: number }) => Promise<Running>;
  close: () => Promise<void>;
}

export async function openWorld(): Promise<World> {
  const temporary = mkdtempSync(join(tmpdir(), "extraction-bench-"));
  // WRANGLER_LOG suppresses wrangler's warnings about missing secrets.
  const browser = await setUpBrowser({
    folder: temporary,
    more: [`--host-resolver-rules=MAP ${PUBLIC_NAME} 127.0.0.1`],
  });
  Object.assign(process.env, browser.env, { TMPDIR: temporary, WRANGLER_LOG: "error" });
  // Miniflare reads NODE_EXTRA_CA_CERTS when its module is loaded, so local-runtime.ts is imported afterward.
  process.env.NODE_EXTRA_CA_CERTS = CERTIFICATE.file;
  const { startRuntime } = await import("../../scripts/local-runtime.ts");
  const { productOptions, setUpService } = await import("../../scripts/product.ts");
  const { EGRESS_WORKER, egressWorkerOptions } = await import("../../scripts/egress/network.ts");
  const receivers = [await startReceiver(CERTIFICATE), await startReceiver(CERTIFICATE)] as const;
  const article = readFileSync(join(import.meta.dirname, "article.html"));
  const pages: Record<string, string> = {
    "/trivial": TRIVIAL,
    "/application": APPLICATION,
    "/declared": article.toString().replace("</head>", `${DECLARATION}</head>`),
  };
  const site = await listen(
    createServer(({ url = "" }, response) => {
      const [type, body] = toResponse(url);
      response.setHeader("content-type", type);
      response.end(body);
    }),
  );
  function toResponse(url: string): [type: string, body: string | Buffer] {
    if (url.startsWith("/script")) return ["text/javascript", "window.loaded = (window.loaded ?? 0) + 1;"];
    if (url.startsWith("/data")) return ["application/json", '{ "next": true }'];
    return ["text/html; charset=utf-8", pages[url] ?? article];
  }
  const target = `${site.origin}/`;
  const allowed = [new URL(target).host, ...receivers.map(({ host }) => host)].join();

  async function bundled(entry: string, name: string): Promise<string> {
    const outfile = join(temporary, `${name}.mjs`);
    await bundle(join(PROJECT, entry), outfile);
    return outfile;
  }

  /** Returns the stand-in for Cloudflare's browser service at this distance, or null without a distance. */
  async function browserService(rttMs: number | undefined): Promise<V4WorkerOptions | null> {
    if (rttMs === undefined) return null;
    const script = await bundled("test/support/platform/browser-service.ts", "browser-service");
    return browserServiceOptions(readFileSync(script, "utf8"), { rttMs });
  }

  /** Creates the variables, the egress Worker and the browser's proxy in the same way as `npm start`. */
  async function createSurroundings(options: { consumes?: boolean | undefined; hosts?: string[] }) {
    const script = await bundled("scripts/egress/worker.ts", "egress");
    const reachable = [allowed, ...(options.hosts ?? [])].join();
    const { url } = await serveSocksProxy({ policy: (await loadPolicy(temporary))(reachable, []) });
    return {
      bindings: {
        ALLOWED_PRIVATE_HOSTS: reachable,
        BROWSER_PROXY: url,
        SIGNING_SECRET: secrets.signing,
        ENCRYPTION_KEY: secrets.encryption,
      },
      more: { outboundService: EGRESS_WORKER, ...(options.consumes === false ? { queueConsumers: {} } : {}) },
      auxiliaryWorkers: [egressWorkerOptions(readFileSync(script, "utf8"), { ALLOWED_PRIVATE_HOSTS: reachable })],
    };
  }

  return {
    target,
    publicTarget: target.replace("127.0.0.1", PUBLIC_NAME),
    trivial: `${target}trivial`,
    application: `${target.replace("127.0.0.1", PUBLIC_NAME)}application`,
    declared: `${target}declared`,
    article,
    receivers,
    startOurs: async ({
      consumes,
      awayMs = 0,
      hasColdLists = false,
      browserRttMs,
      variables = {},
      hosts = [],
      concurrentJobs = CONCURRENT_JOBS,
    } = {}) => {
      const { bindings, more, auxiliaryWorkers } = await createSurroundings({ consumes, hosts });
      const isDistant = awayMs > 0 || hasColdLists;
      const distance = { AWAY_MS: String(awayMs), COLD_LISTS: hasColdLists ? "yes" : "no" };
      const allBindings = { ...bindings, ...(isDistant ? distance : {}), ...variables };
      const nearOptions = { ...productOptions(allBindings), ...more, name: "ours" };
      const service = await browserService(browserRttMs);
      const options = service === null ? nearOptions : { ...nearOptions, ...WITH_BROWSER_SERVICE };
      const worker = isDistant
        ? await bundled("lab/bench/distant-worker.ts", "distant")
        : await bundled("src/index.ts", "ours");
      const miniflare = startRuntime(worker, options, {
        auxiliaryWorkers: service === null ? auxiliaryWorkers : [...auxiliaryWorkers, service],
      });
      await setUpService(miniflare, "ours", { secrets, credits: CREDITS, concurrentJobs });
      return await toRunning(miniflare);
    },
    startBare: async ({ consumes = false, browserRttMs } = {}) => {
      const options = {
        name: "bare",
        compatibilityDate: "2026-10-01",
        compatibilityFlags: ["nodejs_compat"],
        durableObjects: {
          HOLDER: { className: "BrowserHolder", useSQLite: true },
          COUNTER: { className: "Counter", useSQLite: true },
          JOBS: { className: "Jobs", useSQLite: true },
        },
        queueProducers: { QUEUE: "bare" },
        queueConsumers: consumes ? { bare: { maxBatchSize: 4, maxBatchTimeout: 0 } } : {},
        browserRendering: { binding: "BROWSER" },
      } satisfies Partial<V4WorkerOptions>;
      const service = await browserService(browserRttMs);
      const bare = await bundled("lab/bench/bare-worker.ts", "bare");
      if (service === null) return await toRunning(startRuntime(bare, options));
      return await toRunning(
        startRuntime(bare, { ...options, ...WITH_BROWSER_SERVICE }, { auxiliaryWorkers: [service] }),
      );
    },
    close: async () => {
      await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
      for (const server of [site, ...receivers]) server.close();
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function toRunning(miniflare: Miniflare): Promise<Running> {
  const origin = await miniflare.ready;
  const headers = {
    authorization: `Bearer ${secrets.live}`,
    "content-type": "application/json",
    // The MCP server requires both types.
    accept: "application/json, text/event-stream",
    // Disables compression. The local runtime would compress the service's JSON but not the floor's bytes. On
    // Cloudflare, compression runs outside of the Worker.
    "accept-encoding": "identity",
  };
  async function send(path: string, status: number, init: RequestInit = {}): Promise<string> {
    const response = await fetch(new URL(path, origin), { ...init, headers });
    const text = await response.text();
    if (response.status !== status) throw new Error(`${path} responded with status ${response.status}: ${text}`);
    return text;
  }
  return {
    post: (path, body, status) => send(path, status, { method: "POST", body: JSON.stringify(body) }),
    get: (path) => send(path, 200),
    stop: () => miniflare.dispose(),
  };
}
