import { z } from "@hono/zod-openapi";
import { DELIVERY_DELAYS, STARTED_EVENTS, WEBHOOK_EVENTS } from "../model/delivery";
import { MAX_REDELIVERIES } from "../model/limits";
import { Instant, listResponse, PAGE, WebhookUrl } from "./common";
import { component, dataResponse, int, strictComponent, text, time } from "./fields";
import { PREVIOUS_SECRET, WebhookEndpointId } from "./webhook-endpoints";

export const WebhookSettings = component("WebhookSettings", {
  url: text.nullable().openapi({
    description: "The URL to which the results of all asynchronous jobs are sent. Null if no URL is set.",
  }),
  secret: text.openapi({ description: "The secret with which every delivery is signed.", example: "whsec_…" }),
  ...PREVIOUS_SECRET,
});

export const WebhookSettingsResponse = dataResponse("WebhookSettingsResponse", WebhookSettings);

export const WebhookSettingsRequest = strictComponent("WebhookSettingsRequest", {
  url: WebhookUrl.nullable().openapi({
    description:
      "The URL to which the results of all asynchronous jobs are sent. If null, only the results of requests with `webhook_url` are sent.",
  }),
});

export const DeliveryStatus = z.enum(["pending", "succeeded", "abandoned"]).openapi("WebhookDeliveryStatus");

const EventName = z.enum([...WEBHOOK_EVENTS, "webhook.test", ...STARTED_EVENTS]).openapi("WebhookEventName");

const DeliveryAttempt = z.object({
  at: time,
  status_code: int
    .nullable()
    .openapi({ description: "The HTTP status of the response. Null if there was no response." }),
  duration_ms: int.nullable(),
  error: text.nullable().openapi({ description: "A description of the failure. Null if the attempt succeeded." }),
  response: text.nullable().openapi({ description: "The first kilobyte of the response body." }),
  url: text.nullable().openapi({ description: "The URL of the request. Null if the attempt was interrupted." }),
  request_headers: z.record(text, text).nullable().openapi({
    description: "The headers that were sent, with the signatures. Null if no request was sent.",
  }),
});

export const DeliveryId = text.openapi({
  description: "The id of the delivery. Each attempt sends it in `X-Webhook-ID`.",
  example: "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55",
});

export const DeliveryRecord = component("WebhookDelivery", {
  id: DeliveryId,
  job_id: text.nullable().openapi({ description: "The id of the job. Null for events that aren't about a job." }),
  event: EventName,
  endpoint_id: text.nullable().openapi({
    description:
      "The id of the endpoint that the delivery is sent to. Null if it is sent to the `webhook_url` of a request.",
    example: "default",
  }),
  url: text.openapi({ description: "The URL of the next or the last attempt." }),
  status: DeliveryStatus,
  attempts: z.array(DeliveryAttempt),
  next_attempt_at: time
    .nullable()
    .openapi({ description: "The time of the next attempt. Null if there is no further attempt." }),
  delayed_by: z.enum(DELIVERY_DELAYS).nullable().openapi({
    description:
      "`hourly_limit`: the first attempt waits for a later hour, because the account has sent its maximum number of events. `failing_receiver`: the receiver gets one attempt a minute, because it has failed ten times in a row.",
  }),
  created_at: time,
});
export type DeliveryRecord = z.infer<typeof DeliveryRecord>;

export const DeliveryResponse = dataResponse("WebhookDeliveryResponse", DeliveryRecord);

export const DeliveryDetailResponse = dataResponse(
  "WebhookDeliveryDetailResponse",
  DeliveryRecord.extend({
    payload: text.nullable().openapi({
      description:
        "The body of the request: the exact text that is signed. Null if the job's result was deleted at the end of its retention period.",
    }),
  }).openapi("WebhookDeliveryDetail"),
);

export const RedeliveryRequest = strictComponent("WebhookRedeliveryRequest", {
  url: WebhookUrl.optional().openapi({
    description:
      "The URL for the new attempts. It requires the scope `keys` too. By default, the event is sent to the current URL of the delivery's endpoint, or to the `webhook_url` of the job's request.",
  }),
});

/** Returns the Unix ms of an ISO 8601 date or time. A date without a time means midnight UTC. */
const toMs = (text: string): number => Date.parse(text);

export const RedeliveriesRequest = z
  .strictObject({
    since: Instant.transform(toMs).openapi({
      type: "string",
      description: "Only deliveries created at this time or later.",
      example: "2026-11-21T09:00:00Z",
    }),
    until: Instant.transform(toMs).optional().openapi({
      type: "string",
      description:
        "Selects only deliveries that were created, and last redelivered, before this time. It must not be in the future. The default is the time of the request. If you repeat the request with the same `until`, no delivery is redelivered twice.",
      example: "2026-11-21T10:00:00Z",
    }),
    status: z.enum(["failed", "abandoned", "succeeded", "all"]).default("failed").openapi({
      description:
        "Selects deliveries by status. `failed`: the last attempt failed, and the delivery is abandoned or waits for its next attempt. `all`: the failed and the succeeded deliveries.",
    }),
    endpoint_id: WebhookEndpointId.optional().openapi({ description: "Only deliveries to this endpoint." }),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ["until"],
    message: "must be later than 'since'",
  })
  .openapi("WebhookRedeliveriesRequest");

export const RedeliveriesResponse = dataResponse(
  "WebhookRedeliveriesResponse",
  z.object({
    redelivered: int.openapi({
      description: `The number of deliveries that are sent again, at most ${MAX_REDELIVERIES} per request.`,
    }),
    skipped: int.openapi({
      description:
        "The number of matching deliveries that have no URL, because their endpoint was deleted or the account's URL was removed.",
    }),
    has_more: z.boolean().openapi({
      description: "True if more deliveries match. To redeliver them, send the request again with this `until`.",
    }),
    until: time.openapi({ description: "The `until` of the request, or its default." }),
  }),
);

export const DeliveryListQuery = z.strictObject({
  status: DeliveryStatus.optional(),
  job_id: text.optional().openapi({ description: "Only deliveries for this job." }),
  ...PAGE,
});

export const DeliveryList = listResponse("WebhookDeliveryList", DeliveryRecord);
