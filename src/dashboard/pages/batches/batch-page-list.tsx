import type { PageLine, PageLineFilter, PageStatus } from "../../../account/batches/batch-list";
import type { Batch } from "../../../model/batch";
import { StatusBadge } from "../../ui/components";
import { shortenTarget, toProcessingTime } from "../../ui/format";
import { OutcomeBadge } from "../../ui/job-parts";
import { PageLinks } from "../../ui/pagination";
import { Table } from "../../ui/table";

/** The views of the list of pages, with the statuses that they show. */
const VIEWS = {
  all: { label: "All", statuses: undefined },
  running: { label: "Running", statuses: ["queued", "processing"] },
  completed: { label: "Completed", statuses: ["completed"] },
  failed: { label: "Failed", statuses: ["failed"] },
  pending: { label: "Not started", statuses: ["pending"] },
} as const satisfies Record<string, { label: string; statuses: readonly PageStatus[] | undefined }>;
type View = keyof typeof VIEWS;

/** The selection of pages in the query string. */
interface PageView {
  view: View;
  /** An outcome or an error code, or undefined for all. */
  code?: string | undefined;
  after: number;
}

/** Reads the query string of a batch's page. Ignores invalid values. */
export function readPageView({ pages = "all", code, after = "" }: Record<string, string>): PageView {
  return {
    view: Object.hasOwn(VIEWS, pages) ? (pages as View) : "all",
    code: code !== undefined && /^[a-z0-9_]{1,40}$/.test(code) ? code : undefined,
    after: /^\d{1,6}$/.test(after) ? Number(after) : 0,
  };
}

/** Returns the filter of the view. */
export function toPageFilter({ view, code, after }: PageView): Pick<PageLineFilter, "statuses" | "code" | "after"> {
  return { statuses: VIEWS[view].statuses, code, after };
}

/** Returns the URL of a batch's page. */
export function toBatchHref(id: string, { view = "all", code, after = 0 }: Partial<PageView> = {}): string {
  const query = new URLSearchParams();
  if (view !== "all") query.set("pages", view);
  if (code !== undefined) query.set("code", code);
  if (after > 0) query.set("after", String(after));
  return query.size === 0 ? `/dashboard/batches/${id}` : `/dashboard/batches/${id}?${query}`;
}

interface PageListProps {
  batch: Batch;
  pages: readonly PageLine[];
  hasArchived: boolean;
  next: number | null;
  shown: PageView;
}

/** The pages of a batch, with links that filter them by status. Omits links whose list would omit archived pages. */
export function PageList({ batch, pages, hasArchived, next, shown }: PageListProps) {
  const { view, code, after } = shown;
  return (
    <>
      <nav class="tabs" aria-label="Pages by status">
        {Object.entries(VIEWS).map(([id, { label }]) => {
          const count = toViewCount(batch, id as View);
          if (id !== "all" && id !== view && count === 0) return null;
          if (hasArchived && (id === "completed" || id === "failed")) return null;
          const isCurrent = id === view && code === undefined;
          return (
            <a href={toBatchHref(batch.id, { view: id as View })} aria-current={isCurrent ? "page" : undefined}>
              {label} <span class="muted">{count.toLocaleString("en")}</span>
            </a>
          );
        })}
        {code === undefined || hasArchived ? null : (
          <a href={toBatchHref(batch.id, { code })} aria-current="page">
            {code} <span class="muted">{(batch.counts.byCode[code] ?? 0).toLocaleString("en")}</span>
          </a>
        )}
      </nav>
      {pages.length === 0 ? (
        <p class="muted">{batch.counts.total === 0 ? "No page has started yet." : "No matching pages."}</p>
      ) : (
        <PageTable pages={pages} />
      )}
      <PageLinks
        newer={after === 0 ? null : toBatchHref(batch.id, { view, code })}
        older={next === null ? null : toBatchHref(batch.id, { view, code, after: next })}
        labels={["First pages", "Next pages"]}
      />
    </>
  );
}

function toViewCount({ counts }: Batch, view: View): number {
  return view === "all" ? counts.total : counts[view];
}

function PageTable({ pages }: { pages: readonly PageLine[] }) {
  return (
    <Table
      class="page-lines"
      caption="Pages in the order of their numbers"
      rows={pages}
      columns={[
        {
          label: "Page",
          cell: ({ number, url, jobId }) => (
            <>
              <span class="muted">{number.toLocaleString("en")}.</span>{" "}
              {jobId === null ? toTarget(url) : <a href={`/dashboard/jobs/${jobId}`}>{toTarget(url)}</a>}
            </>
          ),
        },
        {
          label: "Status",
          cell: ({ status, outcome, errorCode }) => (
            <>
              <StatusBadge is={status === "pending" ? "not started" : (status ?? "archived")} />{" "}
              <OutcomeBadge outcome={outcome} />{" "}
              {errorCode === null ? null : <code class="error-code">{errorCode}</code>}
            </>
          ),
        },
        { label: "Duration", class: "number", cell: ({ processingTimeMs }) => toProcessingTime(processingTimeMs) },
        {
          label: "Credits",
          class: "number",
          cell: ({ jobId, credits }) => (jobId === null ? "–" : credits.toLocaleString("en")),
        },
      ]}
    />
  );
}

function toTarget(url: string | null): string {
  return url === null ? "The URL is no longer stored" : shortenTarget(url);
}
