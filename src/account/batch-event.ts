import { toErrorRecord } from "../contract/error-codes";
import { toIso } from "../lib/clock";
import type { Batch } from "../model/batch";
import { toShownLabels } from "../model/labels";

/** Returns the body of the event that reports the end of a batch or crawl. */
export function toBatchEvent(batch: Batch): Record<string, unknown> {
  const { kind, id, status, endpoint, error, counts, credits, createdAt, endedAt } = batch;
  return {
    event: `${kind}.completed`,
    [kind === "crawl" ? "crawl_id" : "batch_id"]: id,
    status,
    endpoint,
    ...toShownLabels(batch.labels),
    ...(error !== null && { error: toErrorRecord(error, batch.origin) }),
    counts: toShownCounts(counts),
    credits: toShownCredits(credits),
    meta: { created_at: toIso(createdAt), completed_at: toIso(endedAt ?? createdAt) },
  };
}

/** Returns the counts of a batch in the API's format. */
export function toShownCounts({ total, pending, running, completed, failed, byCode }: Batch["counts"]) {
  return { total, pending, running, completed, failed, by_code: byCode };
}

/** Returns the credits of a batch in the API's format. */
export function toShownCredits({ reserved, used, givenBack }: Batch["credits"]) {
  return { reserved, used, given_back: givenBack };
}
