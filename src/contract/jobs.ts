import { z } from "@hono/zod-openapi";
import { isId } from "../lib/id";
import { OUTCOMES } from "../model/job";
import { GET_WAIT_MAX_S, LIST_OFFSET_MAX, MAX_FILTER_CHARS } from "../model/limits";
import { Endpoint, JobId, JobMeta, JobStatus, PAGE, Pagination, wholeNumber } from "./common";
import { ENDPOINT_SCHEMAS, valuesOf } from "./endpoint-schemas";
import { ErrorCode, KnownErrorCode } from "./error-codes";

export const JobQuery = z.strictObject({
  wait: wholeNumber(0, GET_WAIT_MAX_S).optional().openapi({
    description: "Holds the answer until the job has ended or this many seconds are over.",
  }),
});

/** A date or a date with a time, as Unix ms. A date begins at midnight UTC. */
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
        description: "Jobs of this key, or `dashboard` for those of the playground. A test key lists only its own.",
      }),
    code: KnownErrorCode.optional().openapi({ description: "Failed jobs with this error code." }),
    outcome: z
      .enum(OUTCOMES)
      .optional()
      .openapi({ description: "Completed jobs with this kind of page. `ok` is an ordinary one." }),
    since: instant("Jobs created at this time or later."),
    until: instant("Jobs created before this time."),
    text: z
      .string()
      .min(1, "must not be empty")
      .max(MAX_FILTER_CHARS, `must have at most ${MAX_FILTER_CHARS} characters`)
      .optional()
      .openapi({ description: "Jobs whose URL or query contains this text. ASCII letters match in either case." }),
    cursor: z
      .string()
      .refine(isId, "must be the 'next_cursor' of an earlier page")
      .optional()
      .openapi({ description: "Goes on after the page that gave it as `next_cursor`. Keep the other filters." }),
    ...PAGE,
    offset: wholeNumber(0, LIST_OFFSET_MAX, "; use 'cursor' to go further")
      .default(0)
      .openapi({ default: 0, description: `How many to skip: at most ${LIST_OFFSET_MAX}. \`cursor\` goes further.` }),
  })
  .refine(({ cursor, offset }) => cursor === undefined || offset === 0, {
    path: ["offset"],
    message: "can't be combined with 'cursor'",
  });

export const JobError = z.object({ code: ErrorCode, message: z.string() }).openapi("JobError");

/** Returns the members of one endpoint's jobs. The result is the `data` of the synchronous response. */
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
      description: "Of a completed job. Null: it isn't kept any more, or `result_truncated` says why.",
    }),
    result_truncated: z.literal(true).optional().openapi({
      description:
        "In lists: the result isn't included, because it is larger than 16 KB or stored elsewhere. Read the job itself.",
    }),
    error: JobError.optional().openapi({ description: "Of a failed job." }),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().optional().openapi({ description: "When the job ended, also of a failed one." }),
    meta: meta.optional().openapi({ description: "Once the job has ended." }),
  };
}

const { scrape, parse, serp } = ENDPOINT_SCHEMAS;

// What an endpoint adds to `meta` is there when the job has completed.
const MEMBERS = {
  scrape: membersOf("scrape", scrape.data, JobMeta),
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
