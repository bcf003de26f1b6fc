import { createRoute, z } from "@hono/zod-openapi";
import { BATCH, BATCH_PAGES, CANCELED_BATCH, ENDED_BATCH } from "../contract/batch-examples";
import {
  BatchAccepted,
  BatchDryRunResponse,
  BatchId,
  BatchRequest,
  BatchResponse,
  ChangedBatch,
  PagesQuery,
} from "../contract/batches";
import { IDEMPOTENCY_HEADER, NoQuery } from "../contract/common";
import { BATCH_REQUESTS } from "../contract/request-examples";
import { describeBody, describeErrors, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { createRouter, guard, guardAny, guardAnyWithBody, originOf, readIdempotencyKey } from "../http/router";
import { readPageRecords, toBatchRecord } from "../jobs/batch-records";
import { cancelBatch, getOwnBatch, resumeBatch, submitBatch } from "../jobs/batches";
import { checkScope } from "../keys/errors";
import { countPages } from "../keys/middleware";
import { PAGE_ENDPOINTS } from "../model/batch";
import { SECOND_MS } from "../model/limits";
import { acceptsLines, respondWithLines, withPageLines } from "./page-lines";

export const batches = createRouter();

const kind = "batch";
const params = z.object({ id: BatchId });
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
  c.header("Location", `/v1/batch/${batch.id}`);
  c.header("Retry-After", "1");
  const more = { meta: { credits_max: creditsMax }, ...(invalid.length > 0 && { invalid }) };
  return c.json({ success, ...toBatchRecord(batch), ...more }, 202);
});

const getBatchRoute = createRoute({
  method: "get",
  path: "/batch/{id}",
  operationId: "getBatch",
  summary: "Read a batch and its pages",
  description:
    "Returns the counts and the credits of a batch, and one part of its pages in the order of the requests. With `wait`, the service holds the response until the batch has ended. With `Accept: application/x-ndjson`, the response has one line for each ended page after `cursor`, with its complete result. This operation shares its rate limit with `GET /v1/jobs/{id}`.",
  tags: ["Batches"],
  ...guard("jobs"),
  request: { params, query: PagesQuery },
  responses: {
    200: withPageLines(
      describeResponse("The batch.", BatchResponse, { example: { success, ...ENDED_BATCH, pages: BATCH_PAGES } }),
      BATCH_PAGES,
    ),
    ...describeErrors({ 404: ["not_found"] }),
  },
});

batches.openapi(getBatchRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { wait = 0, ...part } = c.req.valid("query");
  const { account, mode } = c.var.caller;
  const batch = await getOwnBatch(c.env, account, { mode, id, kind, waitMs: wait * SECOND_MS });
  // The cast is necessary, because the declared types don't include streamed responses.
  if (acceptsLines(c)) return respondWithLines(c, batch, part.cursor) as never;
  return c.json({ success, ...toBatchRecord(batch), ...(await readPageRecords(c.env, batch, part)) }, 200);
});

const cancelBatchRoute = createRoute({
  method: "delete",
  path: "/batch/{id}",
  operationId: "cancelBatch",
  summary: "Cancel a batch",
  description:
    "Cancels a batch, and returns it without its pages. No more pages start, and running pages stop within 20 seconds. The credits of all unfinished pages are given back. The status is `failed` with the code `cancelled`. A batch that has ended is returned unchanged. The key needs the scope of the batch's endpoint.",
  tags: ["Batches"],
  ...guardAny(PAGE_ENDPOINTS),
  request: { params, query: NoQuery },
  responses: {
    200: describeResponse("The batch.", ChangedBatch, { example: { success, ...CANCELED_BATCH } }),
    ...describeErrors({ 404: ["not_found"] }),
  },
});

batches.openapi(cancelBatchRoute, async (c) => {
  const { account, mode } = c.var.caller;
  const batch = await getOwnBatch(c.env, account, { mode, id: c.req.valid("param").id, kind });
  checkScope(c.var.caller, batch.endpoint);
  return c.json({ success, ...toBatchRecord(await cancelBatch(c.env, batch)) }, 200);
});

const resumeBatchRoute = createRoute({
  method: "post",
  path: "/batch/{id}/resume",
  operationId: "resumeBatch",
  summary: "Resume a batch",
  description:
    "Continues a batch that stopped with `insufficient_credits`, `rate_limited`, `revoked_api_key` or `expired_api_key`. Its remaining pages start as slots become free. A batch that is still running, or that ended in another way, is returned unchanged with the status 200. The key needs the scope of the batch's endpoint.",
  tags: ["Batches"],
  ...guardAny(PAGE_ENDPOINTS),
  request: { params, query: NoQuery },
  responses: {
    200: describeResponse("The batch was returned unchanged.", ChangedBatch, {
      example: { success, ...ENDED_BATCH },
    }),
    202: describeResponse("The batch continues.", ChangedBatch, {
      headers: ["Location", "Retry-After"],
      example: { success, ...BATCH },
    }),
    ...describeErrors({ 402: ["insufficient_credits"], 404: ["not_found"] }),
  },
});

batches.openapi(resumeBatchRoute, async (c) => {
  const { account, mode } = c.var.caller;
  const found = await getOwnBatch(c.env, account, { mode, id: c.req.valid("param").id, kind });
  checkScope(c.var.caller, found.endpoint);
  const { isResumed, batch } = await resumeBatch(c.env, found, c.var.caller);
  const body = { success, ...toBatchRecord(batch) };
  if (!isResumed) return c.json(body, 200);
  c.header("Location", `/v1/batch/${batch.id}`);
  c.header("Retry-After", "1");
  return c.json(body, 202);
});
