import { z } from "@hono/zod-openapi";
import { Endpoint } from "./common";

const count = z.number().int();
const duration = (share: number) =>
  z
    .number()
    .int()
    .nullable()
    .openapi({
      description: `The ${share}th percentile of the durations of completed jobs, within 5 %. Null if there are none.`,
    });

/** What is added up for each part of the usage. */
const COUNTS = {
  requests: count.openapi({ description: "Jobs that have ended, by the day on which they were created." }),
  credits: count,
};
const DETAILS = {
  failed: count.openapi({ description: "The failed ones among the requests." }),
  p50_ms: duration(50),
  p95_ms: duration(95),
};

export const Usage = z
  .object({
    success: z.literal(true),
    data: z.object({
      balance: count.openapi({ description: "Credits that can be spent." }),
      reserved: count.openapi({ description: "Credits of jobs that haven't ended." }),
      period: z.object({ start: z.iso.datetime(), end: z.iso.datetime(), granted: count, used: count }),
      days: z.array(
        z.object({ date: z.iso.date(), endpoint: Endpoint, ...COUNTS, ...z.object(DETAILS).partial().shape }),
      ),
      by_endpoint: z.array(z.object({ endpoint: Endpoint, ...COUNTS, ...DETAILS })).optional(),
      by_key: z
        .array(z.object({ key_id: z.string(), ...COUNTS, ...DETAILS }))
        .optional()
        .openapi({ description: "The key with the most requests first. `dashboard` stands for the playground." }),
      by_code: z
        .array(z.object({ code: z.string(), ...COUNTS, ...DETAILS }))
        .optional()
        .openapi({ description: "The outcomes of completed jobs, such as `ok`, and the error codes of failed ones." }),
    }),
  })
  .openapi("Usage");
