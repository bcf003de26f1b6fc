import { z } from "@hono/zod-openapi";
import { isId } from "../lib/id";
import { BATCH_EVENTS, PAGE_ENDPOINTS } from "../model/batch";
import { GET_WAIT_MAX_S, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, MAX_BATCH_REQUESTS } from "../model/limits";
import { EXAMPLE_JOB_ID, JobId, JobMeta, JobStatus, POSITION_MAX, WebhookUrl, wholeNumber } from "./common";
import { JobError } from "./error-codes";
import { component, dryRunResponse, int, isTrue, text, time } from "./fields";
import { LABELS, SHOWN_LABELS } from "./labels";
import { Outcome } from "./outcome";
import { ParseData, ParseMeta } from "./parse";
import { PRICE_OPTIONS } from "./price-options";
import { ScrapeData, ScrapeMeta } from "./scrape";
import { checkView, VIEW_META, VIEW_QUERY, VIEW_TRUNCATED } from "./view-options";

export const PageEndpoint = z.enum(PAGE_ENDPOINTS).openapi("PageEndpoint", {
  description: "The endpoint of all requests.",
});

const REQUESTS_RULE = `must have 1 to ${MAX_BATCH_REQUESTS} entries`;

/** The fields of an entry are checked later, after `defaults` are added to it. */
const Options = z.record(text, z.unknown());

/** Returns the schema of the events that a request selects. The first event is always sent. */
export function eventsOf<Event extends string>(events: readonly [Event, ...Event[]]) {
  const [first] = events;
  return z
    .array(z.enum(events))
    .refine((selected) => selected.some((event) => event === first), {
      message: `must include '${first}', because this event is always sent`,
    })
    .transform((selected) => [...new Set(selected)]);
}

/** Refuses a selection of events without the URL to which they are sent. */
export function checkEvents(
  { webhook_url, webhook_events }: { webhook_url?: string | undefined; webhook_events?: unknown },
  context: z.RefinementCtx,
): void {
  if (webhook_events === undefined || webhook_url !== undefined) return;
  const message =
    "requires 'webhook_url'. To select the events of the account's webhook endpoints, change the settings of the endpoints";
  context.addIssue({ code: "custom", path: ["webhook_events"], message });
}

export const BatchRequest = z
  .strictObject({
    endpoint: PageEndpoint,
    requests: z
      .array(z.unknown())
      .min(1, REQUESTS_RULE)
      .max(MAX_BATCH_REQUESTS, REQUESTS_RULE)
      .openapi({
        type: "array",
        minItems: 1,
        maxItems: MAX_BATCH_REQUESTS,
        items: {
          type: "object",
          required: ["url"],
          properties: { url: { type: "string", description: "An absolute http or https URL." } },
          additionalProperties: true,
        },
        description:
          "The requests. Each has a `url` and can have the options of the endpoint, except `webhook_url`, `dry_run`, `html`, `file` and `capture_id`. Each request becomes one page of the batch.",
      }),
    defaults: Options.optional().openapi({
      type: "object",
      additionalProperties: true,
      description:
        "Default options for all requests. A field of a request replaces the default with the same name. A request together with its defaults can have at most 60 KB. The distinct selectors, schemas and actions of a batch can have at most 250,000 characters in total.",
      example: { formats: ["markdown"] },
    }),
    webhook_url: WebhookUrl.optional().openapi({
      description:
        "The URL to which the events of this batch are sent. It replaces the account's webhook endpoints. It must use https, be public, and have no user name or password.",
    }),
    webhook_events: eventsOf(BATCH_EVENTS)
      .optional()
      .openapi({
        description:
          "The events that are sent to `webhook_url`. `batch.completed` must be in the list. `batch.page` is sent at the end of each page.",
        example: ["batch.completed"],
      }),
    ignore_invalid: z.boolean().optional().openapi({
      description:
        "If true, invalid requests are omitted and listed in `invalid`. Otherwise, the whole batch is refused if a request is invalid.",
    }),
    dry_run: PRICE_OPTIONS.dry_run.openapi({
      description:
        "If true, only checks the requests and returns the highest price of the batch. No batch is created and nothing is charged.",
    }),
    max_credits: PRICE_OPTIONS.max_credits.openapi({
      description:
        "The most credits that all pages together may cost. If the highest price of the batch is more, it is refused with `price_limit`. The `max_credits` of a request or of `defaults` limits each page.",
    }),
    ...LABELS,
  })
  .superRefine(checkEvents)
  .openapi("BatchRequest");
export type BatchRequest = z.infer<typeof BatchRequest>;

export const BatchId = text.openapi({ example: EXAMPLE_JOB_ID });

const BatchCounts = component("BatchCounts", {
  total: int.openapi({ description: "The number of all pages. For a crawl, the number of pages that it has started." }),
  pending: int.openapi({ description: "The number of pages that haven't started." }),
  running: int,
  completed: int,
  failed: int.openapi({
    description: "The number of failed pages. If a batch ends early, the pages that never started count as failed.",
  }),
  by_code: z.record(text, int).openapi({
    description: "The number of ended pages by outcome, such as `ok`, or by error code.",
  }),
});

const BatchCredits = component("BatchCredits", {
  reserved: int.openapi({ description: "The reserved credits of running pages." }),
  used: int,
  given_back: int.openapi({
    description: "The credits that were reserved for finished pages but not charged.",
  }),
});

/** The fields that batches and crawls share. */
export const BATCH_FIELDS = {
  status: JobStatus.openapi({
    description:
      "`completed` means that all pages have ended, even if some have failed. `failed` means that the batch was canceled, or that the account couldn't pay for its next page.",
  }),
  endpoint: PageEndpoint,
  counts: BatchCounts,
  credits: BatchCredits,
  error: JobError.optional().openapi({ description: "The reason why some pages weren't started." }),
  ...SHOWN_LABELS,
  created_at: time,
  completed_at: time.optional().openapi({ description: "The time at which the last page ended or the batch stopped." }),
};

