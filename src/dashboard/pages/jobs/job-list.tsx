import type { JobLine } from "../../../account/jobs/job-lines";
import type { ListPage } from "../../../account/jobs/lists";
import type { Located } from "../../../account/jobs/locate";
import { toIso } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { redactUrl } from "../../../lib/redact";
import type { Mode } from "../../../model/api-key";
import type { KeyName } from "../../../store/keys";
import { EmptyState, LinkButton, PostButton, RelativeTime, StatusBadge } from "../../ui/components";
import { shortenTarget, toKeyLabel, toProcessingTime } from "../../ui/format";
import { OutcomeBadge } from "../../ui/job-parts";
import { MAX_OFFSET, PageLinks, UncountedPagination } from "../../ui/pagination";
import { LinkedRows } from "../../ui/table";
import { type JobConditions, type PagePlace, toJobsHref } from "./job-filter";

interface JobTableProps {
  lines: readonly JobLine[];
  keys: readonly KeyName[];
  now: number;
}

/** The table of jobs. */
export function JobTable({ lines, keys, now }: JobTableProps) {
  return (
    <LinkedRows
      caption="Jobs, newest first"
      rows={lines}
      columns={[
        { label: "Job", cell: (line) => <JobLink line={line} /> },
        {
          label: "Status",
          cell: ({ status, outcome, errorCode }) => (
            <>
              <StatusBadge is={status} /> <OutcomeBadge outcome={outcome} />
              {errorCode === null ? null : <code>{errorCode}</code>}
            </>
          ),
        },
        { label: "Endpoint", cell: ({ endpoint, engine }) => (engine === null ? endpoint : `${endpoint} · ${engine}`) },
        { label: "Key", cell: ({ keyId }) => toKeyLabel(keyId, keys) },
        { label: "Created", cell: ({ createdAt }) => <RelativeTime at={createdAt} now={now} /> },
        { label: "Duration", class: "number", cell: ({ processingTimeMs }) => toProcessingTime(processingTimeMs) },
        { label: "Credits", class: "number", cell: ({ credits }) => credits.toLocaleString("en") },
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
  limit: number;
  place: PagePlace;
}

/**
 * The number of jobs if they all fit on one page. Otherwise, the position in the list, with links to the previous and
 * the next page. If the offset of the next page would be too large, or if this page isn't full, the link to the next
 * page uses a cursor. A page that was opened with a cursor doesn't know the previous page, so it links to the newest
 * page instead.
 */
export function JobPages({ conditions, page, limit, place: { offset, cursor } }: JobPagesProps) {
  const older = page.next === null ? null : toJobsHref(conditions, { offset: 0, cursor: page.next });
  if (cursor === undefined) {
    const needsCursor = offset + limit > MAX_OFFSET || page.items.length < limit;
    const href = (at: number) => (at > offset && needsCursor ? (older ?? "") : toJobsHref(conditions, { offset: at }));
    const last = offset + page.items.length;
    if (offset === 0 && older === null) return <p class="pages">{toCount(page.total, "job")}</p>;
    return (
      <UncountedPagination {...{ limit, offset, href }} more={older !== null}>
        <span>
          {(offset + 1).toLocaleString("en")}–{last.toLocaleString("en")} of {page.isEstimate ? "at least " : ""}
          {page.total.toLocaleString("en")}
        </span>
      </UncountedPagination>
    );
  }
  return <PageLinks newer={toJobsHref(conditions)} older={older} labels={["Newest", "Older"]} />;
}

/** The note that older jobs aren't listed because they are archived. Empty if the list isn't at its end. */
export function ArchiveNote({ page }: { page: ListPage<JobLine> }) {
  if (page.archivedBefore === null || page.next !== null) return null;
  return (
    <p class="small muted">
      Jobs created before {toIso(page.archivedBefore).slice(0, 10)} are archived and aren't listed. To open an archived
      job, search for its ID.
    </p>
  );
}

/** The note about an id in the search box. `record` is null, or a record of the other mode, which this mode can't open. */
export function SearchNote({ record }: { record: Located | null }) {
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
      <PostButton action="/dashboard/mode" fields={{ mode }} label={`Switch to ${mode} data`} />
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
export function NoJobs({ conditions, isFirst, mode, page: { next, total, isEstimate } }: NoJobsProps) {
  if (next !== null) {
    return (
      <EmptyState title={isEstimate ? "No matching jobs so far" : toCount(total, "matching job")}>
        <p>The search stopped after many jobs. Older jobs weren't searched yet.</p>
        <a class="button primary" href={toJobsHref(conditions, { offset: 0, cursor: next })}>
          Search older jobs
        </a>
      </EmptyState>
    );
  }
  if (!isFirst || Object.keys(conditions).length > 0) {
    return (
      <EmptyState title="No matching jobs">
        <p>
          <a href="/dashboard/jobs">Show all jobs</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${mode} jobs yet`}>
      <p>Jobs that your API keys and the playground create appear here.</p>
      <LinkButton href="/dashboard/playground" tone="primary" label="Open playground" />
    </EmptyState>
  );
}
