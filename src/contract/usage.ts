import { z } from "@hono/zod-openapi";
import { Endpoint } from "./common";

const count = z.number().int();
const duration = (share: number) =>
  z
    .number()
    .int()
    .nullable()
    .openapi({
      description: `The ${share}th percentile of the durations of completed jobs, with an error of at most 5%. Null if no job completed.`,
    });

/** The totals in each row of the usage report. */
const COUNTS = {
  requests: count.openapi({
    description: "The number of jobs that have ended. A job counts for the day on which it was created.",
  }),
  credits: count,
};
const DETAILS = {
  failed: count.openapi({ description: "The number of jobs that failed. `requests` includes them." }),
  p50_ms: duration(50),
  p95_ms: duration(95),
};

export const Usage = z
  .object({
    success: z.literal(true),
    data: z.object({
      balance: count.openapi({ description: "The number of credits that can be spent." }),
      reserved: count.openapi({ description: "The number of credits reserved for jobs that haven't ended." }),
      period: z.object({ start: z.iso.datetime(), end: z.iso.datetime(), granted: count, used: count }),
      days: z.array(
        z.object({ date: z.iso.date(), endpoint: Endpoint, ...COUNTS, ...z.object(DETAILS).partial().shape }),
      ),
      by_endpoint: z.array(z.object({ endpoint: Endpoint, ...COUNTS, ...DETAILS })).optional(),
      by_key: z
        .array(z.object({ key_id: z.string(), ...COUNTS, ...DETAILS }))
        .optional()
        .openapi({
          description:
            "Usage by API key, sorted by the number of requests in descending order. The key id `dashboard` stands for the playground.",
        }),
      by_code: z
        .array(z.object({ code: z.string(), ...COUNTS, ...DETAILS }))
        .optional()
        .openapi({
          description:
            "Usage by result: the outcome of a completed job, such as `ok`, or the error code of a failed job.",
        }),
    }),
  })
  .openapi("Usage");
