// The floor that the bench measures against: the platform's own calls, with nothing around them.

import { DurableObject } from "cloudflare:workers";
import puppeteer, { type Browser } from "@cloudflare/puppeteer";
import { Hono } from "hono";

interface BareEnv {
  BROWSER: BrowserRun;
  HOLDER: DurableObjectNamespace<BrowserHolder>;
  COUNTER: DurableObjectNamespace<Counter>;
  DB: D1Database;
  QUEUE: Queue<{ jobId: string }>;
}

/** A warm browser, held as the product holds its own; a new page for each request, without a context of its own. */
export class BrowserHolder extends DurableObject<BareEnv> {
  #browser: Promise<Browser> | null = null;

  async render(url: string): Promise<string> {
    this.#browser ??= puppeteer.launch(this.env.BROWSER);
    const page = await (await this.#browser).newPage();
    try {
      await page.goto(url, { waitUntil: "load" });
      return await page.content();
    } finally {
      this.ctx.waitUntil(page.close());
    }
  }
}

/** One write that the answer doesn't wait for. */
export class Counter extends DurableObject<BareEnv> {
  #count = 0;

  hit(): number {
    this.#count++;
    void this.ctx.storage.put("count", this.#count, { allowUnconfirmed: true });
    return this.#count;
  }
}

/** The platform's calls of one admission: a Durable Object hop with a write, a D1 batch of the same rows, a queue send. */
async function admit(request: Request, env: BareEnv): Promise<Response> {
  const { url } = await request.json<{ url: string }>();
  await env.COUNTER.getByName("one").hit();
  const id = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO jobs (id, account_id, key_id, mode, endpoint, status, request, rendered, waiting, origin, credits, created_at, wake_at)
       VALUES (?1, 'local', 'key', 'live', 'scrape', 'queued', ?2, 0, 0, 'http://bench', 1, ?3, ?3)`,
    ).bind(id, JSON.stringify({ url }), Date.now()),
  ]);
  await env.QUEUE.send({ jobId: id });
  return Response.json({ job_id: id }, { status: 202 });
}

/** A page fetched, and the row ended by the one statement that does it; the messages of a batch side by side. */
async function finish(batch: MessageBatch<{ jobId: string }>, env: BareEnv): Promise<void> {
  const end = async ({ body: { jobId } }: Message<{ jobId: string }>) => {
    const row = await env.DB.prepare("UPDATE jobs SET status = 'processing' WHERE id = ?1 RETURNING request")
      .bind(jobId)
      .first<{ request: string }>();
    const { url } = JSON.parse(row?.request ?? "{}");
    const page = await (await fetch(url, { redirect: "manual" })).arrayBuffer();
    await env.DB.prepare("UPDATE jobs SET status = 'completed', ended_at = ?2, processing_time_ms = ?3 WHERE id = ?1")
      .bind(jobId, Date.now(), page.byteLength)
      .run();
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
    if (pathname === "/admit") return await admit(request, env);
    if (pathname === "/render") return new Response(await env.HOLDER.getByName("one").render(url));
    const response = await fetch(url, { redirect: "manual" });
    return new Response(await response.arrayBuffer());
  },
} satisfies ExportedHandler<BareEnv, { jobId: string }>;
