import { createRoute } from "@hono/zod-openapi";
import {
  BatchAccepted,
  BatchDryRunResponse,
  BatchListResponse,
  BatchRequest,
  BatchResponse,
  ChangedBatch,
} from "../contract/batches";
import { IDEMPOTENCY_HEADER, NoQuery } from "../contract/common";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { describeBody, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { createRouter, operationWithBody, originOf, readIdempotencyKey } from "../http/router";
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
  ...operationWithBody("createBatch", ...PAGE_ENDPOINTS),
  parameters: [IDEMPOTENCY_HEADER],
  request: { query: NoQuery, body: describeBody(BatchRequest, REQUEST_EXAMPLES.BATCH_REQUESTS) },
  responses: {
    200: describeResponse("The highest price, if the request has `dry_run: true`.", BatchDryRunResponse, {
      example: { success, dry_run: true, data: { pages: 2, max_credits: 2, balance: 480 } },
    }),
    202: describeResponse("The batch was created.", BatchAccepted, {
      headers: ["Location", "Retry-After"],
      example: { success, ...EXAMPLES.BATCH, meta: { credits_max: 2 } },
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
  scopes: PAGE_ENDPOINTS,
  schemas: { page: BatchResponse, changed: ChangedBatch, list: BatchListResponse },
  examples: {
    list: EXAMPLES.ENDED_BATCH,
    page: { success, ...EXAMPLES.ENDED_BATCH, pages: EXAMPLES.BATCH_PAGES },
    running: { success, ...EXAMPLES.BATCH },
    ended: { success, ...EXAMPLES.ENDED_BATCH },
    canceled: { success, ...EXAMPLES.CANCELED_BATCH },
  },
  toListed: (lines) => lines.map(toBatchRecord),
  toRecord: async (_, batch) => toBatchRecord(batch),
});
