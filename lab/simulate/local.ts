import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setUpBrowser } from "../../scripts/browser.ts";
import { bundle } from "../../scripts/bundle.ts";
import { type LocalSecrets, newSecret } from "../../scripts/local-state.ts";
import { endBrowsers } from "../../scripts/processes.ts";
import { CERTIFICATE } from "../../test/support/certificate.ts";
import { listen } from "../../test/support/loopback.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";
import { readCpuTimes } from "../bench/cpu.ts";
import type { Measured } from "./measured.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const NAME = "simulate";
const CREDITS = 10_000_000;

/**
 * A Worker that runs in the local runtime, without wrangler's proxy and log, with a target site and a webhook receiver.
 */
export interface Local {
  /** The URL of the page that jobs scrape. Any path below it returns the same page. */
  page: string;
  receiver: Receiver;
  /** The live key of the local account. */
  key: string;
  /** Sends a request to the Worker and returns the JSON of the response. Throws if the response isn't a success. */
  request: <T>(path: string, init?: { body?: unknown; key?: string }) => Promise<T>;
  /** Returns the name of the local account's Durable Object. */
  objectName: () => Promise<string>;
  stop: () => Promise<void>;
}

interface LocalOptions {
  /** The file name of the Worker's entry, in this folder. */
  entry: string;
  /** The response time (ms) of the target site. Default: 0. */
  pageMs?: number;
  /** Called for each request to the target site. */
  onVisit?: (request: IncomingMessage) => void;
}

export async function startLocal({ entry, pageMs = 0, onVisit }: LocalOptions): Promise<Local> {
  const temporary = mkdtempSync(join(tmpdir(), "extraction-simulate-"));
  process.env.TMPDIR = temporary;
  Object.assign(process.env, (await setUpBrowser()).env);
  // Miniflare reads NODE_EXTRA_CA_CERTS when its module is loaded, so local-runtime.ts is imported afterward.
  process.env.NODE_EXTRA_CA_CERTS = CERTIFICATE.file;
  const { startRuntime } = await import("../../scripts/local-runtime.ts");
  const { productOptions, setUpService } = await import("../../scripts/product.ts");
  const receiver = await startReceiver(CERTIFICATE);
  const article = readFileSync(join(PROJECT, "lab", "bench", "article.html"));
  const server = createServer(async (request, response) => {
    onVisit?.(request);
    await sleep(pageMs);
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(article);
  });
  const site = await listen(server);
  const secrets: LocalSecrets = {
    live: newSecret("live"),
    test: newSecret("test"),
    signing: NAME,
    encryption: "a secret of the simulation",
  };
  const options = productOptions({
    ALLOWED_PRIVATE_HOSTS: [new URL(site.origin).host, receiver.host].join(),
    SIGNING_SECRET: secrets.signing,
    ENCRYPTION_KEY: secrets.encryption,
  });
  const outfile = join(temporary, "worker.mjs");
  await bundle(join(import.meta.dirname, entry), outfile);
  const miniflare = startRuntime(outfile, { ...options, name: NAME });
  const origin = await miniflare.ready;
  await setUpService(miniflare, NAME, { secrets, credits: CREDITS });

  return {
    page: `${site.origin}/page`,
    receiver,
    key: secrets.live,
    request: async (path, { body, key = secrets.live } = {}) => {
      const response = await fetch(new URL(path, origin), {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} responded with status ${response.status}: ${text}`);
      return JSON.parse(text);
    },
    objectName: async () => {
      const db = await miniflare.getD1Database("DB", NAME);
      const name = await db.prepare("SELECT object FROM accounts WHERE id = 'local'").first<string>("object");
      if (name === null) throw new Error("The database has no local account.");
      return name;
    },
    stop: async () => {
      await miniflare.dispose();
      site.close();
      receiver.close();
      await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/**
 * Returns the CPU time (ms) that the local runtime has used, including its local D1, queues and R2. Works only on
 * Linux.
 */
export function processorMs(): number {
  return readCpuTimes()?.workerd ?? 0;
}

/** Updates a part of measured.json. */
export function saveMeasured(part: Partial<Measured>): void {
  const file = join(import.meta.dirname, "measured.json");
  writeFileSync(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...part }, null, 2)}\n`);
}
