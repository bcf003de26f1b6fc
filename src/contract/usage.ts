import { z } from "@hono/zod-openapi";
import { USAGE_DAYS } from "../model/limits";
import { USAGE_DIMENSIONS, type UsageDimension } from "../model/usage";
import { Endpoint } from "./common";
import { dataResponse, int, strictComponent, text, time } from "./fields";
import { suggestValue } from "./peer-names";

export type { UsageDimension };

const duration = (share: number) =>
  int.nullable().openapi({
    description: `The ${share}th percentile of the durations of completed jobs, with an error of at most 5%. Null if no job completed.`,
  });

/** The totals in each row of the usage report. */
const COUNTS = {
  requests: int.openapi({
    description: "The number of jobs that have ended. A job counts for the day on which it was created.",
  }),
  credits: int,
};
const DETAILS = {
  failed: int.openapi({ description: "The number of jobs that failed. `requests` includes them." }),
  p50_ms: duration(50),
  p95_ms: duration(95),
};

const Day = z.iso.date({ error: "must be a date such as 2026-11-21" });

const toParts = (text: string) => text.split(",").map((part) => part.trim());

/** Returns the rule that a list of dimensions breaks, or null. */
function findGroupProblem(text: string): string | null {
  const parts = toParts(text);
  const isKnown = (part: string) => USAGE_DIMENSIONS.some((known) => known === part);
  if (parts.every(isKnown)) return null;
  const corrected = parts.map((part) => (isKnown(part) ? part : suggestValue(part, USAGE_DIMENSIONS)));
  const rule = `must be one or more of ${USAGE_DIMENSIONS.join(", ")}, separated by commas`;
  return corrected.includes(null) ? rule : `${rule}. Did you mean '${corrected.join(",")}'?`;
}

export const UsageQuery = strictComponent("UsageQuery", {
  from: Day.optional().openapi({
    description: `The first day of the usage (UTC). By default, ${USAGE_DAYS} days before \`to\`.`,
  }),
  to: Day.optional().openapi({ description: "The last day of the usage (UTC). By default, today." }),
  group_by: text
    .superRefine((text, context) => {
      const problem = findGroupProblem(text);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    })
    .transform((text) => USAGE_DIMENSIONS.filter((dimension) => toParts(text).includes(dimension)))
    .optional()
    .openapi({
      type: "string",
      description: `Adds \`groups\` to the response: the usage by these values. One or more of ${USAGE_DIMENSIONS.map((dimension) => `\`${dimension}\``).join(", ")}, separated by commas.`,
      example: "day,key",
    }),
});

export const Usage = dataResponse(
  "Usage",
  z.object({
    balance: int.openapi({ description: "The number of credits that can be spent." }),
    reserved: int.openapi({ description: "The number of credits reserved for jobs that haven't ended." }),
    period: z.object({
      start: time,
      end: time,
      granted: int,
      used: int,
      added: int
        .optional()
        .openapi({ description: "The credits that the operator has added to the balance in this period." }),
    }),
    from: z.iso.date().optional().openapi({ description: "The first day of the usage (UTC)." }),
    to: z.iso.date().optional().openapi({ description: "The last day of the usage (UTC)." }),
    days: z.array(
      z.object({ date: z.iso.date(), endpoint: Endpoint, ...COUNTS, ...z.object(DETAILS).partial().shape }),
    ),
    by_endpoint: z.array(z.object({ endpoint: Endpoint, ...COUNTS, ...DETAILS })).optional(),
    by_key: z
      .array(z.object({ key_id: text, ...COUNTS, ...DETAILS }))
      .optional()
      .openapi({
        description:
          "Usage by API key, sorted by the number of requests in descending order. The key id `dashboard` stands for the playground.",
      }),
    by_code: z
      .array(z.object({ code: text, ...COUNTS, ...DETAILS }))
      .optional()
      .openapi({
        description:
          "Usage by result: the outcome of a completed job, such as `ok`, or the error code of a failed job.",
      }),
    groups: z
      .array(
        z.object({
          date: z.iso.date().optional(),
          endpoint: Endpoint.optional(),
          key_id: text.optional(),
          code: text.optional(),
          ...COUNTS,
          ...DETAILS,
        }),
      )
      .optional()
      .openapi({
        description:
          "Usage by the values of `group_by`: the latest day first, then the highest number of credits. Present only with `group_by`.",
      }),
  }),
);
