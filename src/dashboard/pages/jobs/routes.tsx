import { type Context, Hono } from "hono";
import { JobListQuery } from "../../../contract/jobs";
import { listJobLines } from "../../../jobs/list";
import { getOwnJob } from "../../../jobs/read";
import type { Job } from "../../../model/job";
import { findDelivery } from "../../../webhooks/deliveries";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import { AutoRefresh, Card, ErrorPage } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { shortenTarget } from "../../ui/format";
import { OutcomeNotice } from "../../ui/outcome";
import { readOffset } from "../../ui/pagination";
import { DetailsCard, ErrorNotice, JobStats, ProgressNotice, RequestCard } from "./detail";
import { hasJobFilter, JobFilterForm, JobPages, JobTable, NoJobs, readFilter, toJobsHref } from "./list";
import { type RequestPreview, readRequestPreview } from "./request";

const JOBS_PER_PAGE = 25;

export const jobs = new Hono<DashboardEnv>();

jobs.get("/jobs", async (c) => {
  const filter = readFilter(c.req.query());
  const { account, mode } = c.var;
  const cursor = JobListQuery.shape.cursor.safeParse(c.req.query("cursor")).data;
  const place = { limit: JOBS_PER_PAGE, offset: cursor === undefined ? readOffset(c) : 0, cursor };
  const page = await listJobLines(c.env, account, { mode, ...filter, ...place });
  const isFirst = place.offset === 0 && cursor === undefined;
  const isBusy = page.items.some(({ status }) => status === "queued" || status === "processing");
  const src = toJobsHref(filter, { offset: place.offset, ...(cursor === undefined ? {} : { cursor }) });
  return c.render(
    <>
      <JobFilterForm filter={filter} />
      <AutoRefresh id="jobs" src={src} busy={isBusy || isFirst}>
        {page.items.length === 0 ? (
          <NoJobs hasJobFilter={hasJobFilter(filter) || !isFirst} mode={mode} />
        ) : (
          <Card>
            <JobTable lines={page.items} />
            <JobPages {...{ filter, page, ...place }} />
          </Card>
        )}
      </AutoRefresh>
    </>,
    { title: "Jobs", lead: `All ${mode} jobs that your API keys and the playground created.`, section: "jobs" },
  );
});

jobs.get("/jobs/:id", async (c) => {
  const job = await findJob(c);
  if (job === null) return renderNotFound(c);
  const [request, delivery, result] = await Promise.all([
    readRequestPreview(c.env, job),
    findDelivery(c.env, c.var, job.id),
    readResultPreview(c.env, job),
  ]);
  return c.render(
    <AutoRefresh id="job" src={`/dashboard/jobs/${job.id}`} busy={job.endedAt === null}>
      <div class="stack">
        {job.error === null ? null : <ErrorNotice error={job.error} />}
        <OutcomeNotice job={job} />
        {job.endedAt === null ? <ProgressNotice job={job} /> : null}
        <JobStats job={job} />
        {job.status === "completed" ? <Card title="Result">{await renderResult(job, result)}</Card> : null}
        <div class="grid two">
          <RequestCard job={job} preview={request} />
          <DetailsCard job={job} delivery={delivery} />
        </div>
      </div>
    </AutoRefresh>,
    toHead(job, request),
  );
});

async function findJob(c: Context<DashboardEnv, "/jobs/:id">): Promise<Job | null> {
  const job = await getOwnJob(c.env, c.var.account, { id: c.req.param("id"), mode: c.var.mode });
  c.set("jobId", job?.id);
  return job;
}

function toHead(job: Job, request: RequestPreview | "too large" | null) {
  const { url, query, prompt } = request === null || request === "too large" ? {} : request.request;
  const target = url ?? query ?? prompt;
  return {
    title: `Job: ${job.endpoint}`,
    lead: target === undefined ? undefined : shortenTarget(String(target)),
    actions: (
      <>
        <a class="button" href="/dashboard/jobs">
          Show all jobs
        </a>
        {request === null ? null : (
          <a class="button primary" href={`/dashboard/playground?from=${job.id}`}>
            Run again
          </a>
        )}
      </>
    ),
    section: "jobs",
  } as const;
}

function renderNotFound(c: Context<DashboardEnv>) {
  c.status(404);
  const other = c.var.mode === "live" ? "test" : "live";
  const message = `Your ${c.var.mode} data doesn't contain this job, or its result has expired. If it's a ${other} job, switch to ${other} data at the top of the page.`;
  return c.render(<ErrorPage title="Job not found" message={message} />, { title: "Not found", section: "jobs" });
}
