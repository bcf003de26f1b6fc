import { Hono } from "hono";
import { callAccount } from "../../../account/client";
import type { JobLine } from "../../../account/jobs/job-lines";
import type { ListPage } from "../../../account/jobs/lists";
import type { Located } from "../../../account/jobs/locate";
import { getOwnJobOfAnyMode } from "../../../jobs/read-job";
import { toCount } from "../../../lib/count";
import { redactUrl } from "../../../lib/redact";
import type { Mode } from "../../../model/api-key";
import type { Job } from "../../../model/job";
import { type KeyName, listKeyNames } from "../../../store/keys";
import { readResultPreview, renderResult } from "../../result-view/result-view";
import { AutoRefresh, Card, EmptyState, LinkButton, Time } from "../../ui/components";
import type { DashboardContext, DashboardEnv } from "../../ui/env";
import { shortenTarget, toKeyLabel, toProcessingTime, toRecordPath } from "../../ui/format";
import { JobStatus } from "../../ui/job-parts";
import { PageLinks } from "../../ui/pagination";
import { PostButton } from "../../ui/post-form";
import { LinkedRows } from "../../ui/table";
import { expectJob } from "./find-job";
import { type JobParts, JobView, readJobParts } from "./job-cards";
import { findSearchedId, type JobConditions, JobFilterForm, readJobsQuery, toJobsHref } from "./job-filter";

const JOBS_PER_PAGE = 25;

export const jobs = new Hono<DashboardEnv>();

jobs.get("/jobs", async (c) => {
  const { account, mode, support } = c.var;
  const { conditions, parsed, hasEmpty } = readJobsQuery(c.req.query());
  const id = findSearchedId(conditions);
  const record = id === null ? null : await findRecord(c, id);
  if (record !== null && support !== undefined) return c.redirect(`${toRecordPath(record)}?mode=${record.mode}`, 303);
  if (record?.mode === mode) return c.redirect(toRecordPath(record), 303);
  // A form also sends its empty fields. Without them, the URL is short enough to share.
  if (hasEmpty) return c.redirect(toJobsHref(conditions), 303);
  const head = { title: "Jobs", section: "jobs" } as const;
  if ("errors" in parsed) {
    c.status(400);
    const keys = await listKeyNames(c.env.DB, { accountId: account.id, mode });
    return c.render(<JobFilterForm conditions={conditions} errors={parsed.errors} keys={keys} />, head);
  }
  const { filter } = parsed;
  const [page, keys] = await Promise.all([
    callAccount(c.env, account, (stub) => stub.listLines({ mode, ...filter, limit: JOBS_PER_PAGE })),
    listKeyNames(c.env.DB, { accountId: account.id, mode }),
  ]);
  const { cursor } = filter;
  const isFirst = cursor === undefined;
  const isBusy = page.items.some(({ status }) => status === "queued" || status === "processing");
  return c.render(
    <>
      <JobFilterForm conditions={conditions} keys={keys} errors={undefined} />
      {id === null ? null : <SearchNote record={record} />}
      <AutoRefresh id="jobs" src={toJobsHref(conditions, cursor)} busy={isBusy || isFirst}>
        {page.items.length === 0 ? (
          <NoJobs conditions={conditions} isFirst={isFirst} mode={mode} page={page} />
        ) : (
          <Card>
            <JobTable lines={page.items} keys={keys} />
            <JobPages conditions={conditions} page={page} isFirst={isFirst} />
          </Card>
        )}
        <ArchiveNote page={page} />
      </AutoRefresh>
    </>,
    head,
  );
});

jobs.get("/jobs/:id", async (c) => {
  const job = await expectJob(c, c.req.param("id"));
  const [parts, result] = await Promise.all([readJobParts(c.env, job), readResultPreview(c.env, job)]);
  const shown = <Card title="Result">{await renderResult(job, result)}</Card>;
  return c.render(<JobView job={job} {...parts} result={shown} />, toHead(job, parts.request));
});

/** Returns the account's record with this id, or the one of the request with this `X-Request-Id`, or null. */
async function findRecord(c: DashboardContext, id: string): Promise<Located | null> {
  const { account, mode } = c.var;
  const found = await callAccount(c.env, account, (stub) => stub.locate(id));
  const record = found.find((each) => each.mode === mode) ?? found[0];
  if (record !== undefined) return record;
  // The archive can't be searched by request.
  const job = await getOwnJobOfAnyMode(c.env, account, id);
  return job === null ? null : { kind: "job", mode: job.mode, id };
}

