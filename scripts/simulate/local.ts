import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { V4WorkerOptions } from "miniflare";
import { makeCertificate } from "../../test/support/certificate.ts";
import { type Receiver, startReceiver } from "../../test/support/receiver.ts";
import { setUpBrowser } from "../browser.ts";
import { bundle } from "../bundle.ts";
import { type LocalSecrets, localAccountSql, newSecret } from "../local-state.ts";
import { endBrowsers } from "../processes.ts";

export const PROJECT = resolve(import.meta.dirname, "../..");
const NAME = "simulate";
const CREDITS = 1_000_000;
const RATE_PER_MINUTE = 1_000_000;

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
  database: () => Promise<D1>;
  stop: () => Promise<void>;
}

type D1 = Awaited<ReturnType<import("miniflare").Miniflare["getD1Database"]>>;

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
  const { convertV4MiniflareOptions, Miniflare } = await import("miniflare");
  const { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } = await import("wrangler");
  const receiver = await startReceiver(certificate);
  const secrets: LocalSecrets = {
    live: newSecret("live"),
    test: newSecret("test"),
    signing: NAME,
    encryption: "a secret of the simulation",
  };
  const setUp = unstable_splitSqlQuery(
    `${readFileSync(join(PROJECT, "schema.sql"), "utf8")}
     ${localAccountSql({ secrets, ratePerMinute: RATE_PER_MINUTE, linkToken: null })}
     INSERT INTO ledger (account_id, kind, balance_change, created_at) VALUES ('local', 'adjustment', ${CREDITS}, 0)`,
  );
  const headers = { authorization: `Bearer ${secrets.live}`, "content-type": "application/json" };

  async function start({ entry, hosts, bindings = {}, jobsBatch }: Options): Promise<Running> {
    // Not the static files: the local runtime looks for them with two Workers of its own before ours, in each request.
    const { assets: _, ...workerOptions } = unstable_getMiniflareWorkerOptions(
      join(PROJECT, "wrangler.toml"),
    ).workerOptions;
    const consumers = workerOptions.queueConsumers as Record<string, object>;
    const outfile = join(temporary, "worker.mjs");
    await bundle(join(import.meta.dirname, entry), outfile);
    const worker = {
      ...workerOptions,
      name: NAME,
      modules: [{ type: "ESModule", path: "index.mjs", contents: readFileSync(outfile, "utf8") }],
      queueConsumers: {
        ...consumers,
        jobs: { ...consumers.jobs, ...(jobsBatch === undefined ? {} : { maxBatchSize: jobsBatch }) },
      },
      bindings: {
        ...(workerOptions.bindings as Record<string, string>),
        ALLOWED_PRIVATE_HOSTS: [...hosts, receiver.host].join(),
        SIGNING_SECRET: secrets.signing,
        ENCRYPTION_KEY: secrets.encryption,
        ...bindings,
      },
    } as V4WorkerOptions;
    const miniflare = new Miniflare({
      ...convertV4MiniflareOptions({ workers: [worker] }),
      handleStructuredLogs: () => {},
    });
    const origin = await miniflare.ready;
    const database = () => miniflare.getD1Database("DB", NAME);
    const db = await database();
    for (const statement of setUp) await db.prepare(statement).run();
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
