import { createRoute } from "@hono/zod-openapi";
import { BATCH, BATCH_PAGES, CANCELED_BATCH, ENDED_BATCH } from "../contract/batch-examples";
import { BatchAccepted, BatchDryRunResponse, BatchRequest, BatchResponse, ChangedBatch } from "../contract/batches";
import { IDEMPOTENCY_HEADER, NoQuery } from "../contract/common";
import { BATCH_REQUESTS } from "../contract/request-examples";
import { describeBody, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { createRouter, guardAnyWithBody, originOf, readIdempotencyKey } from "../http/router";
import { toBatchRecord } from "../jobs/batch-records";
import { submitBatch } from "../jobs/batches";
import { checkScope } from "../keys/errors";
import { countPages } from "../keys/middleware";
import { PAGE_ENDPOINTS } from "../model/batch";
import { addBatchOperations, setAcceptedHeaders } from "./batch-operations";

export const batches = createRouter();

const success = true as const;

const createBatchRoute = createRoute({
  method: "post",
  path: "/batch",
  operationId: "createBatch",
  summary: "Scrape or parse many pages",
  description:
    "Creates a batch of up to 1,000 requests of one endpoint. Each request becomes a page of the batch: a job with its own limits, retries and price. The pages leave one of the plan's concurrency slots free, so other jobs can still start. The credits of a page are reserved when it starts. If the account can't pay for a page, the batch stops with `insufficient_credits` and can be resumed. The batch counts as one request in the rate window, and as one more for each full 100 pages. An invalid request is an error with the path of each wrong parameter, such as `requests.3.url`, and nothing is charged. The key needs the scope of the endpoint.",
  tags: ["Batches"],
  ...guardAnyWithBody(PAGE_ENDPOINTS),
  parameters: [IDEMPOTENCY_HEADER],
  request: { query: NoQuery, body: describeBody(BatchRequest, BATCH_REQUESTS) },
  responses: {
    200: describeResponse("The highest price, if the request has `dry_run: true`.", BatchDryRunResponse, {
      example: { success, dry_run: true, data: { pages: 2, max_credits: 2, balance: 480 } },
    }),
    202: describeResponse("The batch was created.", BatchAccepted, {
      headers: ["Location", "Retry-After"],
      example: { success, ...BATCH, meta: { credits_max: 2 } },
    }),
    ...describeErrorsWithBody({
      402: ["insufficient_credits", "price_limit"],
      409: ["idempotency_conflict"],
    }),
  },
});

batches.openapi(createBatchRoute, async (c) => {
  const request = c.req.valid("json");
  const { caller } = c.var;
  checkScope(caller, request.endpoint);
  await countPages(c, request.requests.length);
  const input = {
    caller,
    request,
    origin: originOf(c),
    idempotencyKey: readIdempotencyKey(c),
    requestId: c.get("requestId"),
  };
  const submission = await submitBatch(c.env, input);
  if (submission.kind === "dry_run") return c.json({ success, dry_run: true as const, data: submission.data }, 200);
  const { batch, creditsMax, invalid } = submission;
  setAcceptedHeaders(c, batch);
  const more = { meta: { credits_max: creditsMax }, ...(invalid.length > 0 && { invalid }) };
  return c.json({ success, ...toBatchRecord(batch), ...more }, 202);
});

addBatchOperations(batches, {
  kind: "batch",
  name: "Batch",
  tags: ["Batches"],
  scopes: PAGE_ENDPOINTS,
  descriptions: {
    get: "Returns the counts and the credits of a batch, and one part of its pages in the order of the requests. With `wait`, the service holds the response until the batch has ended. With `Accept: application/x-ndjson`, the response has one line for each ended page after `cursor`, with its complete result. This operation shares its rate limit with `GET /v1/jobs/{id}`.",
    cancel:
      "Cancels a batch, and returns it without its pages. No more pages start, and running pages stop within 20 seconds. The credits of all unfinished pages are given back. The status is `failed` with the code `cancelled`. A batch that has ended is returned unchanged. The key needs the scope of the batch's endpoint.",
    resume:
      "Continues a batch that stopped with `insufficient_credits`, `rate_limited`, `revoked_api_key` or `expired_api_key`. Its remaining pages start as slots become free. A batch that is still running, or that ended in another way, is returned unchanged with the status 200. The key needs the scope of the batch's endpoint.",
  },
  schemas: { page: BatchResponse, changed: ChangedBatch },
  examples: {
    page: { success, ...ENDED_BATCH, pages: BATCH_PAGES },
    running: { success, ...BATCH },
    ended: { success, ...ENDED_BATCH },
    canceled: { success, ...CANCELED_BATCH },
  },
  toRecord: async (_, batch) => toBatchRecord(batch),
});
