import { type Context, Hono } from "hono";
import { getOwnJob } from "../../../jobs/own";
import { SECOND_MS } from "../../../model/limits";
import { getDelivery } from "../../../store/deliveries";
import { listJobLines } from "../../../store/job-lines";
import { openResult } from "../../../store/objects";
import { readInput } from "../../result-view/input";
import { readPreview } from "../../result-view/preview";
import { toPreviewCard } from "../../result-view/preview-card";
import { AutoRefresh, Card, EmptyState, ErrorPage } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { MAX_OFFSET, Pagination, readOffset } from "../../ui/pagination";
import { DetailsCard, Failure, InputCard, JobStats, UnderWay } from "./detail";
import { readFilter, toJobsHref } from "./filter";
import { FilterForm, JobTable } from "./list";
import { toShortSubject } from "./subject";

const JOBS_A_PAGE = 25;
/** How often to look for new jobs while none that is listed is under way. */
const LOOK_FOR_NEW_MS = 10 * SECOND_MS;

export const jobs = new Hono<DashboardEnv>();

jobs.get("/jobs", async (c) => {
  const filter = readFilter(c.req.query());
  const { account, mode } = c.var;
  const page = { limit: JOBS_A_PAGE, offset: readOffset(c) };
  const owner = { accountId: account.id, mode };
  const { lines, total } = await listJobLines(c.env.DB, { ...owner, ...filter, ...page, countTo: MAX_OFFSET });
  const isBusy = lines.some(({ status }) => status === "queued" || status === "processing");
  const isFiltered = filter.status !== undefined || filter.endpoint !== undefined;
  const href = (offset: number) => toJobsHref(filter, offset);
  return c.render(
    <>
      <FilterForm filter={filter} />
      <AutoRefresh id="jobs" src={href(page.offset)} busy={isBusy || page.offset === 0} {...lookEvery(isBusy)}>
        {lines.length > 0 ? (
          <Card>
            <JobTable lines={lines} />
            <Pagination {...page} total={total} atLeast={total >= MAX_OFFSET} href={href} />
          </Card>
        ) : (
          <Nothing isFiltered={isFiltered || page.offset > 0} mode={mode} />
        )}
      </AutoRefresh>
    </>,
    {
      title: "Jobs",
      lead: `Every request for an extraction, newest first, of ${mode === "live" ? "live" : "test"} keys and this dashboard.`,
      section: "jobs",
    },
  );
});

jobs.get("/jobs/:id", async (c) => {
  const job = await findJob(c);
  if (job === null) return notFound(c);
  const href = `/dashboard/jobs/${job.id}`;
  const [input, delivery] = await Promise.all([readInput(c.env, job), getDelivery(c.env.DB, job.id)]);
  const view = c.req.query("view");
  const preview = job.status === "completed" ? await readPreview(c.env, job, { input, view }) : null;
  const asked = input?.request.url ?? input?.request.query ?? input?.request.prompt;
  return c.render(
    <AutoRefresh
      id="job"
      src={view === undefined ? href : `${href}?view=${encodeURIComponent(view)}`}
      busy={job.endedAt === null}
    >
      <div class="stack">
        {job.error === null ? null : <Failure error={job.error} />}
        {job.endedAt === null ? <UnderWay job={job} /> : null}
        <JobStats job={job} />
        {job.status === "completed" ? (
          preview === null ? (
            <Gone />
          ) : (
            await toPreviewCard(job, preview, (name) => `${href}?view=${name}`)
          )
        ) : null}
        <div class="grid two">
          <InputCard job={job} input={input} />
          <DetailsCard job={job} delivery={delivery} />
        </div>
      </div>
    </AutoRefresh>,
    {
      title: `Job: ${job.endpoint}`,
      lead: asked === undefined ? undefined : toShortSubject(String(asked)),
      actions: (
        <>
          <a class="button" href="/dashboard/jobs">
            All jobs
          </a>
          {input === null ? null : (
            <a class="button primary" href={`/dashboard/playground?from=${job.id}`}>
              Run again
            </a>
          )}
        </>
      ),
      section: "jobs",
    },
  );
});

jobs.get("/jobs/:id/result", async (c) => {
  const job = await findJob(c);
  if (job === null) return notFound(c);
  const headers = {
    "content-type": "application/json",
    "content-disposition": `attachment; filename="${job.endpoint}-${job.id}.json"`,
  };
  if (job.result !== null) return c.body(job.result, 200, headers);
  const object = job.resultStored ? await openResult(c.env.STORE, job.id, job.run) : null;
  if (object === null) return notFound(c);
  // As it lies there: it may be far larger than what this page shows.
  return c.body(object.body, 200, { ...headers, "content-length": String(object.size) });
});

function lookEvery(isBusy: boolean): { every?: number } {
  return isBusy ? {} : { every: LOOK_FOR_NEW_MS };
}

async function findJob(c: Context<DashboardEnv, "/jobs/:id">) {
  const job = await getOwnJob(c.env, { id: c.req.param("id"), accountId: c.var.account.id, mode: c.var.mode });
  c.set("jobId", job?.id);
  return job;
}

function notFound(c: Context<DashboardEnv>) {
  c.status(404);
  const message = `There is no such job among the ${c.var.mode} data, or its result isn't kept any more. The button at the top switches between live and test.`;
  return c.render(<ErrorPage title="There is no such job" message={message} />, {
    title: "Not found",
    section: "jobs",
  });
}

function Nothing({ isFiltered, mode }: { isFiltered: boolean; mode: "live" | "test" }) {
  if (isFiltered) {
    return (
      <EmptyState title="No job matches">
        <p>
          <a href="/dashboard/jobs">Show all jobs</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${mode} jobs yet`}>
      <p>What your keys are asked to scrape, parse or search is listed here.</p>
      <a class="button primary" href="/dashboard/playground">
        Try it in the playground
      </a>
    </EmptyState>
  );
}

function Gone() {
  return (
    <Card title="Result">
      <p class="muted">The result was kept for its time and is gone. Run the job again to get a new one.</p>
    </Card>
  );
}