/** A batch without its pages. */
export const BatchRecord = component("Batch", { batch_id: BatchId, ...BATCH_FIELDS });
export type BatchRecord = z.infer<typeof BatchRecord>;

export const PageRecord = component("BatchPage", {
  number: int.openapi({ description: "The position of the page, counted from 1." }),
  url: z.union([text, z.null()]).openapi({
    description: "Null if the request has `store: false` and its result was deleted.",
  }),
  job_id: z.union([JobId, z.null()]).openapi({ description: "Null if the page hasn't started." }),
  status: JobStatus,
  outcome: Outcome.optional(),
  result: z.union([ScrapeData, ParseData, z.null()]).optional().openapi({
    description: "The result of a completed page. Null after its retention period, or if `result_truncated` is true.",
  }),
  result_truncated: isTrue.optional().openapi({
    description:
      "True if the result isn't included. This happens with `results=none`, if the result is larger than 10 MB, or if the request has `store: false`. To get the result, read the job by its id, or read the pages as NDJSON.",
  }),
  error: JobError.optional().openapi({
    description: "The error of a failed page. A page that never started has the error of its batch.",
  }),
  ...VIEW_META,
  truncated: VIEW_TRUNCATED,
  meta: z.union([ScrapeMeta, ParseMeta, JobMeta]).optional(),
});
export type PageRecord = z.infer<typeof PageRecord>;

/** The pages in the response of a batch or crawl. */
export const PAGES = {
  pages: z.array(PageRecord).openapi({ description: "The pages in the order of their numbers." }),
  next_cursor: text.optional().openapi({
    description:
      "Pass this value as `cursor` to get the next pages. Absent if these are the last pages. A response has at most 10 MB of results, so it can have fewer pages than `limit`.",
  }),
};

export const BatchResponse = component("BatchResponse", {
  success: isTrue,
  batch_id: BatchId,
  ...BATCH_FIELDS,
  ...PAGES,
});

/** Returns the schema of a list of batches or crawls. */
export function listOf<Record extends z.ZodType>(name: string, record: Record) {
  return component(name, {
    success: isTrue,
    data: z.array(record).openapi({ description: "Newest first, without their pages." }),
    next_cursor: text.optional().openapi({ description: "Pass this value as `cursor` to get the next part." }),
  });
}

export const BatchListResponse = listOf("BatchListResponse", BatchRecord);

export const BatchListQuery = z.strictObject({
  status: z
    .enum([...JobStatus.options, "unfinished"])
    .optional()
    .openapi({ description: "Only those with this status. `unfinished` selects `queued` and `processing`." }),
  cursor: text.refine(isId, "must be the 'next_cursor' of an earlier response").optional().openapi({
    description: "The `next_cursor` of the previous response. Keep `status` unchanged.",
  }),
  limit: wholeNumber(1, LIST_LIMIT_MAX)
    .default(LIST_LIMIT_DEFAULT)
    .openapi({ default: LIST_LIMIT_DEFAULT, description: "The maximum number in one response." }),
});
export type BatchListQuery = z.infer<typeof BatchListQuery>;

/** The response to a request that changes a batch. It has no pages. */
export const ChangedBatch = component("ChangedBatch", { success: isTrue, batch_id: BatchId, ...BATCH_FIELDS });

export const InvalidEntry = component("InvalidBatchEntry", {
  index: int.openapi({ description: "The index of the request in `requests`, counted from 0." }),
  details: z.array(z.object({ path: text, message: text })),
});
export type InvalidEntry = z.infer<typeof InvalidEntry>;

const invalid = z.array(InvalidEntry).optional().openapi({
  description: "The invalid requests. Present if the request has `ignore_invalid: true` and some requests are invalid.",
});

export const BatchAccepted = component("BatchAccepted", {
  success: isTrue,
  batch_id: BatchId,
  ...BATCH_FIELDS,
  meta: z.object({
    credits_max: int.openapi({ description: "The highest price of the whole batch, in credits." }),
  }),
  invalid,
});

/** The fields that the dry runs of batches and crawls have in common. */
export const DRY_RUN_FIELDS = {
  pages: int.openapi({ description: "The maximum number of pages that the batch or crawl can start." }),
  max_credits: int.openapi({ description: "The highest total price of all pages, in credits." }),
  balance: int.openapi({ description: "The credits that are currently available to the account." }),
};

export const BatchDryRun = component("BatchDryRun", { ...DRY_RUN_FIELDS, invalid });
export type BatchDryRun = z.infer<typeof BatchDryRun>;

export const BatchDryRunResponse = dryRunResponse("BatchDryRunResponse", BatchDryRun);

/** The query parameters with which the pages of a batch or crawl are read. */
export const PagesQuery = z
  .strictObject({
    cursor: wholeNumber(0, POSITION_MAX).optional().openapi({
      description: "The `next_cursor` of the previous response. Only pages with a higher number are returned.",
    }),
    limit: wholeNumber(1, LIST_LIMIT_MAX)
      .default(LIST_LIMIT_DEFAULT)
      .openapi({ default: LIST_LIMIT_DEFAULT, description: "The number of pages to return." }),
    results: z.enum(["full", "none"]).default("full").openapi({
      description: "`none` omits the results of the pages. Use it to poll the status.",
    }),
    wait: wholeNumber(0, GET_WAIT_MAX_S).optional().openapi({
      description: "The number of seconds for which the service holds the response if not all pages have ended.",
    }),
    ...VIEW_QUERY,
  })
  .superRefine(checkView);
