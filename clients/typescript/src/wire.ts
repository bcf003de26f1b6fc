// The types of requests and responses, inferred from the schemas in `contract/`. Their fields are named as in the JSON.
import type { z } from "@hono/zod-openapi";
import type * as events from "../../../src/contract/batch-events";
import type * as batches from "../../../src/contract/batches";
import type * as common from "../../../src/contract/common";
import type * as crawls from "../../../src/contract/crawls";
import type * as jobs from "../../../src/contract/jobs";
import type * as keys from "../../../src/contract/keys";
import type * as map from "../../../src/contract/map";
import type * as strategy from "../../../src/contract/model-options";
import type * as outcome from "../../../src/contract/outcome";
import type * as parse from "../../../src/contract/parse";
import type * as prices from "../../../src/contract/price-options";
import type * as library from "../../../src/contract/schema-library";
import type * as scrape from "../../../src/contract/scrape";
import type * as serp from "../../../src/contract/serp";
import type * as usage from "../../../src/contract/usage";
import type * as views from "../../../src/contract/view-options";
import type * as webhookEndpoints from "../../../src/contract/webhook-endpoints";
import type * as webhookEvents from "../../../src/contract/webhook-events";
import type * as webhooks from "../../../src/contract/webhooks";
import type * as errors from "../../../src/model/errors";

export type Endpoint = z.output<typeof common.Endpoint>;
export type JobStatus = z.output<typeof common.JobStatus>;
export type JobMeta = z.output<typeof common.JobMeta>;
/** The kind of page that a scrape or parse got. */
export type Outcome = z.output<typeof outcome.Outcome>;
export type Pagination = z.output<typeof common.Pagination>;
export type Accepted = z.output<typeof common.Accepted>;
export type ErrorBody = z.output<typeof common.ErrorBody>;

/** The highest price of a request, and the method that it would use. */
export type DryRun = z.output<typeof prices.DryRun>;

/** Replaces the type of the file. The client sends it as a form. */
type WithFile<Body> = {
  [Name in keyof Body]: Name extends "file"
    ? Blob | Uint8Array | { name: string; data: Blob | Uint8Array } | undefined
    : Body[Name];
};

export type ScrapeRequest = WithFile<z.input<typeof scrape.ScrapeRequest>>;
export type ScrapeData = z.output<typeof scrape.ScrapeData>;
export type ScrapeMeta = z.output<typeof scrape.ScrapeMeta>;

export type ParseRequest = WithFile<z.input<typeof parse.ParseRequest>>;
export type ParseData = z.output<typeof parse.ParseData>;
export type ParseMeta = z.output<typeof parse.ParseMeta>;

/** The name of a ready-made schema. */
export type SchemaName = z.output<typeof library.SchemaName>;
export type ReadySchema = z.output<typeof library.ReadySchema>;
export type ReadySchemaSummary = z.output<typeof library.ReadySchemaSummary>;
/** The way in which the data of a parse is found. */
export type Strategy = z.output<typeof strategy.Strategy>;

export type SerpRequest = z.input<typeof serp.SerpRequest>;
export type SerpData = z.output<typeof serp.SerpData>;
export type SerpMeta = z.output<typeof serp.SerpMeta>;
export type SerpHealth = z.output<typeof serp.SerpHealth>["data"];

export type MapRequest = z.input<typeof map.MapRequest>;
export type MapData = z.output<typeof map.MapData>;
export type MapMeta = z.output<typeof map.MapMeta>;

/** The part of a result's text that a request selects. */
export type ViewOptions = views.ViewOptions;
export type JobRecord = z.output<typeof jobs.JobRecord>;

/**
 * The request of a batch as in the API reference. The types of the client's methods also contain the options of each
 * endpoint.
 */
export type BatchRequest = z.input<typeof batches.BatchRequest>;
export type BatchAccepted = z.output<typeof batches.BatchAccepted>;
export type Batch = z.output<typeof batches.BatchRecord>;
export type BatchPageRecord = z.output<typeof batches.PageRecord>;
/** The highest price of a batch or crawl. */
export type BatchDryRun = z.output<typeof batches.BatchDryRun>;

/**
 * The request of a crawl as in the API reference. The type of the client's method also contains the options of a
 * scrape.
 */
export type CrawlRequest = z.input<typeof crawls.CrawlRequest>;
/** Selects batches or crawls. `limit` is the size of one request. */
export interface BatchQuery {
  status?: JobRecord["status"] | "unfinished" | undefined;
  limit?: number | undefined;
}
export interface SkippedQuery {
  reason?: SkippedUrl["reason"] | undefined;
  limit?: number | undefined;
}
export type SkippedUrl = z.output<typeof crawls.SkippedResponse>["data"][number];
export type CrawlAccepted = z.output<typeof crawls.CrawlAccepted>;
export type Crawl = z.output<typeof crawls.CrawlRecord>;

/** The event that is sent when a batch has ended. */
export type BatchCompletedEvent = z.output<typeof events.BatchCompletedEvent>;
/** The event that is sent when a crawl has ended. */
export type CrawlCompletedEvent = z.output<typeof events.CrawlCompletedEvent>;
/** The event that is sent when a job has failed. */
export type JobFailedEvent = z.output<typeof webhookEvents.FailedEvent>;
/** The account, or the key `key_id`, has used 80% or 100% of its credits. */
export type UsageThresholdEvent = z.output<typeof webhookEvents.UsageThresholdEvent>;
export type WebhookTestEvent = z.output<typeof webhookEvents.TestEvent>;

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
