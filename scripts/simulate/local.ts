import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeCertificate } from "../../test/support/certificate.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";
import { setUpBrowser } from "../browser.ts";
import { bundle } from "../bundle.ts";
import type { Database } from "../local-runtime.ts";
import { type LocalSecrets, newSecret } from "../local-state.ts";
import { readMigrations } from "../migrations.ts";
import { endBrowsers } from "../processes.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const NAME = "simulate";
const CREDITS = 1_000_000;

interface Options {
  /** Beside this file: the product with something around it. */
  entry: string;
  /** Loopback sites that may be asked. */
  hosts: string[];
  bindings?: Record<string, string>;
  /** Messages that the consumer of jobs takes at a time; otherwise as wrangler.toml has it. */
  jobsBatch?: number;
}

/** The built Worker in the local runtime, without wrangler's proxy and log. */
export interface Running {
  url: (path: string) => URL;
  /** With the local account's key; the answer must be one of a job that was taken. */
  post: (path: string, body: Record<string, unknown>) => Promise<{ job_id: string }>;
  database: () => Promise<Database>;
  stop: () => Promise<void>;
}

export interface Local {
  receiver: Receiver;
  /** What makes the database: the schema, and an account that has more credits than are needed. */
  setUp: string[];
  headers: Record<string, string>;
  start: (options: Options) => Promise<Running>;
  close: () => Promise<void>;
}

/** Room for the Worker on this machine: a folder, a certificate, a receiver of webhooks. */
export async function openLocal(): Promise<Local> {
  const temporary = mkdtempSync(join(tmpdir(), "extraction-simulate-"));
  process.env.TMPDIR = temporary;
  Object.assign(process.env, (await setUpBrowser()).env);
  const certificate = await makeCertificate(temporary);
  // The runtime reads which certificates it trusts when its module is loaded.
  process.env.NODE_EXTRA_CA_CERTS = certificate.file;
  const { productOptions, setUpService, splitSql, startRuntime } = await import("../local-runtime.ts");
  const receiver = await startReceiver(certificate);
  const secrets: LocalSecrets = {
    live: newSecret("live"),
    test: newSecret("test"),
    signing: NAME,
    encryption: "a secret of the simulation",
  };
  const setUp = readMigrations(join(import.meta.dirname, "../..")).flatMap(({ sql }) => splitSql(sql));
  const headers = { authorization: `Bearer ${secrets.live}`, "content-type": "application/json" };

  async function start({ entry, hosts, bindings = {}, jobsBatch }: Options): Promise<Running> {
    const options = productOptions({
      ALLOWED_PRIVATE_HOSTS: [...hosts, receiver.host].join(),
      SIGNING_SECRET: secrets.signing,
      ENCRYPTION_KEY: secrets.encryption,
      ...bindings,
    });
    const consumers = options.queueConsumers as Record<string, object>;
    const jobs = { ...consumers.jobs, ...(jobsBatch === undefined ? {} : { maxBatchSize: jobsBatch }) };
    const outfile = join(temporary, "worker.mjs");
    await bundle(join(import.meta.dirname, entry), outfile);
    const miniflare = startRuntime(outfile, { ...options, name: NAME, queueConsumers: { ...consumers, jobs } });
    const origin = await miniflare.ready;
    const database = () => miniflare.getD1Database("DB", NAME);
    await setUpService(miniflare, NAME, { secrets, credits: CREDITS });
    const url = (path: string) => new URL(path, origin);
    return {
      url,
      post: async (path, body) => {
        const response = await fetch(url(path), { method: "POST", headers, body: JSON.stringify(body) });
        const text = await response.text();
        if (response.status !== 200 && response.status !== 202) throw new Error(text);
        return JSON.parse(text);
      },
      database,
      stop: () => miniflare.dispose(),
    };
  }

  return {
    receiver,
    setUp,
    headers,
    start,
    close: async () => {
      await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
      receiver.close();
      rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
