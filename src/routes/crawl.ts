import { createRoute, z } from "@hono/zod-openapi";
import { BatchId } from "../contract/batches";
import { IDEMPOTENCY_HEADER, NoQuery } from "../contract/common";
import {
  ChangedCrawl,
  CrawlAccepted,
  CrawlDryRunResponse,
  CrawlListResponse,
  CrawlRequest,
  CrawlResponse,
  SkippedQuery,
  SkippedResponse,
} from "../contract/crawls";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { describeBody, describeErrors, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { submitCrawl, wakeCrawl } from "../crawl/create";
import { readCrawlRecord, readSkipped } from "../crawl/read-crawl";
import { createRouter, operation, operationWithBody, originOf, readIdempotencyKey } from "../http/router";
import { toBatchFields } from "../jobs/batch-records";
import { getOwnBatch } from "../jobs/batches";
import { redactUrl } from "../lib/redact";
import { addBatchOperations, setAcceptedHeaders } from "./batch-operations";

export const crawls = createRouter();

const success = true as const;

const createCrawlRoute = createRoute({
  method: "post",
  path: "/crawl",
  ...operationWithBody("createCrawl", "scrape"),
  parameters: [IDEMPOTENCY_HEADER],
  request: { query: NoQuery, body: describeBody(CrawlRequest, REQUEST_EXAMPLES.CRAWL_REQUESTS) },
  responses: {
    200: describeResponse("The highest price, if the request has `dry_run: true`.", CrawlDryRunResponse, {
      example: { success, dry_run: true, data: { pages: 100, max_credits: 100, balance: 480 } },
    }),
    202: describeResponse("The crawl was created.", CrawlAccepted, {
      headers: ["Location", "Retry-After"],
      example: { success, ...EXAMPLES.CRAWL, meta: { credits_max: 100 } },
    }),
    ...describeErrorsWithBody({
      400: ["invalid_target", "proxy_unavailable"],
      402: ["insufficient_credits", "price_limit"],
      409: ["idempotency_conflict"],
    }),
  },
});

crawls.openapi(createCrawlRoute, async (c) => {
  const { caller } = c.var;
  const input = {
    caller,
    request: c.req.valid("json"),
    origin: originOf(c),
    idempotencyKey: readIdempotencyKey(c),
    requestId: c.get("requestId"),
  };
  const submission = await submitCrawl(c.env, input);
  if (submission.kind === "dry_run") return c.json({ success, dry_run: true as const, data: submission.data }, 200);
  const { batch, creditsMax } = submission;
  setAcceptedHeaders(c, batch);
  return c.json({ success, crawl_id: batch.id, ...toBatchFields(batch), meta: { credits_max: creditsMax } }, 202);
});

const skippedRoute = createRoute({
  method: "get",
  path: "/crawl/{id}/skipped",
  ...operation("listSkipped", "jobs"),
  request: { params: z.object({ id: BatchId }), query: SkippedQuery },
  responses: {
    200: describeResponse("The skipped URLs.", SkippedResponse, {
      example: { success, data: [{ url: "https://example.com/private/", reason: "robots" }] },
    }),
    ...describeErrors({ 404: ["not_found"] }),
  },
});

crawls.openapi(skippedRoute, async (c) => {
  const { account, mode } = c.var.caller;
  const crawl = await getOwnBatch(c.env, account, { mode, id: c.req.valid("param").id, kind: "crawl" });
  return c.json({ success, ...(await readSkipped(c.env, crawl, c.req.valid("query"))) }, 200);
});

addBatchOperations(crawls, {
  kind: "crawl",
  name: "Crawl",
  scopes: ["scrape"],
  schemas: { page: CrawlResponse, changed: ChangedCrawl, list: CrawlListResponse },
  examples: {
    list: { ...EXAMPLES.CRAWL, url: "https://example.com/docs/" },
    page: { success, ...EXAMPLES.ENDED_CRAWL, pages: EXAMPLES.BATCH_PAGES.slice(0, 1) },
    running: { success, ...EXAMPLES.CRAWL },
    ended: { success, ...EXAMPLES.ENDED_CRAWL },
    canceled: { success, ...EXAMPLES.CANCELED_CRAWL },
  },
  toListed: (lines) =>
    lines.map(({ subject, ...crawl }) => ({
      crawl_id: crawl.id,
      ...toBatchFields(crawl),
      url: subject === null ? null : redactUrl(subject),
    })),
  toRecord: readCrawlRecord,
  onResumed: wakeCrawl,
});
