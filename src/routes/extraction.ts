import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { Accepted, IDEMPOTENCY_HEADER, WaitQuery } from "../contract/common";
import { ENDPOINT_SCHEMAS } from "../contract/endpoint-schemas";
import { EXAMPLES, REQUEST_EXAMPLES } from "../contract/examples";
import { DryRunResponse } from "../contract/price-options";
import { describeBody, describeErrorsWithBody, describeResponse } from "../contract/responses";
import { viewOf } from "../contract/view-options";
import { ENDPOINTS } from "../endpoints/endpoints";
import { type ValidatedRequest, validateRequest } from "../endpoints/validate";
import { respondThen, respondWithStored } from "../http/responses";
import { createRouter, operationWithBody, originOf, readIdempotencyKey } from "../http/router";
import { limitJsonBody, requireJsonOrFile, UPLOAD_BODY } from "../http/upload";
import { readRequestContext, type Submission, submitRequest, viewSubmission } from "../jobs/submit";
import { discardResult } from "../jobs/temporary";
import { now } from "../lib/clock";
import { ENDPOINT_SCOPES } from "../model/api-key";
import { ENDPOINT_NAMES, type Endpoint } from "../model/endpoint";
import type { AppEnv } from "../model/env";
import type { Job } from "../model/job";
import { SYNC_WAIT_MS } from "../model/limits";
import { withView } from "../text-view/view";

export const endpoints = createRouter();

for (const endpoint of ENDPOINT_NAMES) {
  endpoints.openapi(declareRoute(endpoint), async (c) => {
    const isWaiting = c.req.valid("query").wait === "true";
    const caller = c.get("caller");
    const body = c.req.valid("json");
    const input = { body, origin: originOf(c), waitMs: isWaiting ? SYNC_WAIT_MS : undefined };
    const request = validateRequest(endpoint, body, await readRequestContext(c.env, caller, input));
    const submission = await submitRequest(c.env, request, {
      caller,
      origin: input.origin,
      idempotencyKey: readIdempotencyKey(c),
      until: isWaiting ? c.get("startedAt") + SYNC_WAIT_MS : null,
      disconnected: c.req.raw.signal,
      waitUntil: (promise) => c.executionCtx.waitUntil(promise),
      requestId: c.get("requestId"),
    });
    // The cast is necessary, because `endpoint` is a variable. TypeScript then expects the response type of all
    // endpoints together.
    return (await respond(c, submission, request)) as never;
  });
}

function declareRoute(endpoint: Endpoint) {
  const { request, response } = ENDPOINT_SCHEMAS[endpoint];
  const { errorCodes } = ENDPOINTS[endpoint];
  const takesFile = endpoint === "scrape" || endpoint === "parse";
  const operation = operationWithBody(endpoint, ENDPOINT_SCOPES[endpoint]);
  const body = describeBody(request, REQUEST_EXAMPLES[endpoint]);
  if (takesFile) operation.middleware.splice(1, 2, limitJsonBody, requireJsonOrFile);
  return createRoute({
    method: "post",
    path: `/${endpoint}`,
    ...operation,
    description: `${operation.description}\n\nWithout \`wait=true\`, the response is 202 and \`Location\` is the job's path. With \`wait=true\`, a failed job responds with the status of its error. Failed jobs are free.`,
    parameters: [IDEMPOTENCY_HEADER],
    request: {
      query: WaitQuery,
      body: takesFile ? { ...body, content: { ...body.content, ...UPLOAD_BODY } } : body,
    },
    responses: {
      200: describeResponse(
        "With `wait=true`, the result. With `dry_run: true`, the highest price.",
        z.union([response, DryRunResponse]),
        { example: EXAMPLES[endpoint] },
      ),
      202: describeResponse("The job was created. With `wait=true`, it didn't end in time and continues.", Accepted, {
        headers: ["Location", "Retry-After"],
        example: EXAMPLES.ACCEPTED,
      }),
      ...describeErrorsWithBody({
        400: errorCodes[400],
        402: ["insufficient_credits", "price_limit"],
        ...(errorCodes[404] && { 404: errorCodes[404] }),
        409: ["idempotency_conflict", "cancelled"],
        422: errorCodes[422],
        500: ["internal_error", ...errorCodes[500]],
        502: errorCodes[502],
        504: ["target_timeout", "job_timeout"],
      }),
    },
  });
}

async function respond(c: Context<AppEnv>, submission: Submission, request: ValidatedRequest): Promise<Response> {
  if (submission.kind === "dry_run") return c.json({ success: true, dry_run: true, data: submission.data }, 200);
  c.set("jobId", submission.kind === "accepted" ? submission.job.id : submission.jobId);
  if (submission.kind === "accepted") return respondAccepted(c, submission.job);
  const body = { success: true, meta: submission.meta, job_id: submission.jobId };
  const { account, mode } = c.get("caller");
  const isTemporary = "store" in request.request && request.request.store === false;
  const discard = async () => {
    if (isTemporary) await discardResult(c.env, { account, mode, id: submission.jobId });
  };
  const options = request.endpoint === "scrape" ? viewOf(request.request) : null;
  const view = options === null ? null : await viewSubmission(submission, options);
  if (view !== null) {
    const viewed = { ...body, meta: withView(body.meta, view), data: view.result };
    return isTemporary && view.isEnd ? respondThen(c, viewed, discard) : c.json(viewed, 200);
  }
  if (submission.kind === "stored") return respondWithStored(c, body, "data", submission.object, discard);
  const complete = { ...body, data: submission.data };
  return isTemporary ? respondThen(c, complete, discard) : c.json(complete, 200);
}

function respondAccepted(c: Context<AppEnv>, job: Job): Response {
  c.header("Location", `/v1/jobs/${job.id}`);
  c.header("Retry-After", "1");
  const meta = {
    processing_time_ms: now() - c.get("startedAt"),
    credits_used: job.creditsUsed,
    credits_reserved: job.endedAt === null ? job.credits : 0,
  };
  return c.json({ success: true, job_id: job.id, status: job.status, meta }, 202);
}
