// A minimal Worker that makes only the necessary platform calls. The bench uses its times as the floor.

import { DurableObject } from "cloudflare:workers";
import puppeteer, { type Browser } from "@cloudflare/puppeteer";
import { Hono } from "hono";

interface BareEnv {
  BROWSER: BrowserRun;
  HOLDER: DurableObjectNamespace<BrowserHolder>;
  COUNTER: DurableObjectNamespace<Counter>;
  JOBS: DurableObjectNamespace<Jobs>;
  QUEUE: Queue<{ jobId: string }>;
}

/**
 * Keeps a warm browser, as the service does. Each request opens a new page: in the browser's default context, or with
 * `isolated` in a new context, whose cookies and storage other pages can't see.
 */
export class BrowserHolder extends DurableObject<BareEnv> {
  #browser: Promise<Browser> | null = null;

  async render(url: string, { isolated }: { isolated: boolean }): Promise<string> {
    this.#browser ??= puppeteer.launch(this.env.BROWSER);
    const browser = await this.#browser;
    const context = isolated ? await browser.createBrowserContext() : null;
    const page = await (context ?? browser).newPage();
    try {
      await page.goto(url, { waitUntil: "load" });
      return await page.content();
    } finally {
      this.ctx.waitUntil((context ?? page).close());
    }
  }
}

/** Counts its calls and writes the count in each call. The response doesn't wait for the write. */
export class Counter extends DurableObject<BareEnv> {
  #count = 0;

  hit(): number {
    this.#count++;
    void this.ctx.storage.put("count", this.#count, { allowUnconfirmed: true });
    return this.#count;
  }
}

/** A table of jobs. Creating, claiming and finishing a job each write one row. */
export class Jobs extends DurableObject<BareEnv> {
  readonly #sql = this.ctx.storage.sql;

  constructor(ctx: DurableObjectState, env: BareEnv) {
    super(ctx, env);
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS jobs
         (id TEXT PRIMARY KEY, url TEXT, created_at INTEGER, claimed_at INTEGER, ended_at INTEGER, bytes INTEGER) WITHOUT ROWID`,
    );
  }

  create(id: string, url: string): void {
    this.#sql.exec("INSERT INTO jobs (id, url, created_at) VALUES (?1, ?2, ?3)", id, url, Date.now());
  }

  claim(id: string): string {
    const row = this.#sql.exec("UPDATE jobs SET claimed_at = ?2 WHERE id = ?1 RETURNING url", id, Date.now()).one();
    return String(row.url);
  }

  finish(id: string, bytes: number): void {
    this.#sql.exec("UPDATE jobs SET ended_at = ?2, bytes = ?3 WHERE id = ?1", id, Date.now(), bytes);
  }

  /** Returns the creation and end times (Unix ms) of the ended jobs. */
  ended(): Record<string, SqlStorageValue>[] {
    return this.#sql.exec("SELECT created_at, ended_at FROM jobs WHERE ended_at IS NOT NULL").toArray();
  }
}

/**
 * Makes the platform calls for creating a job: one object call writes a counter, another inserts a row, and one call
 * sends a queue message.
 */
async function create(request: Request, env: BareEnv): Promise<Response> {
  const { url } = await request.json<{ url: string }>();
  await env.COUNTER.getByName("one").hit();
  const id = crypto.randomUUID();
  await env.JOBS.getByName("one").create(id, url);
  await env.QUEUE.send({ jobId: id });
  return Response.json({ job_id: id }, { status: 202 });
}

/** Claims each job of the batch, fetches its page and ends it. Processes the messages in parallel. */
async function finish(batch: MessageBatch<{ jobId: string }>, env: BareEnv): Promise<void> {
  const end = async ({ body: { jobId } }: Message<{ jobId: string }>) => {
    const url = await env.JOBS.getByName("one").claim(jobId);
    const page = await (await fetch(url, { redirect: "manual" })).arrayBuffer();
    await env.JOBS.getByName("one").finish(jobId, page.byteLength);
  };
  await Promise.all(batch.messages.map(end));
}

const hello = new Hono().get("/hello", (c) => c.text("Hello Hono!"));

export default {
  queue: finish,
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url);
    const url = searchParams.get("url") ?? "";
    if (pathname === "/hello") return await hello.fetch(request);
    if (pathname === "/create") return await create(request, env);
    if (pathname === "/ended") return Response.json(await env.JOBS.getByName("one").ended());
    if (pathname === "/render") {
      const isolated = searchParams.get("isolated") === "true";
      return new Response(await env.HOLDER.getByName("one").render(url, { isolated }));
    }
    const response = await fetch(url, { redirect: "manual" });
    return new Response(await response.arrayBuffer());
  },
} satisfies ExportedHandler<BareEnv, { jobId: string }>;
