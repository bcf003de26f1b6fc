import { z } from "@hono/zod-openapi";
import { isId } from "../lib/id";
import { DAY_MS, GET_WAIT_MAX_S, LIST_OFFSET_MAX, MAX_FILTER_CHARS } from "../model/limits";
import { Endpoint, Instant, JobId, JobMeta, JobStatus, PAGE, Pagination, wholeNumber } from "./common";
import { ENDPOINT_SCHEMAS, valuesOf } from "./endpoint-schemas";
import { JobError, KnownErrorCode } from "./error-codes";
import { component, int, isTrue, nonEmptyText, text, time } from "./fields";
import { MetadataFilter, SHOWN_LABELS, TagFilter } from "./labels";
import { Outcome } from "./outcome";
import { checkView, VIEW_QUERY } from "./view-options";

export const JobQuery = z
  .strictObject({
    wait: wholeNumber(0, GET_WAIT_MAX_S).optional().openapi({
      description: "The response waits until the job has ended, for at most this number of seconds.",
    }),
    ...VIEW_QUERY,
  })
  .superRefine(checkView);

/** Returns the Unix ms of an ISO 8601 date or time. A date without a time means its first or its last moment in UTC. */
function toMs(text: string, dateMeans: "start" | "end"): number {
  const isDate = !text.includes("T");
  return Date.parse(text) + (isDate && dateMeans === "end" ? DAY_MS : 0);
}

const EXAMPLE_TIME = { type: "string", example: "2026-11-21T09:00:00Z" } as const;

export const JobListQuery = z
  .strictObject({
    status: JobStatus.optional(),
    endpoint: Endpoint.optional(),
    key_id: nonEmptyText(MAX_FILTER_CHARS).optional().openapi({
      description:
        "Only jobs of this API key. `dashboard` selects the jobs of the playground. A test key lists only its own jobs.",
    }),
    code: KnownErrorCode.optional().openapi({ description: "Only failed jobs with this error code." }),
    outcome: Outcome.optional().openapi({ description: "Only completed jobs with this outcome." }),
    from: Instant.transform((text) => toMs(text, "start"))
      .optional()
      .openapi({
        ...EXAMPLE_TIME,
        description: "Only jobs created at this time (ISO 8601) or later. A date means its start in UTC.",
      }),
    to: Instant.transform((text) => toMs(text, "end"))
      .optional()
      .openapi({
        ...EXAMPLE_TIME,
        description: "Only jobs created before this time (ISO 8601). A date includes the whole day in UTC.",
      }),
    q: nonEmptyText(MAX_FILTER_CHARS).optional().openapi({
      description: "Only jobs whose URL or query contains this text. The case of the letters A to Z doesn't matter.",
    }),
    tag: TagFilter,
    metadata: MetadataFilter,
    batch_id: text
      .refine(isId, "must be the id of a batch or crawl")
      .optional()
      .openapi({ description: "Only the pages of this batch or crawl." }),
    include: z
      .literal("children", { error: "must be 'children'" })
      .optional()
      .openapi({ description: "Also lists the pages of batches and crawls. By default, they are omitted." }),
    cursor: text
      .refine(isId, "must be the 'next_cursor' of an earlier page")
      .optional()
      .openapi({ description: "The `next_cursor` of the previous page. Keep the other parameters unchanged." }),
    ...PAGE,
    offset: wholeNumber(0, LIST_OFFSET_MAX, "; use 'cursor' to go further")
      .default(0)
      .openapi({
        default: 0,
        description: `The number of jobs to skip, at most ${LIST_OFFSET_MAX}. Use \`cursor\` to go further.`,
      }),
  })
  .refine(({ cursor, offset }) => cursor === undefined || offset === 0, {
    path: ["offset"],
    message: "can't be combined with 'cursor'",
  })
  .refine(({ from = 0, to = Number.POSITIVE_INFINITY }) => from < to, {
    path: ["to"],
    message: "must be later than 'from'",
  });

