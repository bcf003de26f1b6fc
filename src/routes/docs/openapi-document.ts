import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { BatchCompletedEvent, BatchPageEvent, CrawlCompletedEvent, CrawlPageEvent } from "../../contract/batch-events";
import { ErrorBody } from "../../contract/common";
import { EXAMPLES } from "../../contract/examples";
import { HEADERS, headersOf } from "../../contract/headers";
import { describeErrorResponse, SHARED_ERRORS } from "../../contract/responses";
import {
  CompletedEvent,
  DeliveryHeaders,
  FailedEvent,
  TestEvent,
  UsageThresholdEvent,
} from "../../contract/webhook-events";
import { ENDPOINTS } from "../../endpoints/endpoints";
import { lazy } from "../../lib/lazy";
import { ENDPOINT_NAMES } from "../../model/endpoint";
import { WEBHOOK_ATTEMPTS } from "../../model/limits";
import type { Prices } from "../../model/prices";
import { api } from "../api";
import { SUMMARY, TITLE, toGuide } from "./guide";

const TAGS = [
  { name: "Extraction", description: "Scrape a page, extract data from it, or search." },
  { name: "Batches", description: "Scrape or parse many pages with one request." },
  { name: "Jobs", description: "Read, list and cancel jobs." },
  { name: "Webhooks", description: "Manage webhook settings, secrets and deliveries." },
  { name: "Keys", description: "Create, list and revoke API keys." },
  { name: "Usage", description: "Read the balance and the usage." },
  { name: "Health", description: "Check if the service is available." },
];

/** The document without prices. It is built on the first use, so that the Worker starts faster. */
const readDocument = lazy(toDocument);

/** Returns the OpenAPI document without `servers`. Its texts name these prices. */
export function toOpenApiDocument(prices: Prices): ReturnType<typeof toDocument> {
  const { info, paths, ...others } = readDocument();
  const priced = ENDPOINT_NAMES.map((endpoint) => {
    const path = `/v1/${endpoint}`;
    const { post, ...methods } = paths?.[path] ?? {};
    const description = `${post?.description}\n\n${ENDPOINTS[endpoint].describePrice(prices)}`;
    return [path, { ...methods, post: { ...post, description } }] as const;
  });
  return {
    ...others,
    info: { ...info, description: toDescription(prices) },
    paths: { ...paths, ...Object.fromEntries(priced) },
  };
}

function toDocument() {
  const documented = new OpenAPIHono();
  documented.route("/", api);
  const registry = documented.openAPIRegistry;
  registry.register("Error", ErrorBody);
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    bearerFormat: "sk_live_… or sk_test_…",
    description: "An API key. Each operation names the scope that it requires.",
  });
  for (const [name, header] of Object.entries(HEADERS))
    registry.registerComponent("headers", name, { required: true, ...header });
  for (const [name, { status, codes, headers }] of Object.entries(SHARED_ERRORS)) {
    registry.registerComponent("responses", name, describeErrorResponse(status, codes, headersOf(...headers)));
  }
  declareEvent("job.completed", {
    operationId: "onJobCompleted",
    summary: "An asynchronous job completed",
    schema: CompletedEvent,
    example: EXAMPLES.COMPLETED_EVENT,
  });
  declareEvent("job.failed", {
    operationId: "onJobFailed",
    summary: "An asynchronous job failed",
    schema: FailedEvent,
    example: EXAMPLES.FAILED_EVENT,
  });
  declareEvent("batch.completed", {
    operationId: "onBatchCompleted",
    summary: "A batch ended",
    schema: BatchCompletedEvent,
    example: EXAMPLES.BATCH_COMPLETED_EVENT,
  });
  declareEvent("batch.page", {
    operationId: "onBatchPage",
    summary: "A page of a batch ended",
    schema: BatchPageEvent,
    example: EXAMPLES.BATCH_PAGE_EVENT,
  });
  declareEvent("crawl.completed", {
    operationId: "onCrawlCompleted",
    summary: "A crawl ended",
    schema: CrawlCompletedEvent,
    example: EXAMPLES.CRAWL_COMPLETED_EVENT,
  });
  declareEvent("crawl.page", {
    operationId: "onCrawlPage",
    summary: "A page of a crawl ended",
    schema: CrawlPageEvent,
    example: EXAMPLES.CRAWL_PAGE_EVENT,
  });
  declareEvent("usage.threshold", {
    operationId: "onUsageThreshold",
    summary: "The account or a key has used 80% or 100% of its credits",
    schema: UsageThresholdEvent,
    example: EXAMPLES.USAGE_EVENT,
  });
  declareEvent("webhook.test", {
    operationId: "onWebhookTest",
    summary: "A test event was requested with POST /v1/webhooks/test",
    schema: TestEvent,
    example: EXAMPLES.TEST_EVENT,
  });
  return documented.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version: "1.0.0",
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    tags: TAGS,
  });

  function declareEvent(name: string, { schema, example, ...operation }: WebhookDeclaration): void {
    registry.registerWebhook({
      method: "post",
      path: name,
      ...operation,
      description: `Sent to the webhook URL, with up to ${WEBHOOK_ATTEMPTS} attempts. Verify the signature of the raw body before you parse it. An event can arrive more than once, with the same X-Webhook-ID.`,
      tags: ["Webhooks"],
      security: [],
      request: {
        headers: DeliveryHeaders,
        body: { required: true, content: { "application/json": { schema, example } } },
      },
      responses: {
        "2XX": {
          description: "The event was received. The first kilobyte of the response body is stored with the delivery.",
        },
        "410": { description: "The receiver is gone. The delivery ends without further attempts." },
        default: { description: "The event was not received. The service retries the delivery." },
      },
    });
  }
}

interface WebhookDeclaration {
  operationId: string;
  summary: string;
  schema: z.ZodType;
  example: unknown;
}

function toDescription(prices: Prices): string {
  return [SUMMARY, ...toGuide(prices).map(({ title, text }) => `## ${title}\n\n${text}`)].join("\n\n");
}
