import { Hono } from "hono";
import type { PageFilter, PagesReply } from "../../../account/batches/batch-types";
import { callAccount } from "../../../account/client";
import { streamPages } from "../../../jobs/batch-stream";
import { readSmallResult } from "../../../jobs/read-job";
import { discardResults } from "../../../jobs/temporary";
import { now } from "../../../lib/clock";
import { redactUrl } from "../../../lib/redact";
import { ZipWriter } from "../../../lib/zip-writer";
import type { Batch, BatchPage } from "../../../model/batch";
import { MAX_CONVERTED_BYTES } from "../../../model/limits";
import { toCsv } from "../../result-view/result-tables";
import { toDownloadHeaders } from "../../ui/download";
import type { DashboardEnv } from "../../ui/env";
import { toFileName } from "./batch-file-name";
import { expectBatch } from "./find-batch";

export const batchDownloads = new Hono<DashboardEnv>();

batchDownloads.get("/batches/:id/pages.zip", async (c) => {
  const batch = await expectBatch(c, c.req.param("id"));
  const headers = toDownloadHeaders(`${batch.kind}-${batch.id}.zip`, "application/zip");
  return c.body(streamZip(c.env, batch, now()), 200, headers);
});

batchDownloads.get("/batches/:id/pages.ndjson", async (c) => {
  const batch = await expectBatch(c, c.req.param("id"));
  const headers = toDownloadHeaders(`${batch.kind}-${batch.id}.ndjson`, "application/x-ndjson");
  return c.body(streamPages(c.env, batch, { after: 0 }), 200, headers);
});

/** The pages that one call to the account returns: 2.4 MB with results and requests of 60 KB each. */
const PAGES_PER_CALL = 20;
/**
 * The maximum number of calls to R2 for one file. A Worker can make 10,000 calls in one invocation. The pages of the
 * largest crawl need 500 calls to the account's Durable Object, and the deletion of their results up to 100.
 */
const MAX_R2_CALLS = 9_000;
const INDEX_HEADER = ["number", "url", "status", "outcome or error", "file", "note"];

/**
 * Streams a zip file with the results of a batch: a Markdown file for each page, or a JSON file if the result has no
 * Markdown. The last file is `index.csv`, a list of all pages. Holds one result of at most 16 MB in memory at a time.
 * After the last byte, deletes each result of a page with `store: false` if the file contains all of it. `now` is in
 * Unix ms.
 */
function streamZip(env: Env, batch: Batch, now: number): ReadableStream<Uint8Array> {
  const chunks = toChunks(env, batch, new ZipWriter(now));
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return();
    },
  });
}

async function* toChunks(env: Env, batch: Batch, zip: ZipWriter): AsyncGenerator<Uint8Array, void> {
  const index: string[][] = [];
  const read: string[] = [];
  let r2Calls = 0;
  for await (const page of readAllPages(env, batch)) {
    const { number, url, job } = page;
    if (job?.resultStored) r2Calls++;
    const file = r2Calls > MAX_R2_CALLS ? "left out" : await toFile(env, page);
    const isAdded = typeof file !== "string" && zip.hasRoomFor(file.content.byteLength);
    if (isAdded) yield* zip.add(file.name, file.content);
    if (isAdded && file.isComplete && job?.isTemporary) read.push(job.id);
    index.push([
      String(number),
      redactUrl(url ?? ""),
      job?.status ?? "not started",
      job?.error?.code ?? job?.outcome ?? "",
      isAdded ? file.name : "",
      typeof file === "string" ? NOTES[file] : isAdded ? "" : NOTES["left out"],
    ]);
  }
  const table = toCsv([{ name: "Pages", header: INDEX_HEADER, rows: index }]);
  yield* zip.add("index.csv", new TextEncoder().encode(table));
  yield* zip.end();
  await discardResults(env, batch, read);
}

const NOTES = {
  none: "",
  expired: "The result has expired.",
  repeated: "The page redirects to an earlier page of the crawl.",
  "too large": "The result is too large for this file. Download it from the page of the job.",
  "left out": "This file can't hold more results. Download the NDJSON instead.",
};

interface PageFile {
  name: string;
  content: Uint8Array;
  /** False if the result has fields that the file doesn't contain. */
  isComplete: boolean;
}

/** Returns the file of a page, or the reason why there is none. */
async function toFile(env: Env, page: BatchPage): Promise<PageFile | keyof typeof NOTES> {
  const { job } = page;
  if (job?.status !== "completed") return "none";
  const data = await readSmallResult(env, job, MAX_CONVERTED_BYTES);
  if (data === null) return "expired";
  if (data === "too large") return data;
  if (Object.keys(data).length === 0 && job.extras?.duplicate_of !== undefined) return "repeated";
  const { markdown } = data;
  const isMarkdown = typeof markdown === "string";
  const text = isMarkdown ? markdown : `${JSON.stringify(data, null, 2)}\n`;
  const name = toFileName({ number: page.number, url: redactUrl(page.url ?? "") }, isMarkdown ? "md" : "json");
  const isComplete = !isMarkdown || Object.keys(data).length === 1;
  return { name, content: new TextEncoder().encode(text), isComplete };
}

/** Yields the pages of a batch in the order of their numbers. */
async function* readAllPages(env: Env, { account, mode, id }: Batch): AsyncGenerator<BatchPage> {
  for (let after: number | null = 0; after !== null; ) {
    const filter: PageFilter = { mode, id, after, limit: PAGES_PER_CALL, isFull: true };
    const reply: PagesReply = await callAccount(env, account, (stub) => stub.listPages(filter));
    if (reply.kind === "missing") return;
    yield* reply.pages;
    after = reply.next;
  }
}
