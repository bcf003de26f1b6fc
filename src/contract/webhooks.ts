import { z } from "@hono/zod-openapi";
import { PAGE, Pagination, WebhookUrl } from "./common";

export const WebhookSettings = z
  .object({
    url: z.string().nullable().openapi({
      description: "The URL to which the results of all asynchronous jobs are sent. Null if no URL is set.",
    }),
    secret: z.string().openapi({ description: "The secret with which every delivery is signed.", example: "whsec_…" }),
    previous_secret_expires_at: z.iso.datetime().nullable().openapi({
      description:
        "The time until which deliveries also have a signature with the previous secret, in `X-Webhook-Signature-Previous`. Null if there is no previous secret.",
    }),
  })
  .openapi("WebhookSettings");

export const WebhookSettingsResponse = z
  .object({ success: z.literal(true), data: WebhookSettings })
  .openapi("WebhookSettingsResponse");

export const WebhookSettingsRequest = z
  .strictObject({
    url: WebhookUrl.nullable().openapi({
      description:
        "The URL to which the results of all asynchronous jobs are sent. If null, only the results of requests with `webhook_url` are sent.",
    }),
  })
  .openapi("WebhookSettingsRequest");

export const DeliveryStatus = z.enum(["pending", "succeeded", "abandoned"]).openapi("WebhookDeliveryStatus");

const EventName = z.enum(["job.completed", "job.failed", "webhook.test"]).openapi("WebhookEventName");

const DeliveryAttempt = z.object({
  at: z.iso.datetime(),
  status_code: z
    .number()
    .int()
    .nullable()
    .openapi({ description: "The HTTP status of the response. Null if there was no response." }),
  duration_ms: z.number().int().nullable(),
  error: z.string().nullable().openapi({ description: "A description of the failure. Null if the attempt succeeded." }),
  response: z.string().nullable().openapi({ description: "The first kilobyte of the response body." }),
});

export const DeliveryId = z.string().openapi({
  description: "The id of the delivery. Each attempt sends it in `X-Webhook-ID`.",
  example: "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55",
});

export const DeliveryRecord = z
  .object({
    id: DeliveryId,
    job_id: z.string().nullable().openapi({ description: "The id of the job. Null for a test event." }),
    event: EventName,
    url: z.string(),
    status: DeliveryStatus,
    attempts: z.array(DeliveryAttempt),
    next_attempt_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "The time of the next attempt. Null if there is no further attempt." }),
    created_at: z.iso.datetime(),
  })
  .openapi("WebhookDelivery");
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

export const DeliveryResponse = z
  .object({ success: z.literal(true), data: DeliveryRecord })
  .openapi("WebhookDeliveryResponse");

export const DeliveryListQuery = z.strictObject({
  status: DeliveryStatus.optional(),
  job_id: z.string().optional().openapi({ description: "Only deliveries for this job." }),
  ...PAGE,
});

export const DeliveryList = z
  .object({ success: z.literal(true), data: z.array(DeliveryRecord), pagination: Pagination })
  .openapi("WebhookDeliveryList");
