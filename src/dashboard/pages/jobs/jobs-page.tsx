import { type Context, Hono } from "hono";
import { callAccount } from "../../../account/client";
import type { Located } from "../../../account/jobs/locate";
import { getOwnJob, getOwnJobOfAnyMode } from "../../../jobs/read";
import { now } from "../../../lib/clock";
import type { Job } from "../../../model/job";
import { type KeyName, listKeyNames } from "../../../store/keys";
import { findDelivery } from "../../../webhooks/deliveries";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import { AutoRefresh, Card, ErrorPage, LinkButton } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { shortenTarget, toRecordPath } from "../../ui/format";
import { OutcomeNotice } from "../../ui/job-parts";
import {
  DetailsCard,
  ErrorNotice,
  JobStats,
  ProgressNotice,
  ReceiptCard,
  RequestCard,
  type RequestPreview,
  readRequestPreview,
} from "./job-cards";
import { JobFilterForm, readJobsQuery, toJobsHref, toSearchedId } from "./job-filter";
import { ArchiveNote, JobPages, JobTable, NoJobs, SearchNote } from "./job-list";

const JOBS_PER_PAGE = 25;

export const jobs = new Hono<DashboardEnv>();

jobs.get("/jobs", async (c) => {
  const { account, mode, support } = c.var;
  const { conditions, parsed, hasEmpty } = readJobsQuery(c.req.query());
  const id = toSearchedId(conditions);
  const record = id === null ? null : await findRecord(c, id);
  if (record !== null && support !== undefined) return c.redirect(`${toRecordPath(record)}?mode=${record.mode}`, 303);
  if (record?.mode === mode) return c.redirect(toRecordPath(record), 303);
  // A form also sends its empty fields. Without them, the URL is short enough to share.
  if (hasEmpty) return c.redirect(toJobsHref(conditions), 303);
  const head = { title: "Jobs", section: "jobs" } as const;
  if ("errors" in parsed) {
    c.status(400);
    return c.render(<JobFilterForm {...{ conditions, errors: parsed.errors }} keys={await readKeys(c)} />, head);
  }
  const { filter } = parsed;
  const [page, keys] = await Promise.all([
    callAccount(c.env, account, (stub) => stub.listLines({ mode, ...filter, limit: JOBS_PER_PAGE })),
    readKeys(c),
  ]);
  const isFirst = filter.offset === 0 && filter.cursor === undefined;
  const isBusy = page.items.some(({ status }) => status === "queued" || status === "processing");
  return c.render(
    <>
      <JobFilterForm {...{ conditions, keys }} errors={undefined} />
      {id === null ? null : <SearchNote record={record} />}
      <AutoRefresh id="jobs" src={toJobsHref(conditions, filter)} busy={isBusy || isFirst}>
        {page.items.length === 0 ? (
          <NoJobs {...{ conditions, isFirst, mode, page }} />
        ) : (
          <Card>
            <JobTable lines={page.items} keys={keys} now={now()} />
            <JobPages {...{ conditions, page }} limit={JOBS_PER_PAGE} place={filter} />
          </Card>
        )}
        <ArchiveNote page={page} />
      </AutoRefresh>
    </>,
    head,
  );
});

jobs.get("/jobs/:id", async (c) => {
  const job = await findJob(c);
  if (job === null) return renderNotFound(c);
  const [keys, request, delivery, result] = await Promise.all([
    readKeys(c),
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
          <DetailsCard {...{ job, keys, delivery }} />
          <ReceiptCard job={job} />
        </div>
      </div>
    </AutoRefresh>,
    toHead(job, request),
  );
});

/**
 * Returns the account's record with this id, or the record that the request with this `X-Request-Id` created. Returns
 * null if there is no such record.
 */
async function findRecord(c: Context<DashboardEnv>, id: string): Promise<Located | null> {
  const { account, mode } = c.var;
  const found = await callAccount(c.env, account, (stub) => stub.locate(id));
  const record = found.find((each) => each.mode === mode) ?? found[0];
  if (record !== undefined) return record;
  // The archive can't be searched by request.
  const job = await getOwnJobOfAnyMode(c.env, account, id);
  return job === null ? null : { kind: "job", mode: job.mode, id };
}

async function readKeys(c: Context<DashboardEnv>): Promise<KeyName[]> {
  return await listKeyNames(c.env.DB, { accountId: c.var.account.id, mode: c.var.mode });
}

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
        <LinkButton href="/dashboard/jobs" label="Show all jobs" />
        {request === null ? null : (
          <LinkButton href={`/dashboard/playground?from=${job.id}`} tone="primary" label="Run again" />
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
