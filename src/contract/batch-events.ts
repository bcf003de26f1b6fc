import { z } from "@hono/zod-openapi";
import { BATCH_FIELDS, BatchId, PageEndpoint } from "./batches";
import { JobId, JobMeta, JobStatus } from "./common";
import { JobError } from "./jobs";
import { SHOWN_LABELS } from "./labels";
import { Outcome, PAGE_META } from "./outcome";
import { ParseData } from "./parse";
import { ScrapeData } from "./scrape";

const { created_at: _created, completed_at: _completed, ...FIELDS } = BATCH_FIELDS;

const EndMeta = z.object({ created_at: z.iso.datetime(), completed_at: z.iso.datetime() });

const CrawlId = BatchId;

export const BatchCompletedEvent = z
  .object({ event: z.literal("batch.completed"), batch_id: BatchId, ...FIELDS, meta: EndMeta })
  .openapi("BatchCompletedEvent");

export const CrawlCompletedEvent = z
  .object({ event: z.literal("crawl.completed"), crawl_id: CrawlId, ...FIELDS, meta: EndMeta })
  .openapi("CrawlCompletedEvent");

const PAGE_FIELDS = {
  page: z.int().openapi({ type: "integer", description: "The number of the page, counted from 1." }),
  url: z.union([z.string(), z.null()]).openapi({
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
  result_truncated: z.literal(true).optional(),
  error: JobError.optional().openapi({ description: "The error of a failed page." }),
  meta: JobMeta.extend({
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime(),
    outcome: Outcome.optional(),
  }),
};

export const BatchPageEvent = z
  .object({ event: z.literal("batch.page"), batch_id: BatchId, ...PAGE_FIELDS })
  .openapi("BatchPageEvent");

export const CrawlPageEvent = z
  .object({
    event: z.literal("crawl.page"),
    crawl_id: CrawlId,
    ...PAGE_FIELDS,
    meta: PAGE_FIELDS.meta.extend({ depth: PAGE_META.depth, duplicate_of: PAGE_META.duplicate_of }),
  })
  .openapi("CrawlPageEvent");
