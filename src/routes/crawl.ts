import { createRoute } from "@hono/zod-openapi";
import { CANCELED_CRAWL, CRAWL, CRAWL_PAGES, ENDED_CRAWL } from "../contract/batch-examples";
import { IDEMPOTENCY_HEADER, NoQuery } from "../contract/common";
import { ChangedCrawl, CrawlAccepted, CrawlDryRunResponse, CrawlRequest, CrawlResponse } from "../contract/crawls";
import { CRAWL_REQUESTS } from "../contract/request-examples";
import { describeBody, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { submitCrawl, wakeCrawl } from "../crawl/create";
import { readCrawlRecord } from "../crawl/read-crawl";
import { createRouter, guardWithBody, originOf, readIdempotencyKey } from "../http/router";
import { toBatchFields } from "../jobs/batch-records";
import { addBatchOperations, setAcceptedHeaders } from "./batch-operations";

export const crawls = createRouter();

const success = true as const;

const createCrawlRoute = createRoute({
  method: "post",
  path: "/crawl",
  operationId: "createCrawl",
  summary: "Crawl a site",
  description:
    "Visits the pages of a site: the first page, the pages of its sitemaps, and the pages that these pages link to. Each page is a scrape with the options in `scrape`: a job with its own limits, retries and price. Each URL is visited once. URLs that differ only in the fragment, a tracking parameter or a session id are the same. If a page has the same content as an earlier page, its links aren't followed, and its `meta.duplicate_of` is the URL of the earlier page. A page that redirects to an earlier page also has `meta.duplicate_of`, but no data. It is free, because the earlier page isn't requested again. If a page declares an earlier page as its canonical URL, `meta.duplicate_of` is also set, but the links are followed. The crawl follows robots.txt, requests at most two pages of a host at a time, and waits longer if a host responds with 429 or 503. It stops in parts of a site with endless URLs, such as calendars. The pages leave one of the plan's concurrency slots free. The credits of a page are reserved when it starts. If the account can't pay for a page, the crawl stops with `insufficient_credits` and can be resumed.",
  tags: ["Crawls"],
  ...guardWithBody("scrape"),
  parameters: [IDEMPOTENCY_HEADER],
  request: { query: NoQuery, body: describeBody(CrawlRequest, CRAWL_REQUESTS) },
  responses: {
    200: describeResponse("The highest price, if the request has `dry_run: true`.", CrawlDryRunResponse, {
      example: { success, dry_run: true, data: { pages: 100, max_credits: 100, balance: 480 } },
    }),
    202: describeResponse("The crawl was created.", CrawlAccepted, {
      headers: ["Location", "Retry-After"],
      example: { success, ...CRAWL, meta: { credits_max: 100 } },
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
  tags: ["Crawls"],
  scopes: ["scrape"],
  descriptions: {
    get: "Returns the counts and the credits of a crawl, and one part of its pages in the order in which they started. With `wait`, the service holds the response until the crawl has ended. With `Accept: application/x-ndjson`, the response has one line for each ended page after `cursor`, with its complete result. This operation shares its rate limit with `GET /v1/jobs/{id}`.",
    cancel:
      "Cancels a crawl, and returns it without its pages. No more pages start, and running pages stop within 20 seconds. The credits of all unfinished pages are given back. The status is `failed` with the code `cancelled`. A crawl that has ended is returned unchanged.",
    resume:
      "Continues a crawl that stopped with `insufficient_credits`, `rate_limited`, `revoked_api_key` or `expired_api_key`. Pages that it has already visited aren't visited again. A crawl that is still running, or that ended in another way, is returned unchanged with the status 200.",
  },
  schemas: { page: CrawlResponse, changed: ChangedCrawl },
  examples: {
    page: { success, ...ENDED_CRAWL, pages: CRAWL_PAGES },
    running: { success, ...CRAWL },
    ended: { success, ...ENDED_CRAWL },
    canceled: { success, ...CANCELED_CRAWL },
  },
  toRecord: readCrawlRecord,
  onResumed: wakeCrawl,
});