function toHead(job: Job, request: JobParts["request"]) {
  const { url, query, prompt } = request === null || request === "too large" ? {} : request.request;
  const target = url ?? query ?? prompt;
  return {
    title: `Job: ${job.endpoint}`,
    lead: target === undefined ? undefined : shortenTarget(String(target)),
    actions: (
      <>
        <LinkButton href="/dashboard/jobs" label="Show all jobs" />
        {target === undefined ? null : (
          <LinkButton href={`/dashboard/jobs/compare?a=${job.id}`} label="Compare with…" />
        )}
        {request === null ? null : (
          <LinkButton href={`/dashboard/playground?from=${job.id}`} tone="primary" label="Run again" />
        )}
      </>
    ),
    section: "jobs",
  } as const;
}

function JobTable({ lines, keys }: { lines: readonly JobLine[]; keys: readonly KeyName[] }) {
  return (
    <LinkedRows
      caption="Jobs, newest first"
      rows={lines}
      columns={[
        { label: "Job", cell: (line) => <JobLink line={line} /> },
        { label: "Status", cell: (line) => <JobStatus {...line} /> },
        { label: "Endpoint", cell: ({ endpoint, engine }) => (engine === null ? endpoint : `${endpoint} · ${engine}`) },
        { label: "Key", cell: ({ keyId }) => toKeyLabel(keyId, keys) },
        { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "Duration", class: "number", cell: ({ processingTimeMs }) => toProcessingTime(processingTimeMs) },
        { label: "Credits", class: "number", cell: ({ credits }) => credits },
      ]}
    />
  );
}

function JobLink({ line }: { line: JobLine }) {
  const { id, subject } = line;
  const title = toTitle(line);
  const isCut = title.endsWith("…") && subject !== null;
  return (
    <a href={`/dashboard/jobs/${id}`} title={isCut ? redactUrl(subject) : undefined}>
      {title}
    </a>
  );
}

function toTitle({ subject, expired }: JobLine): string {
  if (subject !== null) return shortenTarget(subject);
  return expired ? "Expired request" : "Large request";
}

interface JobPagesProps {
  conditions: JobConditions;
  page: ListPage<JobLine>;
  isFirst: boolean;
}

/** The number of jobs on the first page, and the links to the newest and the older jobs. */
function JobPages({ conditions, page: { next, total, isEstimate }, isFirst }: JobPagesProps) {
  const count = isFirst ? `${isEstimate ? "at least " : ""}${toCount(total, "job")}` : null;
  if (isFirst && next === null) return <p class="pages">{count}</p>;
  return (
    <PageLinks
      newer={isFirst ? null : toJobsHref(conditions)}
      older={next === null ? null : toJobsHref(conditions, next)}
      labels={["Newest", "Older"]}
    >
      <span>{count}</span>
    </PageLinks>
  );
}

/** The note that older jobs aren't listed because they are archived. Empty if the list isn't at its end. */
function ArchiveNote({ page }: { page: ListPage<JobLine> }) {
  if (page.archivedBefore === null || page.next !== null) return null;
  return (
    <p class="small muted">
      Jobs created before <Time at={page.archivedBefore} /> are archived and aren't listed. To open an archived job,
      search for its ID.
    </p>
  );
}

/** The note about an id in the search box. `record` is null, or a record of the other mode, which this mode can't open. */
function SearchNote({ record }: { record: Located | null }) {
  if (record === null) {
    return (
      <p class="notice">
        No job, batch or crawl has this ID. The request may have been refused, or it repeated an earlier one.
      </p>
    );
  }
  const { kind, mode } = record;
  return (
    <div class="notice row">
      <span>
        This is a {mode} {kind}.
      </span>
      <PostButton action="/dashboard/mode" hidden={{ mode }} label={`Switch to ${mode} data`} />
    </div>
  );
}

interface NoJobsProps {
  conditions: JobConditions;
  isFirst: boolean;
  mode: Mode;
  page: ListPage<JobLine>;
}

/** The empty state of the table. */
function NoJobs({ conditions, isFirst, mode, page: { next, total, isEstimate } }: NoJobsProps) {
  if (next !== null) {
    return (
      <EmptyState
        title={isEstimate ? "No matching jobs so far" : toCount(total, "matching job")}
        text="The search stopped after many jobs. Older jobs weren't searched yet."
        link={[toJobsHref(conditions, next), "Search older jobs"]}
      />
    );
  }
  if (!isFirst || Object.keys(conditions).length > 0)
    return <EmptyState title="No matching jobs" link={["/dashboard/jobs", "Show all jobs"]} />;
  return (
    <EmptyState
      title={`No ${mode} jobs yet`}
      text="Jobs that your API keys and the playground create appear here."
      link={["/dashboard/playground", "Open playground"]}
    />
  );
}
