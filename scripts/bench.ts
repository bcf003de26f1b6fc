// `npm run bench`: the built Worker in the local runtime, without wrangler's proxy and log, each figure beside its floor
// in the same run. Loopback alone, bounded in count.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_splitSqlQuery } from "wrangler";
import { setUpBrowser } from "./browser.ts";
import { bundle } from "./bundle.ts";
import { type LocalSecrets, localAccountSql, newSecret } from "./local-state.ts";
import { endBrowsers } from "./processes.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 60);
const WARM_UP = 8;
const CONNECTIONS = 32;
const LOAD_REQUESTS = Number(process.env.BENCH_REQUESTS ?? 2_000);

const temporary = mkdtempSync(join(tmpdir(), "extraction-bench-"));
process.env.TMPDIR = temporary;
Object.assign(process.env, (await setUpBrowser()).env);

const article = readFileSync(join(PROJECT, "scripts", "bench", "article.html"));
const site = createServer((_, response) => {
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.end(article);
}).listen(0, "127.0.0.1");
await once(site, "listening");
const target = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;

const secrets: LocalSecrets = {
  live: newSecret("live"),
  test: newSecret("test"),
  signing: "bench",
  encryption: "bench",
};
const ours = await startOurs({ consumes: true });
// Its jobs stay in the queue: what is measured is their admission.
const admitting = await startOurs({ consumes: false });
const bare = await startBare();
try {
  const rows = [
    await compare(
      "sync scrape, plain",
      () => scrape({ url: target }),
      () => askBare("fetch"),
    ),
    await compare(
      "sync scrape, plain, html alone",
      () => scrape({ url: target, formats: ["html"] }),
      () => askBare("fetch"),
    ),
    await compare(
      "sync scrape, rendered, html",
      () => scrape({ url: target, js_render: true, formats: ["html"] }),
      () => askBare("render"),
    ),
    await compare(
      "sync scrape, rendered, markdown",
      () => scrape({ url: target, js_render: true }),
      () => askBare("render"),
    ),
  ];
  const admissions = [
    await load("async admission", () => post(admitting, "/v1/scrape", { url: target }, 202)),
    await load("the same platform calls, bare", () => post(bare, "/admit", { url: target }, 202)),
    await load("async admission, again", () => post(admitting, "/v1/scrape", { url: target }, 202)),
    await load("the same platform calls, bare, again", () => post(bare, "/admit", { url: target }, 202)),
  ];
  print(rows, admissions);
} finally {
  await admitting.dispose();
  await ours.dispose();
  await bare.dispose();
  await endBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
  site.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}
process.exit(0);

async function startOurs({ consumes }: { consumes: boolean }): Promise<Miniflare> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(PROJECT, "wrangler.toml"));
  const outfile = join(temporary, "ours.mjs");
  await bundle(join(PROJECT, "src", "index.ts"), outfile);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          ...workerOptions,
          name: "ours",
          ...(consumes ? {} : { queueConsumers: {} }),
          modules: [{ type: "ESModule", path: "index.mjs", contents: readFileSync(outfile, "utf8") }],
          bindings: {
            ...(workerOptions.bindings as Record<string, string>),
            ALLOWED_PRIVATE_HOSTS: new URL(target).host,
            SIGNING_SECRET: secrets.signing,
            ENCRYPTION_KEY: secrets.encryption,
          },
        },
      ],
    }),
  );
  await applySchema(await miniflare.getD1Database("DB", "ours"));
  return miniflare;
}

/** The schema, and the local account with more credits than a bench can spend. */
async function applySchema(db: Awaited<ReturnType<Miniflare["getD1Database"]>>): Promise<void> {
  const sql = `${readFileSync(join(PROJECT, "schema.sql"), "utf8")}\n${localAccountSql({ secrets, ratePerMinute: 1_000_000, linkToken: null })}`;
  for (const statement of unstable_splitSqlQuery(sql)) await db.prepare(statement).run();
  await db
    .prepare(
      "INSERT INTO ledger (account_id, kind, balance_change, created_at) VALUES ('local', 'adjustment', 1000000, 0)",
    )
    .run();
}

