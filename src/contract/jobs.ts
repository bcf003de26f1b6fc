import { z } from "@hono/zod-openapi";
import { GET_WAIT_MAX_S } from "../model/limits";
import { Endpoint, JobId, JobMeta, JobStatus, PAGE, Pagination, wholeNumber } from "./common";
import { ErrorCode } from "./error-codes";
import { ParseData, ParseMeta } from "./parse";
import { ScrapeData } from "./scrape";
import { SerpData, SerpMeta } from "./serp";

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

/** The members of one endpoint's jobs: the result is the `data` of the synchronous answer. */
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

const scrapeMembers = membersOf("scrape", ScrapeData, JobMeta);
// What an endpoint adds to `meta` is there when the job has completed.
const parseMembers = membersOf("parse", ParseData, z.union([ParseMeta, JobMeta]));
const serpMembers = membersOf("serp", SerpData, z.union([SerpMeta, JobMeta]));
const success = z.literal(true);

export const JobRecord = z
  .discriminatedUnion("endpoint", [
    z.object(scrapeMembers).openapi("ScrapeJob"),
    z.object(parseMembers).openapi("ParseJob"),
    z.object(serpMembers).openapi("SerpJob"),
  ])
  .openapi("Job");
export type JobRecord = z.infer<typeof JobRecord>;

export const JobResponse = z
  .discriminatedUnion("endpoint", [
    z.object({ success, ...scrapeMembers }).openapi("ScrapeJobResponse"),
    z.object({ success, ...parseMembers }).openapi("ParseJobResponse"),
    z.object({ success, ...serpMembers }).openapi("SerpJobResponse"),
  ])
  .openapi("JobResponse");

export const JobListResponse = z
  .object({
    success: z.literal(true),
    data: z.array(JobRecord),
    pagination: Pagination,
  })
  .openapi("JobList");
