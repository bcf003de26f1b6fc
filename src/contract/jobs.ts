import { z } from "@hono/zod-openapi";
import { GET_WAIT_MAX_S, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from "../limits";
import { Endpoint, JobMeta, JobStatus, Pagination, wholeNumber } from "./common";

export const JobQuery = z.strictObject({
  wait: wholeNumber(0, GET_WAIT_MAX_S).optional().openapi({
    type: "integer",
    description: "Holds the answer until the job has ended or this many seconds are over.",
  }),
});

export const JobListQuery = z.strictObject({
  status: JobStatus.optional(),
  endpoint: Endpoint.optional(),
  limit: wholeNumber(1, LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT).openapi({ type: "integer" }),
  offset: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).openapi({ type: "integer" }),
});

const JobFields = z.object({
  job_id: z.string(),
  status: JobStatus,
  endpoint: Endpoint,
  result: z.record(z.string(), z.unknown()).nullable().optional(),
  result_truncated: z.literal(true).optional().openapi({
    description: "In lists: the result is larger than 16 KB; read the job itself.",
  }),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  created_at: z.iso.datetime(),
  completed_at: z.iso.datetime().optional().openapi({ description: "When the job ended, also of a failed one." }),
  meta: JobMeta.loose().optional().openapi({ description: "Once the job has ended." }),
});

export const JobRecord = JobFields.openapi("Job");
export type JobRecord = z.infer<typeof JobRecord>;

export const JobResponse = JobFields.extend({ success: z.literal(true) }).openapi("JobResponse");

export const JobListResponse = z
  .object({
    success: z.literal(true),
    data: z.array(JobRecord),
    pagination: Pagination,
  })
  .openapi("JobList");
