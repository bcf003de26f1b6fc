import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { callAccount } from "../account/client";
import { JobId, NoQuery } from "../contract/common";
import { EXAMPLES } from "../contract/examples";
import { invalidParameter } from "../contract/invalid-request";
import { JobListQuery, JobListResponse, JobQuery, JobResponse } from "../contract/jobs";
import { foldMetadata } from "../contract/metadata-filter";
import { describeErrors, describeResponse } from "../contract/responses";
import { type ViewOptions, viewOf } from "../contract/view-options";
import { respondThen, respondWithStored } from "../http/responses";
import { createRouter, guard, operation } from "../http/router";
import { findBatch, isOtherKind } from "../jobs/batches";
import {
  getOwnJob,
  jobNotFound,
  readResult,
  readView,
  toJobRecord,
  toListed,
  toMeta,
  viewTooLarge,
  withResult,
} from "../jobs/read-job";
import { cancelJob } from "../jobs/submit";
import { discardResult } from "../jobs/temporary";
import { checkScope } from "../keys/errors";
import { toIso } from "../lib/clock";
import { ENDPOINT_SCOPES } from "../model/api-key";
import type { AppEnv } from "../model/env";
import type { AppError } from "../model/errors";
import type { Job } from "../model/job";
import { SECOND_MS } from "../model/limits";
import { openResult } from "../store/objects";
import { withView } from "../text-view/view";

export const jobs = createRouter();

const getRoute = createRoute({
  method: "get",
  path: "/jobs/{id}",
  ...operation("getJob", "jobs"),
  request: { params: z.object({ id: JobId }), query: JobQuery },
  responses: {
    200: describeResponse("The job.", JobResponse, { example: { success: true, ...EXAMPLES.JOB } }),
    ...describeErrors({ 404: ["not_found"], 422: ["section_not_found"] }),
  },
});

jobs.openapi(getRoute, async (c) => {
  const { wait = 0, ...fields } = c.req.valid("query");
  const job = await findJob(c, c.req.valid("param").id, wait * SECOND_MS);
  const view = viewOf(fields);
  // The casts are necessary, because the declared types don't include streamed responses.
  if (view !== null && job.status === "completed") return (await respondWithView(c, job, view)) as never;
  return (await respondWithJob(c, job)) as never;
});

const cancelRoute = createRoute({
  method: "delete",
  path: "/jobs/{id}",
  ...operation("cancelJob", ...new Set(Object.values(ENDPOINT_SCOPES))),
  request: { params: z.object({ id: JobId }), query: NoQuery },
  responses: {
    200: describeResponse("The job.", JobResponse, { example: { success: true, ...EXAMPLES.CANCELED_JOB } }),
    ...describeErrors({ 404: ["not_found"] }),
  },
});

jobs.openapi(cancelRoute, async (c) => {
  const job = await findJob(c, c.req.valid("param").id);
  checkScope(c.var.caller, ENDPOINT_SCOPES[job.endpoint]);
  return (await respondWithJob(c, await cancelJob(c.env, job))) as never;
});

async function findJob(c: Context<AppEnv>, id: string, waitMs = 0): Promise<Job> {
  const { account, mode } = c.var.caller;
  const job = await getOwnJob(c.env, account, { id, mode }, waitMs);
  if (job === null) {
    const batch = await findBatch(c.env, account, { id, mode });
    throw batch === null ? jobNotFound(id) : isOtherKind(id, "job", batch.kind);
  }
  c.set("jobId", id);
  return job;
}

async function respondWithJob(c: Context<AppEnv>, job: Job): Promise<Response> {
  const record = toJobRecord(job);
  const body = { success: true as const, ...record };
  if (job.status !== "completed") return c.json(body, 200);
  const discard = async () => {
    if (job.isTemporary) await discardResult(c.env, job);
  };
  const object = job.resultStored ? await openResult(c.env.STORE, job.id, job.run) : null;
  if (object !== null) return respondWithStored(c, body, "result", object, discard);
  const complete = { success: true as const, ...withResult(record, readResult(job)) };
  return job.isTemporary ? respondThen(c, complete, discard) : c.json(complete, 200);
}

async function respondWithView(c: Context<AppEnv>, job: Job, options: ViewOptions): Promise<Response> {
  const view = await readView(c.env, job, options);
  if (view === "too large") throw viewTooLarge(options);
  const record = toJobRecord(job);
  const viewed = view === null ? record : { ...record, meta: withView(toMeta(job), view) };
  const body = { success: true as const, ...viewed, result: view?.result ?? null };
  return job.isTemporary && view?.isEnd === true
    ? respondThen(c, body, () => discardResult(c.env, job))
    : c.json(body, 200);
}

/** Combines the query parameters `metadata[key]` into one parameter, so that the route's schema can check it. */
const foldQuery = createMiddleware<AppEnv>(async (c, next) => {
  const url = new URL(c.req.url);
  url.search = foldMetadata(url.searchParams).toString();
  c.req.raw = new Request(url, c.req.raw);
  await next();
});

const listRoute = createRoute({
  method: "get",
  path: "/jobs",
  ...operation("listJobs", "jobs"),
  middleware: [...guard("jobs").middleware, foldQuery] as const,
  request: { query: JobListQuery },
  responses: {
    200: describeResponse("A page of jobs.", JobListResponse, {
      example: { success: true, data: [EXAMPLES.JOB], pagination: EXAMPLES.PAGINATION },
    }),
    ...describeErrors(),
  },
});

jobs.openapi(listRoute, async (c) => {
  const {
    key_id,
    from: since,
    to: until,
    q: text,
    tag: tags,
    batch_id: batchId,
    include,
    ...filter
  } = c.req.valid("query");
  const { account, mode, id } = c.var.caller;
  // A test key lists only its own jobs, so that parallel test runs don't see each other's.
  const keyId = mode === "test" ? id : key_id;
  if (key_id !== undefined && key_id !== keyId) throw foreignKey();
  const includesPages = include === "children";
  const listed = { mode, keyId, since, until, text, tags, batchId, includesPages, ...filter };
  const page = await callAccount(c.env, account, (stub) => stub.list(listed));
  const pagination = {
    total: page.total,
    ...(page.isEstimate ? { total_is_estimate: true as const } : {}),
    limit: filter.limit,
    offset: filter.offset,
    has_more: page.next !== null,
    ...(page.next === null ? {} : { next_cursor: page.next }),
    ...(page.archivedBefore === null ? {} : { archived_before: toIso(page.archivedBefore) }),
  };
  return c.json({ success: true as const, data: page.items.map(toListed), pagination }, 200);
});

function foreignKey(): AppError {
  const message = "must be the id of the test key that sends the request, because a test key lists only its own jobs";
  return invalidParameter("key_id", message);
}
