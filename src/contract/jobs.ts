import { z } from "@hono/zod-openapi";
import { isId } from "../lib/id";
import { GET_WAIT_MAX_S, LIST_OFFSET_MAX, MAX_FILTER_CHARS } from "../model/limits";
import { Endpoint, JobId, JobMeta, JobStatus, PAGE, Pagination, wholeNumber } from "./common";
import { ENDPOINT_SCHEMAS, valuesOf } from "./endpoint-schemas";
import { ErrorCode, KnownErrorCode } from "./error-codes";
import { Outcome } from "./outcome";

export const JobQuery = z.strictObject({
  wait: wholeNumber(0, GET_WAIT_MAX_S).optional().openapi({
    description: "The response waits until the job has ended, for at most this number of seconds.",
  }),
});

/** An ISO 8601 date, or date and time, converted to Unix ms. A date without a time means midnight UTC. */
const Instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: "must be an ISO 8601 date, or a date and time with a time zone, such as 2026-11-21T09:00:00Z",
  })
  .transform((text) => Date.parse(text));

const instant = (description: string) =>
  Instant.optional().openapi({ type: "string", description, example: "2026-11-21T09:00:00Z" });

export const JobListQuery = z
  .strictObject({
    status: JobStatus.optional(),
    endpoint: Endpoint.optional(),
    key_id: z
      .string()
      .min(1, "must not be empty")
      .max(MAX_FILTER_CHARS, `must have at most ${MAX_FILTER_CHARS} characters`)
      .optional()
      .openapi({
        description:
          "Only jobs of this API key. `dashboard` selects the jobs of the playground. A test key lists only its own jobs.",
      }),
    code: KnownErrorCode.optional().openapi({ description: "Only failed jobs with this error code." }),
    outcome: Outcome.optional().openapi({ description: "Only completed jobs with this outcome." }),
    since: instant("Only jobs created at this time or later."),
    until: instant("Only jobs created before this time."),
    text: z
      .string()
      .min(1, "must not be empty")
      .max(MAX_FILTER_CHARS, `must have at most ${MAX_FILTER_CHARS} characters`)
      .optional()
      .openapi({
        description: "Only jobs whose URL or query contains this text. ASCII letters match regardless of case.",
      }),
    cursor: z
      .string()
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
  });

export const JobError = z.object({ code: ErrorCode, message: z.string() }).openapi("JobError");

/** Returns the fields of one endpoint's jobs. `result` has the schema of a synchronous response's `data`. */
function membersOf<E extends Endpoint, Data extends z.ZodType, Meta extends z.ZodType>(
  endpoint: E,
  data: Data,
  meta: Meta,
) {
  return {
    job_id: JobId,
    status: JobStatus,
    endpoint: z.literal(endpoint),
    result: z.union([data, z.null()]).optional().openapi({
      description:
        "The result of a completed job. Null if it was deleted after its retention period, or if `result_truncated` is true.",
    }),
    result_truncated: z.literal(true).optional().openapi({
      description:
        "In lists: true if the result isn't included, because it is larger than 16 KB or stored separately. To get the result, read the job by its id.",
    }),
    error: JobError.optional().openapi({ description: "The error of a failed job." }),
    created_at: z.iso.datetime(),
    completed_at: z.iso
      .datetime()
      .optional()
      .openapi({ description: "The time at which the job completed or failed." }),
    meta: meta.optional().openapi({
      description:
        "The duration and the price of the job, and further details of its run. Present after the job has ended.",
    }),
  };
}

const { scrape, parse, serp } = ENDPOINT_SCHEMAS;

// Each `meta` is a union, because a failed job's `meta` lacks the fields that the endpoint adds.
const MEMBERS = {
  scrape: membersOf("scrape", scrape.data, z.union([scrape.meta, JobMeta])),
  parse: membersOf("parse", parse.data, z.union([parse.meta, JobMeta])),
  serp: membersOf("serp", serp.data, z.union([serp.meta, JobMeta])),
} satisfies { [E in Endpoint]: object };

const success = z.literal(true);

export const JobRecord = z
  .discriminatedUnion(
    "endpoint",
    valuesOf({
      scrape: z.object(MEMBERS.scrape).openapi(`${scrape.name}Job`),
      parse: z.object(MEMBERS.parse).openapi(`${parse.name}Job`),
      serp: z.object(MEMBERS.serp).openapi(`${serp.name}Job`),
    }),
  )
  .openapi("Job");
export type JobRecord = z.infer<typeof JobRecord>;

export const JobResponse = z
  .discriminatedUnion(
    "endpoint",
    valuesOf({
      scrape: z.object({ success, ...MEMBERS.scrape }).openapi(`${scrape.name}JobResponse`),
      parse: z.object({ success, ...MEMBERS.parse }).openapi(`${parse.name}JobResponse`),
      serp: z.object({ success, ...MEMBERS.serp }).openapi(`${serp.name}JobResponse`),
    }),
  )
  .openapi("JobResponse");

export const JobListResponse = z
  .object({
    success: z.literal(true),
    data: z.array(JobRecord),
    pagination: Pagination,
  })
  .openapi("JobList");
