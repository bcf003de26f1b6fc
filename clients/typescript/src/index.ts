// The exports of the package `web-data-extraction`.
export type {
  BatchHandle,
  BatchPage,
  CrawlHandle,
  CrawlSiteRequest,
  ParseBatchRequest,
  ScrapeBatchRequest,
  Starting,
} from "./batches";
export { ExtractionClient, type ExtractOptions, type StartOptions } from "./client";
export { type ClientErrorCode, type ErrorCode, type ErrorDetail, ExtractionError, type RateLimit } from "./errors";
export type { Job, JobHandle, JobQuery, JobResult, Jobs } from "./jobs";
export type { Keys } from "./keys";
export type { Page, PageQuery } from "./pagination";
export { redirectAgent } from "./redirect-agent";
export type { Schemas } from "./schemas";
export type { CallOptions, ClientOptions, Fetch } from "./transport";
export {
  type BatchPageEvent,
  type CrawlPageEvent,
  type JobCompletedEvent,
  type SignedRequest,
  verifyWebhook,
  type WebhookEvent,
  WebhookSignatureError,
} from "./verify-webhook";
export type { WaitOptions } from "./waiting";
export type { DeliveryQuery, WebhookEndpoints, Webhooks } from "./webhooks";
export type * from "./wire";
