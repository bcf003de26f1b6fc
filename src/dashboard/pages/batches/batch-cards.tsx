import type { Child } from "hono/jsx";
import type { PageLine, PageLineFilter, PageStatus } from "../../../account/batches/batch-list";
import { toCount } from "../../../lib/count";
import { redactSecrets, redactUrl } from "../../../lib/redact";
import { type Batch, type BatchKind, RESUMABLE_CODES } from "../../../model/batch";
import { SKIP_REASONS, type SkippedCounts, type SkipReason } from "../../../model/crawl";
import type { KeyName } from "../../../store/keys";
import { Card, type Fact, Facts, LinkButton, LinkTabs, Stats, StatusBadge, Time } from "../../ui/components";
import { shortenTarget, toDuration, toKeyLabel, toPercent, toProcessingTime } from "../../ui/format";
import { FailureNotice, JobStatus } from "../../ui/job-parts";
import { PageLinks } from "../../ui/pagination";
import { PostButton } from "../../ui/post-form";
import { Table } from "../../ui/table";
import type { RequestPreview } from "../jobs/job-cards";

export const KIND_LABELS: { readonly [K in BatchKind]: string } = { batch: "Batch", crawl: "Crawl" };

/** The notice about a batch that is running or that ended early. Renders nothing for a completed batch. */
export function BatchNotice({ batch }: { batch: Batch }) {
  const { kind, error, endedAt } = batch;
  if (endedAt === null) {
    return (
      <p class="notice busy" role="status">
        The {kind} is running. This page updates automatically. If JavaScript is disabled, reload the page.
      </p>
    );
  }
  return error === null ? null : <FailureNotice {...error} />;
}

/** The progress bar, the numbers of pages and the credits of a batch. */
export function ProgressCard({ batch, hasArchived }: { batch: Batch; hasArchived: boolean }) {
  const { counts, credits, endedAt, error, kind } = batch;
  const ended = counts.completed + counts.failed - countUntried(counts);
  const isCut = kind === "crawl" && (endedAt === null || error !== null);
  const limit = isCut ? Math.max(counts.total, readLimit(batch)) : counts.total;
  const number = (value: number) => value.toLocaleString("en");
  return (
    <Card title="Progress">
      <progress class="share" max={Math.max(1, limit)} value={ended} aria-label="Ended pages" />
      <p class="small muted">
        {isCut
          ? `${toCount(ended, "page")} of at most ${number(limit)}`
          : `${number(ended)} of ${toCount(limit, "page")} (${limit === 0 ? "0%" : toPercent(ended, limit)})`}
      </p>
      <Stats
        of={[
          ["Completed", counts.completed],
          ["Failed", counts.failed, counts.failed > 0 ? "free" : undefined],
          ["Running", counts.running],
          ["Not started", counts.pending],
          ["Credits reserved", credits.reserved],
          ["Credits used", credits.used],
          ["Credits given back", credits.givenBack],
        ]}
      />
      <CodeCounts batch={batch} hasArchived={hasArchived} />
    </Card>
  );
}

/** Returns the number of pages that failed because the batch was canceled or stopped. */
function countUntried({ byCode }: Batch["counts"]): number {
  return ["cancelled", ...RESUMABLE_CODES].reduce((sum, code) => sum + (byCode[code] ?? 0), 0);
}

/** Returns the maximum number of pages of a crawl, or 0 for a batch. */
function readLimit({ kind, request }: Batch): number {
  const limit = kind === "crawl" && request !== null ? (JSON.parse(request).limit ?? 0) : 0;
  return typeof limit === "number" ? limit : 0;
}

/** The ended pages by outcome and error code, with links to them, unless some may be archived. */
function CodeCounts({ batch: { id, counts }, hasArchived }: { batch: Batch; hasArchived: boolean }) {
  const codes = Object.entries(counts.byCode).toSorted(([, a], [, b]) => b - a);
  if (codes.length === 0) return null;
  return (
    <div class="row">
      <span class="small muted">By outcome and error</span>
      {codes.map(([code, count]) => (
        <a class="chip" href={hasArchived ? undefined : toBatchHref(id, { code })}>
          {code} {count.toLocaleString("en")}
        </a>
      ))}
    </div>
  );
}

export function DetailsCard({ batch, keys }: { batch: Batch; keys: readonly KeyName[] }) {
  const { id, kind, endpoint, mode, keyId, status, createdAt, endedAt, labels, webhookUrl } = batch;
  const facts: Fact[] = [
    [`${KIND_LABELS[kind]} ID`, <code>{id}</code>],
    ["Status", <StatusBadge is={status} />],
    ["Endpoint", endpoint],
    ["Mode", mode],
    ["Key", toKeyLabel(keyId, keys)],
    ["Created", <Time at={createdAt} />],
  ];
  if (endedAt !== null) {
    facts.push(["Ended", <Time at={endedAt} />], ["Duration", toDuration(endedAt - createdAt)]);
  }
  if (labels !== null && labels.tags.length > 0) facts.push(["Tags", labels.tags.join(", ")]);
  for (const [name, value] of Object.entries(labels?.metadata ?? {})) facts.push([name, String(value)]);
  facts.push(["Webhook", webhookUrl === null ? "none" : (URL.parse(webhookUrl)?.host ?? webhookUrl)]);
  return (
    <Card title="Details">
      <Facts of={facts} />
    </Card>
  );
}

/** Returns the request of a batch without its pages and with redacted secrets, or null if it has expired. */
export function toRequestPreview({ request }: Batch): RequestPreview | null {
  if (request === null) return null;
  const { url, ...fields } = JSON.parse(redactSecrets(request)) as { url?: string };
  return { request: url === undefined ? fields : { url: redactUrl(url), ...fields }, shortened: [] };
}

