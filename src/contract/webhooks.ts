import { z } from "@hono/zod-openapi";
import { PAGE, Pagination, WebhookUrl } from "./common";

export const WebhookSettings = z
  .object({
    url: z.string().nullable().openapi({ description: "Where the results of all asynchronous jobs are pushed." }),
    secret: z.string().openapi({ description: "Signs every delivery.", example: "whsec_…" }),
    previous_secret_expires_at: z.iso.datetime().nullable().openapi({
      description: "After a rotation: until then the secret before signs as well, in X-Webhook-Signature-Previous.",
    }),
  })
  .openapi("WebhookSettings");

export const WebhookSettingsResponse = z
  .object({ success: z.literal(true), data: WebhookSettings })
  .openapi("WebhookSettingsResponse");

export const WebhookSettingsRequest = z
  .strictObject({
    url: WebhookUrl.nullable().openapi({ description: "null: results are pushed only where a request asks for it." }),
  })
  .openapi("WebhookSettingsRequest");

export const DeliveryStatus = z.enum(["pending", "succeeded", "abandoned"]).openapi("WebhookDeliveryStatus");

const EventName = z.enum(["job.completed", "job.failed", "webhook.test"]).openapi("WebhookEventName");

const DeliveryAttempt = z.object({
  at: z.iso.datetime(),
  status_code: z.number().int().nullable().openapi({ description: "null: no answer came." }),
  duration_ms: z.number().int().nullable(),
  error: z.string().nullable().openapi({ description: "What was wrong; null when it succeeded." }),
  response: z.string().nullable().openapi({ description: "The first kilobyte of the answer's body." }),
});

export const DeliveryId = z.string().openapi({
  description: "The X-Webhook-ID of every attempt.",
  example: "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55",
});

export const DeliveryRecord = z
  .object({
    id: DeliveryId,
    job_id: z.string().nullable().openapi({ description: "null: a test event." }),
    event: EventName,
    url: z.string(),
    status: DeliveryStatus,
    attempts: z.array(DeliveryAttempt),
    next_attempt_at: z.iso.datetime().nullable().openapi({ description: "null: there is no further attempt." }),
    created_at: z.iso.datetime(),
  })
  .openapi("WebhookDelivery");
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

export const DeliveryResponse = z
  .object({ success: z.literal(true), data: DeliveryRecord })
  .openapi("WebhookDeliveryResponse");

export const DeliveryListQuery = z.strictObject({
  status: DeliveryStatus.optional(),
  job_id: z.string().optional().openapi({ description: "Those of this job." }),
  ...PAGE,
});

export const DeliveryList = z
  .object({ success: z.literal(true), data: z.array(DeliveryRecord), pagination: Pagination })
  .openapi("WebhookDeliveryList");
