import { z } from "@hono/zod-openapi";
import { GET_WAIT_MAX_S } from "../model/limits";
import { Endpoint, JobId, JobMeta, JobStatus, PAGE, Pagination, wholeNumber } from "./common";
import { ENDPOINT_SCHEMAS, valuesOf } from "./endpoint-schemas";
import { ErrorCode } from "./error-codes";

export const JobQuery = z.strictObject({
  wait: wholeNumber(0, GET_WAIT_MAX_S).optional().openapi({
    description: "Holds the answer until the job has ended or this many seconds are over.",
  }),
});

export const JobListQuery = z.strictObject({
  status: JobStatus.optional(),
  endpoint: Endpoint.optional(),
  ...PAGE,
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
      description: "In lists: the result is larger than 16 KB; read the job itself.",
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
