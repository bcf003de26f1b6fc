import { z } from "@hono/zod-openapi";
import { BATCH_FIELDS, BatchId, PageEndpoint } from "./batches";
import { JobId, JobMeta, JobStatus } from "./common";
import { JobError } from "./error-codes";
import { component, int, isTrue, text, time } from "./fields";
import { SHOWN_LABELS } from "./labels";
import { Outcome, PAGE_META } from "./outcome";
import { ParseData } from "./parse";
import { ScrapeData } from "./scrape";
import { VIEW_META, VIEW_TRUNCATED } from "./view-options";

const { created_at: _created, completed_at: _completed, ...FIELDS } = BATCH_FIELDS;

const EndMeta = z.object({ created_at: time, completed_at: z.iso.datetime() });

const CrawlId = BatchId;

export const BatchCompletedEvent = component("BatchCompletedEvent", {
  event: z.literal("batch.completed"),
  batch_id: BatchId,
  ...FIELDS,
  meta: EndMeta,
});

export const CrawlCompletedEvent = component("CrawlCompletedEvent", {
  event: z.literal("crawl.completed"),
  crawl_id: CrawlId,
  ...FIELDS,
  meta: EndMeta,
});

const PAGE_FIELDS = {
  page: int.openapi({ description: "The number of the page, counted from 1." }),
  url: z.union([text, z.null()]).openapi({
    description: "Null if the request has `store: false` and its result was deleted before the event was sent.",
  }),
  job_id: JobId,
  status: JobStatus,
  endpoint: PageEndpoint,
  ...SHOWN_LABELS,
  result: z.union([ScrapeData, ParseData, z.null()]).optional().openapi({
    description:
      "The result of a completed page. Null if it is larger than 1 MB (`result_truncated` is true). In that case, read the job to get the result.",
  }),
  result_truncated: isTrue.optional(),
  error: JobError.optional().openapi({ description: "The error of a failed page." }),
  meta: JobMeta.extend({
    created_at: time,
    completed_at: time,
    outcome: Outcome.optional(),
    ...VIEW_META,
    truncated: VIEW_TRUNCATED,
  }),
};

export const BatchPageEvent = component("BatchPageEvent", {
  event: z.literal("batch.page"),
  batch_id: BatchId,
  ...PAGE_FIELDS,
});

export const CrawlPageEvent = component("CrawlPageEvent", {
  event: z.literal("crawl.page"),
  crawl_id: CrawlId,
  ...PAGE_FIELDS,
  meta: PAGE_FIELDS.meta.extend({
    depth: PAGE_META.depth,
    duplicate_of: PAGE_META.duplicate_of,
    skipped: PAGE_META.skipped,
  }),
});