async function startBare(): Promise<Miniflare> {
  const outfile = join(temporary, "bare.mjs");
  await bundle(join(PROJECT, "scripts", "bench", "bare-worker.ts"), outfile);
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: "bare",
          modules: [{ type: "ESModule", path: "index.mjs", contents: readFileSync(outfile, "utf8") }],
          compatibilityDate: "2026-10-01",
          compatibilityFlags: ["nodejs_compat"],
          durableObjects: {
            HOLDER: { className: "BrowserHolder", useSQLite: true },
            COUNTER: { className: "Counter", useSQLite: true },
          },
          d1Databases: { DB: "bare" },
          queueProducers: { QUEUE: "bare" },
          browserRendering: { binding: "BROWSER" },
        },
      ],
    }),
  );
  await applySchema(await miniflare.getD1Database("DB", "bare"));
  return miniflare;
}

async function scrape(body: Record<string, unknown>): Promise<void> {
  await post(ours, "/v1/scrape?wait=true", body, 200);
}

async function post(to: Miniflare, path: string, body: Record<string, unknown>, status: number): Promise<void> {
  const response = await fetch(new URL(path, await to.ready), {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.live}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(text);
}

async function askBare(what: "fetch" | "render"): Promise<void> {
  const response = await fetch(new URL(`/${what}?url=${encodeURIComponent(target)}`, await bare.ready));
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
}

interface Row {
  what: string;
  ours: number[];
  floor: number[];
}

/** The two in turn, so that a machine whose speed drifts moves both. */
async function compare(what: string, mine: () => Promise<void>, floor: () => Promise<void>): Promise<Row> {
  const row: Row = { what, ours: [], floor: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [a, b] = [await time(mine), await time(floor)];
    if (round < 0) continue;
    row.ours.push(a);
    row.floor.push(b);
  }
  return row;
}

interface Load {
  what: string;
  "requests/s": number;
  "p50 ms": number;
  "p99 ms": number;
}

/** A fixed number of requests over a fixed number of connections. */
async function load(what: string, request: () => Promise<void>): Promise<Load> {
  for (let i = 0; i < WARM_UP * 4; i++) await request();
  const times: number[] = [];
  let left = LOAD_REQUESTS;
  const start = performance.now();
  const connection = async () => {
    while (left-- > 0) times.push(await time(request));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const seconds = (performance.now() - start) / 1_000;
  return {
    what,
    "requests/s": round(times.length / seconds),
    "p50 ms": round(percentile(times, 0.5)),
    "p99 ms": round(percentile(times, 0.99)),
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

async function time(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function print(rows: Row[], admissions: Load[]): void {
  const figures = rows.map(({ what, ours, floor }) => ({
    what,
    "p50 ms": percentile(ours, 0.5),
    "p99 ms": percentile(ours, 0.99),
    "floor p50 ms": percentile(floor, 0.5),
    "p50 ratio": percentile(ours, 0.5) / percentile(floor, 0.5),
    "p50 over floor ms": percentile(ours, 0.5) - percentile(floor, 0.5),
  }));
  const rounded = figures.map((figure) =>
    Object.fromEntries(
      Object.entries(figure).map(([name, value]) => [name, typeof value === "number" ? round(value) : value]),
    ),
  );
  console.table(rounded);
  console.table(admissions);
  const page = createHash("sha256").update(article).digest("hex").slice(0, 12);
  mkdirSync(join(PROJECT, ".cache"), { recursive: true });
  const report = {
    at: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    rounds: ROUNDS,
    page,
    rows: rounded,
  };
  writeFileSync(join(PROJECT, ".cache", "bench.json"), `${JSON.stringify(report, null, 2)}\n`);
  console.log(`${ROUNDS} rounds each, a page of ${article.byteLength} bytes; written to .cache/bench.json.`);
}
