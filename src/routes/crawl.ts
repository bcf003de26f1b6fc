import { createRoute } from "@hono/zod-openapi";
import { IDEMPOTENCY_HEADER, NoQuery } from "../contract/common";
import { ChangedCrawl, CrawlAccepted, CrawlDryRunResponse, CrawlRequest, CrawlResponse } from "../contract/crawls";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { describeBody, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { submitCrawl, wakeCrawl } from "../crawl/create";
import { readCrawlRecord } from "../crawl/read-crawl";
import { createRouter, operationWithBody, originOf, readIdempotencyKey } from "../http/router";
import { toBatchFields } from "../jobs/batch-records";
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

addBatchOperations(crawls, {
  kind: "crawl",
  name: "Crawl",
  scopes: ["scrape"],
  schemas: { page: CrawlResponse, changed: ChangedCrawl },
  examples: {
    page: { success, ...EXAMPLES.ENDED_CRAWL, pages: EXAMPLES.BATCH_PAGES.slice(0, 1) },
    running: { success, ...EXAMPLES.CRAWL },
    ended: { success, ...EXAMPLES.ENDED_CRAWL },
    canceled: { success, ...EXAMPLES.CANCELED_CRAWL },
  },
  toRecord: readCrawlRecord,
  onResumed: wakeCrawl,
});
