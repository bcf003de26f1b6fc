import { OpenAPIHono, type z } from "@hono/zod-openapi";
import { version } from "../../package.json";
import { BatchCompletedEvent, BatchPageEvent, CrawlCompletedEvent, CrawlPageEvent } from "../contract/batch-events";
import { ErrorBody } from "../contract/common";
import { EXAMPLES } from "../contract/examples";
import { HEADERS, headersOf } from "../contract/headers";
import { describeErrorResponse, SHARED_ERRORS } from "../contract/responses";
import {
  CompletedEvent,
  DeliveryHeaders,
  FailedEvent,
  TestEvent,
  UsageThresholdEvent,
} from "../contract/webhook-events";
import { ENDPOINTS } from "../endpoints/endpoints";
import { lazy } from "../lib/lazy";
import { ENDPOINT_NAMES } from "../model/endpoint";
import { WEBHOOK_ATTEMPTS } from "../model/limits";
import { DEFAULT_NAME, toBrand, toOperatorLinks } from "../model/operator";
import { toPrices } from "../model/prices";
import { api } from "../routes/api";
import { SUMMARY, toGuide } from "./guide";

const TAGS = [
  { name: "Extraction", description: "Scrape a page, extract data from it, or search." },
  { name: "Batches", description: "Scrape or parse many pages with one request." },
  { name: "Crawls", description: "Scrape the pages of a site." },
  { name: "Jobs", description: "Read, list and cancel jobs." },
  { name: "Webhooks", description: "Manage webhook settings, secrets and deliveries." },
  { name: "Keys", description: "Create, list and revoke API keys." },
  { name: "Usage", description: "Read the balance and the usage." },
  { name: "Health", description: "Check if the service is available." },
];

const USAGE_ALERT = "The account or a key has used 80% or 100% of its credits";

const EVENTS: readonly (readonly [name: string, summary: string, schema: z.ZodType, example: object])[] = [
  ["job.completed", "An asynchronous job completed", CompletedEvent, EXAMPLES.COMPLETED_EVENT],
  ["job.failed", "An asynchronous job failed", FailedEvent, EXAMPLES.FAILED_EVENT],
  ["batch.completed", "A batch ended", BatchCompletedEvent, EXAMPLES.BATCH_COMPLETED_EVENT],
  ["batch.page", "A page of a batch ended", BatchPageEvent, EXAMPLES.BATCH_PAGE_EVENT],
  ["crawl.completed", "A crawl ended", CrawlCompletedEvent, EXAMPLES.CRAWL_COMPLETED_EVENT],
  ["crawl.page", "A page of a crawl ended", CrawlPageEvent, EXAMPLES.CRAWL_PAGE_EVENT],
  ["usage.threshold", USAGE_ALERT, UsageThresholdEvent, EXAMPLES.USAGE_EVENT],
  ["webhook.test", "A test event was requested with POST /v1/webhooks/test", TestEvent, EXAMPLES.TEST_EVENT],
];

/** The document without prices. It is built on the first use, so that the Worker starts faster. */
const readDocument = lazy(toDocument);

/** Returns the OpenAPI document without `servers`. Its texts have the name and the prices of the service. */
export function toOpenApiDocument(env: Env): ReturnType<typeof toDocument> {
  const prices = toPrices(env);
  const { info, paths, ...others } = readDocument();
  const { name } = toBrand(env);
  const { support } = toOperatorLinks(env);
  const address = support?.startsWith("mailto:") ? { email: support.slice(7) } : support !== null && { url: support };
  const description = [SUMMARY, ...toGuide(prices).map(({ title, text }) => `## ${title}\n\n${text}`)].join("\n\n");
  const priced = ENDPOINT_NAMES.map((endpoint) => {
    const path = `/v1/${endpoint}`;
    const { post, ...methods } = paths?.[path] ?? {};
    const description = `${post?.description}\n\n${ENDPOINTS[endpoint].describePrice(prices)}`;
    return [path, { ...methods, post: { ...post, description } }] as const;
  });
  return {
    ...others,
    info: { ...info, title: name, description, contact: { name, ...address } },
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
    description: "An API key. The description of each operation names the scope that it requires.",
  });
  for (const [name, header] of Object.entries(HEADERS))
    registry.registerComponent("headers", name, { required: true, ...header });
  for (const [name, { status, codes, headers }] of Object.entries(SHARED_ERRORS)) {
    registry.registerComponent("responses", name, describeErrorResponse(status, codes, headersOf(...headers)));
  }
  for (const [name, summary, schema, example] of EVENTS)
    registry.registerWebhook({
      method: "post",
      path: name,
      operationId: `on${name.replace(/(?:^|\.)./g, (start) => start.slice(-1).toUpperCase())}`,
      summary,
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
  return documented.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: DEFAULT_NAME,
      version,
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    tags: TAGS,
  });
}