export function DownloadLinks({ batch: { id, counts, kind } }: { batch: Batch }) {
  if (counts.completed + counts.failed === 0) return null;
  const path = `/dashboard/batches/${id}/pages`;
  return (
    <div class="row">
      <LinkButton
        href={`${path}.ndjson`}
        download={`${kind}-${id}.ndjson`}
        tone="quiet"
        small
        label="Download NDJSON"
      />
      {counts.completed === 0 ? null : (
        <LinkButton
          href={`${path}.zip`}
          download={`${kind}-${id}.zip`}
          tone="quiet"
          small
          label="Download Markdown (zip)"
        />
      )}
    </div>
  );
}

/** The buttons of a batch's page. A button is shown only if the user's role allows its action. */
export function BatchActions({ batch: { id, kind, endedAt, error, request } }: { batch: Batch }) {
  return (
    <>
      <LinkButton href="/dashboard/batches" label="Show all batches and crawls" />
      {request === null ? null : <LinkButton href={`/dashboard/playground/${kind}?from=${id}`} label="Run again" />}
      {endedAt === null ? (
        <PostButton
          action={`/dashboard/batches/${id}/cancel`}
          label={`Cancel ${kind}`}
          tone="danger"
          small={false}
          confirm={`Cancel this ${kind}? Unfinished pages stop and aren't charged. A canceled ${kind} can't be resumed.`}
        />
      ) : null}
      {RESUMABLE_CODES.some((code) => code === error?.code) ? (
        <PostButton action={`/dashboard/batches/${id}/resume`} label={`Resume ${kind}`} tone="primary" small={false} />
      ) : null}
    </>
  );
}

/** The texts for the reasons why URLs aren't visited. Each text follows the number of URLs. */
const SKIP_LABELS: { readonly [R in SkipReason]: string } = {
  excluded: "excluded by the path filters",
  robots: "not allowed by robots.txt",
  content_signals: "refused by their content signals",
  depth: "beyond the maximum depth",
  file: "files without text, such as images and archives",
  trap: "endless URLs, such as those of a calendar",
  sign_out: "links that sign out",
  redirect: "URLs to which a visited page redirects",
  limit: "not visited because the crawl reached its maximum number of pages",
};

/** The numbers of URLs of a crawl. Undefined if they can't be read. `note` explains an unexpected end. */
export interface FoundUrls {
  discovered?: number;
  skipped?: SkippedCounts;
  note?: string;
}

/** The URLs that a crawl has found and skipped, with the reasons. Empty if they can't be read. */
export function FoundUrlsCard({ batch: { counts }, found }: { batch: Batch; found: FoundUrls }) {
  const { discovered, skipped } = found;
  if (discovered === undefined || skipped === undefined) return null;
  const reasons = SKIP_REASONS.flatMap((reason) => {
    const count = skipped[reason] ?? 0;
    return count === 0 ? [] : [{ reason, count }];
  }).toSorted((a, b) => b.count - a.count);
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title="URLs">
      <Stats
        of={[
          ["Discovered", discovered],
          ["Pages", counts.total],
          ["Skipped", total],
          ["Waiting", Math.max(0, discovered - counts.total - total)],
        ]}
      />
      {reasons.length === 0 ? null : (
        <ul class="rows small" aria-label="Skipped URLs by reason">
          {reasons.map(({ reason, count }) => (
            <li>
              <strong>{count.toLocaleString("en")}</strong> {SKIP_LABELS[reason]}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

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

export function toPageFilter({ view, code, after }: PageView): Pick<PageLineFilter, "statuses" | "code" | "after"> {
  return { statuses: VIEWS[view].statuses, code, after };
}

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
  const toLink = (id: string, query: Partial<PageView>, label: string, count: number): [string, string, Child] => {
    const text = [`${label} `, <span class="muted">{count.toLocaleString("en")}</span>];
    return [id, toBatchHref(batch.id, query), text];
  };
  const links = (Object.keys(VIEWS) as View[]).flatMap((id) => {
    const count = id === "all" ? batch.counts.total : batch.counts[id];
    if (id !== "all" && id !== view && count === 0) return [];
    if (hasArchived && (id === "completed" || id === "failed")) return [];
    return [toLink(id, { view: id }, VIEWS[id].label, count)];
  });
  if (code !== undefined && !hasArchived) links.push(toLink(code, { code }, code, batch.counts.byCode[code] ?? 0));
  return (
    <>
      <LinkTabs label="Pages by status" current={code ?? view} links={links} />
      <PageTable pages={pages} empty={batch.counts.total === 0 ? "No page has started yet." : "No matching pages."} />
      <PageLinks
        newer={after === 0 ? null : toBatchHref(batch.id, { view, code })}
        older={next === null ? null : toBatchHref(batch.id, { view, code, after: next })}
        labels={["First pages", "Next pages"]}
      />
    </>
  );
}

function PageTable({ pages, empty }: { pages: readonly PageLine[]; empty: string }) {
  return (
    <Table
      class="page-lines"
      empty={empty}
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
          cell: ({ status, ...page }) => (
            <JobStatus {...page} status={status === "pending" ? "not started" : (status ?? "archived")} />
          ),
        },
        { label: "Duration", class: "number", cell: ({ processingTimeMs }) => toProcessingTime(processingTimeMs) },
        { label: "Credits", class: "number", cell: ({ jobId, credits }) => (jobId === null ? "–" : credits) },
      ]}
    />
  );
}

function toTarget(url: string | null): string {
  return url === null ? "The URL is no longer stored" : shortenTarget(url);
}
