import { z } from "@hono/zod-openapi";
import { WEBHOOK_EVENTS } from "../model/delivery";
import { listResponse, WebhookUrl } from "./common";
import { component, dataResponse, strictComponent, text, time } from "./fields";

export const WebhookEvent = z.enum(WEBHOOK_EVENTS).openapi("WebhookEvent");

export const WebhookEndpointId = text.openapi({
  description: "The id of the endpoint. `default` is the endpoint with the account's webhook URL.",
  example: "0199b2c1-5d20-7a44-b1c3-9e8d7c6b5a40",
});

/** The field with the time until which the previous signing secret is used too. */
export const PREVIOUS_SECRET = {
  previous_secret_expires_at: time.nullable().openapi({
    description:
      "The time until which deliveries also have a signature with the previous secret, in `X-Webhook-Signature-Previous`. Null if there is no previous secret.",
  }),
};

export const WebhookEndpoint = component("WebhookEndpoint", {
  id: WebhookEndpointId,
  url: text,
  events: z.array(WebhookEvent).openapi({ description: "The events that are sent to the endpoint." }),
  created_at: time.nullable().openapi({ description: "Null for the endpoint `default`." }),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: text.openapi({
    description: "The secret with which deliveries to the endpoint are signed.",
    example: "whsec_…",
  }),
  ...PREVIOUS_SECRET,
}).openapi("WebhookEndpointWithSecret");
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

const Events = z
  .array(WebhookEvent)
  .min(1, "must name at least one event")
  .transform((events) => WEBHOOK_EVENTS.filter((event) => events.includes(event)));

export const WebhookEndpointRequest = strictComponent("WebhookEndpointRequest", {
  url: WebhookUrl.openapi({ description: "The URL to which events are sent." }),
  events: Events.optional().openapi({
    description:
      "The events to send. By default, the endpoint receives the events of jobs and the ends of batches and crawls. To receive other events, list them.",
  }),
});

export const WebhookEndpointChange = z
  .strictObject({
    url: WebhookUrl.optional().openapi({ description: "The new URL, for events and redeliveries from now on." }),
    events: Events.nullable().optional().openapi({
      description:
        "The events to send. Null selects the default events: the events of jobs and the ends of batches and crawls.",
    }),
  })
  .refine(({ url, events }) => url !== undefined || events !== undefined, { message: "must have 'url' or 'events'" })
  .openapi("WebhookEndpointChange");

export const WebhookEndpointResponse = dataResponse("WebhookEndpointResponse", WebhookEndpointWithSecret);

export const WebhookEndpointList = listResponse("WebhookEndpointList", WebhookEndpoint);
