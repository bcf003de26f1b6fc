import type { z } from "@hono/zod-openapi";
import type { CrawlRecord } from "../contract/crawls";
import { toBatchFields } from "../jobs/batch-records";
import { log, toLogged } from "../lib/log";
import { redactUrl } from "../lib/redact";
import type { Batch } from "../model/batch";
import type { CrawlProgress, SkippedUrl, SkipReason } from "../model/crawl";
import { crawlStub } from "../store/namespaces";

/** Returns a crawl in the API's format, without its pages. */
export async function readCrawlRecord(env: Env, batch: Batch): Promise<z.output<typeof CrawlRecord>> {
  return { crawl_id: batch.id, ...toBatchFields(batch), ...(await readCrawlProgress(env, batch)) };
}

/**
 * Returns the number of URLs that a crawl has found and skipped, in the API's format, and a note about an unexpected
 * end. The numbers are omitted after the crawl's retention, and if its Durable Object can't be reached.
 */
export async function readCrawlProgress(env: Env, batch: Batch) {
  const progress = await callProgress(env, batch);
  const note = progress?.note ?? toFailureNote(batch);
  return {
    ...(progress !== null && { discovered: progress.discovered, skipped: progress.skipped }),
    ...(note !== null && { note }),
  };
}

/** Returns one part of the URLs that a crawl doesn't visit, in the API's format. `cursor` is the id of a URL. */
export async function readSkipped(
  env: Env,
  { account, id }: Batch,
  {
    reason = null,
    cursor: after = 0,
    limit,
  }: { reason?: SkipReason | null | undefined; cursor?: number | undefined; limit: number },
): Promise<{ data: Pick<SkippedUrl, "url" | "reason">[]; next_cursor?: string }> {
  const found = await crawlStub(env, account, id).listSkipped({ reason, after, limit: limit + 1 });
  const shown = found.slice(0, limit);
  return {
    data: shown.map((skipped) => ({ url: redactUrl(skipped.url), reason: skipped.reason })),
    ...(found.length > limit && { next_cursor: String(shown.at(-1)?.id) }),
  };
}

async function callProgress(env: Env, { account, id }: Batch): Promise<CrawlProgress | null> {
  try {
    return await crawlStub(env, account, id).progress();
  } catch (error) {
    log("warn", "crawl_not_read", { crawl_id: id, ...toLogged(error) });
    return null;
  }
}

function toFailureNote({ endedAt, error, counts }: Batch): string | null {
  if (endedAt === null || error !== null || counts.total !== 1 || counts.failed !== 1) return null;
  const [code] = Object.keys(counts.byCode);
  return `The first page failed with ${code}, so the crawl found no links. The page's error has the details.`;
}
