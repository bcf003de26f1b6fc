// The types of requests and responses, inferred from the schemas in `contract/`. Their fields are named as in the JSON.
import type { z } from "@hono/zod-openapi";
import type * as common from "../contract/common";
import type * as jobs from "../contract/jobs";
import type * as keys from "../contract/keys";
import type * as outcome from "../contract/outcome";
import type * as parse from "../contract/parse";
import type * as scrape from "../contract/scrape";
import type * as serp from "../contract/serp";
import type * as usage from "../contract/usage";
import type * as webhookEndpoints from "../contract/webhook-endpoints";
import type * as webhooks from "../contract/webhooks";
import type * as errors from "../model/errors";

export type Endpoint = z.output<typeof common.Endpoint>;
export type JobStatus = z.output<typeof common.JobStatus>;
export type JobMeta = z.output<typeof common.JobMeta>;
/** The kind of page that a scrape or parse got. */
export type Outcome = z.output<typeof outcome.Outcome>;
export type Pagination = z.output<typeof common.Pagination>;
export type Accepted = z.output<typeof common.Accepted>;
export type ErrorBody = z.output<typeof common.ErrorBody>;

export type ScrapeRequest = z.input<typeof scrape.ScrapeRequest>;
export type ScrapeData = z.output<typeof scrape.ScrapeData>;
export type ScrapeMeta = z.output<typeof scrape.ScrapeMeta>;

export type ParseRequest = z.input<typeof parse.ParseRequest>;
export type ParseData = z.output<typeof parse.ParseData>;
export type ParseMeta = z.output<typeof parse.ParseMeta>;

export type SerpRequest = z.input<typeof serp.SerpRequest>;
export type SerpData = z.output<typeof serp.SerpData>;
export type SerpMeta = z.output<typeof serp.SerpMeta>;
export type SerpHealth = z.output<typeof serp.SerpHealth>["data"];

export type JobRecord = z.output<typeof jobs.JobRecord>;

export type KeyRequest = z.input<typeof keys.KeyRequest>;
export type KeyChangeRequest = z.input<typeof keys.KeyChangeRequest>;
export type KeyRotateRequest = z.input<typeof keys.KeyRotateRequest>;
export type KeyRecord = z.output<typeof keys.KeyRecord>;
/** A new key. `key` is its secret, which is shown only once. */
export type CreatedKey = z.output<typeof keys.KeyCreated>["data"];

export type Usage = z.output<typeof usage.Usage>["data"];
/** The range of days (YYYY-MM-DD, UTC) of the usage, and the values by which `groups` are formed. */
export type UsageQuery = {
  query: { from?: string; to?: string; group_by?: ("day" | "endpoint" | "key" | "code")[] };
}["query"];

export type WebhookSettings = z.output<typeof webhooks.WebhookSettings>;
export type DeliveryStatus = z.output<typeof webhooks.DeliveryStatus>;
export type DeliveryRecord = z.output<typeof webhooks.DeliveryRecord>;
/** A delivery with its payload. */
export type DeliveryDetail = z.output<typeof webhooks.DeliveryDetailResponse>["data"];
/** Selects the deliveries that are sent again. */
export type RedeliveriesRequest = z.input<typeof webhooks.RedeliveriesRequest>;
export type Redeliveries = z.output<typeof webhooks.RedeliveriesResponse>["data"];

export type WebhookEndpoint = z.output<typeof webhookEndpoints.WebhookEndpoint>;
export type WebhookEndpointWithSecret = z.output<typeof webhookEndpoints.WebhookEndpointWithSecret>;
export type WebhookEndpointRequest = z.input<typeof webhookEndpoints.WebhookEndpointRequest>;
export type WebhookEndpointChange = z.input<typeof webhookEndpoints.WebhookEndpointChange>;

/** The error codes of this version of the service. */
export type ServiceErrorCode = `${errors.ErrorCode}`;
/** The error codes after which the same request may succeed later. */
export type RetryableErrorCode = `${{
  [Code in errors.ErrorCode]: (typeof errors.ERRORS)[Code] extends { retryable: true } ? Code : never;
}[errors.ErrorCode]}`;