/** Returns the fields of one endpoint's jobs. `result` has the schema of a synchronous response's `data`. */
function membersOf<E extends Endpoint, Request extends z.ZodType, Data extends z.ZodType, Meta extends z.ZodType>(
  endpoint: E,
  { request, data, meta }: { request: Request; data: Data; meta: Meta },
) {
  return {
    job_id: JobId,
    status: JobStatus,
    endpoint: z.literal(endpoint),
    key_id: text.optional().openapi({
      description: "The id of the API key that created the job, or `dashboard` for a job of the playground.",
    }),
    request: z.union([request, z.null()]).optional().openapi({
      description:
        "The validated body of the request, with its default values. Secrets are removed: `webhook_url` shows only its origin, and `url` has no values of query parameters such as `token`. Null if the body was deleted after its retention period, or if `request_truncated` is true.",
    }),
    request_truncated: isTrue.optional().openapi({
      description: "True if the request isn't included, because it is larger than 16 KB.",
    }),
    stored: z.literal(false).optional().openapi({
      description:
        "False if the request has `store: false`. The request is then not stored, and `result` is null after it was read.",
    }),
    ...SHOWN_LABELS,
    batch_id: text.optional().openapi({ description: "The id of the batch or crawl, if the job is one of its pages." }),
    page: int.optional().openapi({ description: "The number of the page in its batch or crawl, counted from 1." }),
    outcome: Outcome.optional().openapi({
      description: "The kind of page that a completed job received. For a search or a map, it is always `ok`.",
    }),
    result: z.union([data, z.null()]).optional().openapi({
      description:
        "The result of a completed job. Null if it was deleted after its retention period, or if `result_truncated` is true.",
    }),
    result_truncated: isTrue.optional().openapi({
      description:
        "In lists: true if the result isn't included, because it is larger than 16 KB or stored separately. To get the result, read the job by its id.",
    }),
    error: JobError.optional().openapi({ description: "The error of a failed job." }),
    created_at: time,
    completed_at: time.optional().openapi({ description: "The time at which the job completed or failed." }),
    meta: meta.optional().openapi({
      description:
        "The duration and the price of the job, and further details of its run. Present after the job has ended.",
    }),
  };
}

const { scrape, parse, serp, map } = ENDPOINT_SCHEMAS;

// Each `meta` is a union, because a failed job's `meta` lacks the fields that the endpoint adds.
const MEMBERS = {
  scrape: membersOf("scrape", { ...scrape, meta: z.union([scrape.meta, JobMeta]) }),
  parse: membersOf("parse", { ...parse, meta: z.union([parse.meta, JobMeta]) }),
  serp: membersOf("serp", { ...serp, meta: z.union([serp.meta, JobMeta]) }),
  map: membersOf("map", { ...map, meta: z.union([map.meta, JobMeta]) }),
} satisfies { [E in Endpoint]: object };

export const JobRecord = z
  .discriminatedUnion(
    "endpoint",
    valuesOf({
      scrape: z.object(MEMBERS.scrape).openapi(`${scrape.name}Job`),
      parse: z.object(MEMBERS.parse).openapi(`${parse.name}Job`),
      serp: z.object(MEMBERS.serp).openapi(`${serp.name}Job`),
      map: z.object(MEMBERS.map).openapi(`${map.name}Job`),
    }),
  )
  .openapi("Job");
export type JobRecord = z.infer<typeof JobRecord>;

export const JobResponse = z
  .discriminatedUnion(
    "endpoint",
    valuesOf({
      scrape: z.object({ success: isTrue, ...MEMBERS.scrape }).openapi(`${scrape.name}JobResponse`),
      parse: z.object({ success: isTrue, ...MEMBERS.parse }).openapi(`${parse.name}JobResponse`),
      serp: z.object({ success: isTrue, ...MEMBERS.serp }).openapi(`${serp.name}JobResponse`),
      map: z.object({ success: isTrue, ...MEMBERS.map }).openapi(`${map.name}JobResponse`),
    }),
  )
  .openapi("JobResponse");

export const JobListResponse = component("JobList", {
  success: isTrue,
  data: z.array(JobRecord),
  pagination: Pagination.extend({
    archived_before: time.optional().openapi({
      description:
        "Present if the list would reach back to archived jobs. Jobs created before this time aren't listed. Read them by their ids.",
    }),
  }),
});
