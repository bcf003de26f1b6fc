import { createRoute, z } from "@hono/zod-openapi";
import { JobListQuery, JobListResponse, JobQuery, JobResponse } from "../contract/jobs";
import { AppError } from "../errors";
import { readResult, toJobRecord, toListed } from "../jobs/job-record";
import { getOwnJob } from "../jobs/own";
import { waitForEnd } from "../jobs/wait";
import { requireScope } from "../keys/middleware";
import { now } from "../lib/clock";
import { SECOND_MS } from "../limits";
import { listJobs } from "../store/jobs";
import { openResult } from "../store/objects";
import { createRouter, errorResponses } from "./http";
import { toPage } from "./page";
import { answerStored } from "./stored-result";

export const jobs = createRouter();

const getRoute = createRoute({
  method: "get",
  path: "/jobs/{id}",
  operationId: "getJob",
  summary: "Read a job",
  tags: ["Jobs"],
  security: [{ bearer: [] }],
  middleware: [requireScope("jobs")] as const,
  request: { params: z.object({ id: z.string() }), query: JobQuery },
  responses: {
    200: { description: "The job", content: { "application/json": { schema: JobResponse } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope", "not_found"),
  },
});

jobs.openapi(getRoute, async (c) => {
  const { id } = c.req.valid("param");
  const { wait = 0 } = c.req.valid("query");
  const { accountId, mode } = c.var.caller;
  let job = await getOwnJob(c.env, { id, accountId, mode });
  if (job === null) throw new AppError("not_found", `There is no job '${id}'.`);
  if (wait > 0 && job.endedAt === null) job = (await waitForEnd(c.env, id, now() + wait * SECOND_MS)) ?? job;
  const answer = { success: true as const, ...toJobRecord(job) };
  if (job.status !== "completed") return c.json(answer, 200);
  if (!job.resultStored) return c.json({ ...answer, result: readResult(job) }, 200);
  const object = await openResult(c.env.STORE, id, job.run);
  if (object === null) return c.json({ ...answer, result: null }, 200);
  // The contract's types know answers from memory alone.
  return answerStored(c, answer, "result", object) as never;
});

const listRoute = createRoute({
  method: "get",
  path: "/jobs",
  operationId: "listJobs",
  summary: "List jobs, newest first",
  tags: ["Jobs"],
  security: [{ bearer: [] }],
  middleware: [requireScope("jobs")] as const,
  request: { query: JobListQuery },
  responses: {
    200: { description: "A page of jobs", content: { "application/json": { schema: JobListResponse } } },
    ...errorResponses("invalid_request", "missing_api_key", "insufficient_scope"),
  },
});

jobs.openapi(listRoute, async (c) => {
  const { status, endpoint, limit, offset } = c.req.valid("query");
  const { accountId, mode, id } = c.var.caller;
  // Test runs that go on side by side, each with its key, aren't in each other's lists.
  const keyId = mode === "test" ? id : undefined;
  const page = await listJobs(c.env.DB, { accountId, mode, keyId, status, endpoint, limit, offset });
  return c.json(toPage(page.jobs.map(toListed), { total: page.total, limit, offset }), 200);
});
