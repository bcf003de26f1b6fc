import { z } from "@hono/zod-openapi";
import { Endpoint, JobId, JobMeta } from "./common";
import { ENDPOINT_SCHEMAS, valuesOf } from "./endpoint-schemas";
import { JobError } from "./error-codes";
import { component, int, isTrue, text, time } from "./fields";
import { SHOWN_LABELS } from "./labels";
import { Outcome } from "./outcome";
import { VIEW_META, VIEW_TRUNCATED } from "./view-options";

const EventMeta = JobMeta.extend({ created_at: time, completed_at: z.iso.datetime() });

const PageEventMeta = EventMeta.extend({ outcome: Outcome });

const ScrapeEventMeta = PageEventMeta.extend({ ...VIEW_META, truncated: VIEW_TRUNCATED });

function completedOf<E extends Endpoint, Data extends z.ZodType, Meta extends z.ZodType>(
  endpoint: E,
  data: Data,
  meta: Meta,
) {
  return z
    .object({
      event: z.literal("job.completed"),
      job_id: JobId,
      status: z.literal("completed"),
      endpoint: z.literal(endpoint),
      ...SHOWN_LABELS,
      result: z.union([data, z.null()]).openapi({
        description:
          "The result. Null if it is larger than 1 MB (`result_truncated` is true). In that case, read the job to get the result.",
      }),
      result_truncated: isTrue.optional(),
      meta,
    })
    .openapi(`${ENDPOINT_SCHEMAS[endpoint].name}CompletedEvent`);
}

export const CompletedEvent = z
  .discriminatedUnion(
    "endpoint",
    valuesOf({
      scrape: completedOf("scrape", ENDPOINT_SCHEMAS.scrape.data, ScrapeEventMeta),
      parse: completedOf("parse", ENDPOINT_SCHEMAS.parse.data, PageEventMeta),
      serp: completedOf("serp", ENDPOINT_SCHEMAS.serp.data, EventMeta),
      map: completedOf("map", ENDPOINT_SCHEMAS.map.data, EventMeta),
    }),
  )
  .openapi("JobCompletedEvent");

export const FailedEvent = component("JobFailedEvent", {
  event: z.literal("job.failed"),
  job_id: JobId,
  status: z.literal("failed"),
  endpoint: Endpoint,
  ...SHOWN_LABELS,
  error: JobError,
  meta: EventMeta,
});

export const UsageThresholdEvent = component("UsageThresholdEvent", {
  event: z.literal("usage.threshold"),
  threshold: int.openapi({ description: "The share of `limit` that live requests used, in percent: 80 or 100." }),
  key_id: text.nullable().openapi({
    description: "The id of the key whose `credit_limit` is meant. Null if the credits of the account are meant.",
  }),
  used: int.openapi({ description: "The credits that were used in this period." }),
  limit: int.openapi({
    description: "The credits of this period: those that were granted and added, or the credit limit of the key.",
  }),
  period: z.object({ start: time, end: z.iso.datetime() }),
  meta: z.object({ created_at: z.iso.datetime() }),
});

export const TestEvent = component("WebhookTestEvent", {
  event: z.literal("webhook.test"),
  message: text,
  meta: z.object({ created_at: z.iso.datetime() }),
});

export const DeliveryHeaders = z.object({
  "X-Webhook-Signature": text.openapi({
    pattern: "^sha256=[0-9a-f]{64}$",
    description:
      "`sha256=`, followed by the HMAC-SHA256 of the raw body in hex. The HMAC's key is the webhook secret. Compare the signature in constant time, before you parse the body.",
    example: "sha256=5f2b0c1e9a7d4b8e6c3f1a2d9e8b7c6a5f4e3d2c1b0a99887766554433221100",
  }),
  "X-Webhook-Signature-Previous": text.optional().openapi({
    pattern: "^sha256=[0-9a-f]{64}$",
    description:
      "The signature with the previous webhook secret. It is sent for 24 hours after the secret was rotated.",
  }),
  "webhook-id": text.openapi({ description: "The same value as `X-Webhook-ID`, for Standard Webhooks." }),
  "webhook-timestamp": text.openapi({
    pattern: "^[0-9]+$",
    description: "The time of the attempt in Unix seconds. Refuse a request whose time differs by more than 5 minutes.",
    example: "1795251600",
  }),
  "webhook-signature": text.openapi({
    pattern: "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)?$",
    description:
      "The signatures of Standard Webhooks, separated by a space. Each is `v1,`, followed by the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64. The HMAC's key is the base64-decoded webhook secret without `whsec_`. The second signature uses the previous secret for 24 hours after a rotation.",
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  }),
  "X-Webhook-ID": text.openapi({
    description:
      "The id of the delivery. It is the same for every attempt and every redelivery. Use it to recognize duplicates.",
    example: "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55",
  }),
  "X-Webhook-Attempt": text.openapi({
    pattern: "^[0-9]+$",
    description: "The number of the attempt, starting at 1.",
    example: "1",
  }),
});
