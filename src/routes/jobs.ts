import { createRoute, z } from "@hono/zod-openapi";
import { JobId } from "../contract/common";
import { JOB, PAGINATION } from "../contract/examples";
import { JobListQuery, JobListResponse, JobQuery, JobResponse } from "../contract/jobs";
import { describeErrors, describeResponse } from "../contract/responses";
import { respondWithStored } from "../http/responses";
import { createRouter, guard } from "../http/router";
import { listJobs } from "../jobs/list";
import { getOwnJob, jobNotFound, readResult, toJobRecord, toListed, withResult } from "../jobs/read";
import { toIso } from "../lib/clock";
import { AppError } from "../model/errors";
import { SECOND_MS } from "../model/limits";
import { openResult } from "../store/objects";

export const jobs = createRouter();

const getRoute = createRoute({
  method: "get",
  path: "/jobs/{id}",
  operationId: "getJob",
  summary: "Read a job",
  description:
    "Returns a job of the key's account and mode. With `wait`, the service holds the response until the job has ended. Otherwise, poll every second for the first 5 seconds, then every 3 seconds, until `status` is `completed` or `failed`. This operation has its own rate limit: ten times the key's requests per minute. Results are stored for 30 days. After that, the job can still be read.",
  tags: ["Jobs"],
  ...guard("jobs"),
  request: { params: z.object({ id: JobId }), query: JobQuery },
  responses: {
    200: describeResponse("The job.", JobResponse, { example: { success: true, ...JOB } }),
    ...describeErrors({ 400: ["invalid_request"], 404: ["not_found"] }),
  },
});

jobs.openapi(getRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { wait = 0 } = c.req.valid("query");
  const { account, mode } = c.var.caller;
  const job = await getOwnJob(c.env, account, { id, mode }, wait * SECOND_MS);
  if (job === null) throw jobNotFound(id);
  c.set("jobId", id);
  const record = toJobRecord(job);
  const body = { success: true as const, ...record };
  if (job.status !== "completed") return c.json(body, 200);
  const object = job.resultStored ? await openResult(c.env.STORE, id, job.run) : null;
  if (object === null) return c.json({ success: true as const, ...withResult(record, readResult(job)) }, 200);
  // The cast is necessary, because the declared types don't include streamed responses.
  return respondWithStored(c, body, "result", object) as never;
});

const listRoute = createRoute({
  method: "get",
  path: "/jobs",
  operationId: "listJobs",
  summary: "List jobs, newest first",
  description:
    "Lists the jobs of the key's account and mode. A test key lists only its own jobs. `total` is exact for the filters `status`, `endpoint` and `key_id`. With other filters, counting stops at 10,000 jobs, or earlier if too many rows must be read. `total_is_estimate` is then true. If few of very many jobs match, a page can have fewer jobs than `limit` although `has_more` is true. Continue with `next_cursor`.",
  tags: ["Jobs"],
  ...guard("jobs"),
  request: { query: JobListQuery },
  responses: {
    200: describeResponse("A page of jobs.", JobListResponse, {
      example: { success: true, data: [JOB], pagination: PAGINATION },
    }),
    ...describeErrors({ 400: ["invalid_request"] }),
  },
});

jobs.openapi(listRoute, async (c) => {
  const { key_id, from: since, to: until, q: text, ...filter } = c.req.valid("query");
  const { account, mode, id } = c.var.caller;
  // A test key lists only its own jobs, so that parallel test runs don't see each other's.
  const keyId = mode === "test" ? id : key_id;
  if (key_id !== undefined && key_id !== keyId) throw foreignKey();
  const page = await listJobs(c.env, account, { mode, keyId, since, until, text, ...filter });
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
  return new AppError("invalid_request", `The parameter 'key_id' ${message}.`, {
    details: [{ path: "key_id", message }],
  });
}
