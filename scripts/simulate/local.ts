import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeCertificate } from "../../test/support/certificate.ts";
import { listen } from "../../test/support/loopback.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";
import { setUpBrowser } from "../browser.ts";
import { bundle } from "../bundle.ts";
import { type LocalSecrets, newSecret } from "../local-state.ts";
import { endBrowsers } from "../processes.ts";
import type { Measured } from "./measured.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const NAME = "simulate";
const CREDITS = 10_000_000;
const TICKS_PER_SECOND = 100;

/**
 * The built Worker in the local runtime, without wrangler's proxy and log, next to a target site and a webhook
 * receiver.
 */
export interface Local {
  /** The page that jobs scrape, with any path. */
  page: string;
  receiver: Receiver;
  /** The live key of the local account. */
  key: string;
  /** Requests a path of the Worker and returns its JSON. Throws unless the response is a success. */
  ask: <T>(path: string, init?: { body?: unknown; key?: string }) => Promise<T>;
  /** The name of the local account's object. */
  objectName: () => Promise<string>;
  stop: () => Promise<void>;
}

interface LocalOptions {
  /** The Worker's entry, next to this file. */
  entry: string;
  /** How long the site takes for a page. */
  pageMs?: number;
  /** Called for each request that the site gets. */
  onVisit?: (request: IncomingMessage) => void;
}

export async function startLocal({ entry, pageMs = 0, onVisit }: LocalOptions): Promise<Local> {
  const temporary = mkdtempSync(join(tmpdir(), "extraction-simulate-"));
  process.env.TMPDIR = temporary;
  Object.assign(process.env, (await setUpBrowser()).env);
  const certificate = await makeCertificate(temporary);
  // The runtime reads which certificates it trusts when its module is loaded.
  process.env.NODE_EXTRA_CA_CERTS = certificate.file;
  const { productOptions, setUpService, startRuntime } = await import("../local-runtime.ts");
  const receiver = await startReceiver(certificate);
  const article = readFileSync(join(PROJECT, "scripts", "bench", "article.html"));
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
    ask: async (path, { body, key = secrets.live } = {}) => {
      const response = await fetch(new URL(path, origin), {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
      return JSON.parse(text);
    },
    objectName: async () => {
      const db = await miniflare.getD1Database("DB", NAME);
      const name = await db.prepare("SELECT object FROM accounts WHERE id = 'local'").first<string>("object");
      if (name === null) throw new Error("There is no local account.");
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

/** Returns the processor time (ms) of the local runtime so far, its local D1, queues and R2 included. Linux only. */
export function processorMs(): number {
  let ticks = 0;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // The name in brackets can contain spaces.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (!stat.includes("(workerd)") || Number(fields[1]) !== process.pid) continue;
      ticks += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process ended meanwhile.
    }
  }
  return (ticks * 1_000) / TICKS_PER_SECOND;
}

/** Replaces a part of measured.json. */
export function saveMeasured(part: Partial<Measured>): void {
  const file = join(import.meta.dirname, "measured.json");
  writeFileSync(file, `${JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...part }, null, 2)}\n`);
}
