import { env } from "cloudflare:workers";
import { inject } from "vitest";
import type { NewBatch } from "../../src/account/batches/batch-types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Batch, BatchPage } from "../../src/model/batch";
import type { CrawlProgress } from "../../src/model/crawl";
import type { JobKey } from "../../src/model/job";
import { toPrices } from "../../src/model/prices";
import { crawlStub } from "../../src/store/namespaces";
import { stubOf } from "./account";
import { ORIGIN } from "./client";
import type { CrawlOrigins, CrawlVisits } from "./crawl-sites";
import "./provided";

/** A folder of one of the test sites that no other test uses. */
export interface CrawlFolder {
  /** The URL of the folder, without a slash at its end. */
  url: string;
  /** Returns the URL of a page of the folder. */
  page: (path: string) => string;
  visits: () => Promise<CrawlVisits>;
  /** Sends the delayed responses to requests for the page `held`. */
  release: () => Promise<void>;
}

export function openFolder(site: keyof CrawlOrigins = "open"): CrawlFolder {
  const origin = inject("crawlSites")[site];
  const id = crypto.randomUUID();
  return {
    url: `${origin}/${id}`,
    page: (path) => `${origin}/${id}/${path}`,
    visits: async () => (await (await fetch(`${origin}/__visits?id=${id}`)).json()) ?? { paths: [], concurrency: 0 },
    release: async () => {
      await fetch(`${origin}/__release?id=${id}`);
    },
  };
}

/** Creates a crawl in an account's object and starts it. */
export async function startCrawl(
  account: AccountRef,
  url: string,
  { scrape: more, ...options }: Record<string, unknown> = {},
  mode: JobKey["mode"] = "live",
): Promise<JobKey> {
  const key = { mode, id: newTaggedId(account.tag) };
  const scrape = { formats: ["text"], only_main_content: true, ...(more as object | undefined) };
  const defaults = { limit: 100, allow_subdomains: false, sitemap: "include", robots: "respect" };
  const batch: NewBatch = {
    ...key,
    kind: "crawl",
    keyId: "key",
    creditLimit: null,
    endpoint: "scrape",
    request: JSON.stringify({ url, ...defaults, ...options, scrape }),
    defaults: scrape,
    secrets: null,
    origin: ORIGIN,
    webhookUrl: null,
    pageEvents: false,
    labels: null,
    pages: [],
    prices: toPrices(env),
    first: { rendered: false, credits: mode === "test" ? 0 : 1 },
    idempotency: null,
  };
  const reply = await stubOf(account).createBatch(batch);
  if (reply.kind !== "created") throw new Error(reply.kind);
  await crawlStub(env, account, key.id).wake({ ...key, account });
  return key;
}

export interface EndedCrawl {
  batch: Batch;
  pages: BatchPage[];
  progress: CrawlProgress;
}

/** Waits for the end of a crawl, and returns it with all its pages. */
export async function awaitCrawl(account: AccountRef, key: JobKey): Promise<EndedCrawl> {
  for (;;) {
    const reply = await stubOf(account).getBatch(key, 30_000);
    if (reply.kind !== "batch") throw new Error(reply.kind);
    if (reply.batch.endedAt === null) continue;
    const pages: BatchPage[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const part = await stubOf(account).listPages({ ...key, after, limit: 100 });
      if (part.kind !== "pages") throw new Error(part.kind);
      pages.push(...part.pages);
      after = part.next;
    }
    const progress = await crawlStub(env, account, key.id).progress();
    if (progress === null) throw new Error("The crawl has no progress.");
    return { batch: reply.batch, pages, progress };
  }
}
