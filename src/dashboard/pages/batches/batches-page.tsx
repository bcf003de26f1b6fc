import { Hono } from "hono";
import type { BatchLine } from "../../../account/batches/batch-list";
import { callAccount } from "../../../account/client";
import { wakeCrawl } from "../../../crawl/create";
import { readCrawlProgress } from "../../../crawl/read-crawl";
import { cancelBatch, resumeBatch } from "../../../jobs/batches";
import { toCount } from "../../../lib/count";
import { isId } from "../../../lib/id";
import type { Mode } from "../../../model/api-key";
import type { Batch } from "../../../model/batch";
import { type KeyName, listKeyNames } from "../../../store/keys";
import { toDashboardCaller } from "../../auth/caller";
import { AutoRefresh, Card, EmptyState, LinkButton, Time } from "../../ui/components";
import type { DashboardEnv } from "../../ui/env";
import { shortenTarget, toKeyLabel } from "../../ui/format";
import { JobStatus } from "../../ui/job-parts";
import { PageLinks } from "../../ui/pagination";
import { LinkedRows } from "../../ui/table";
import { RequestCard } from "../jobs/job-cards";
import {
  BatchActions,
  BatchNotice,
  DetailsCard,
  DownloadLinks,
  type FoundUrls,
  FoundUrlsCard,
  KIND_LABELS,
  PageList,
  ProgressCard,
  readPageView,
  toBatchHref,
  toPageFilter,
  toRequestPreview,
} from "./batch-cards";
import { expectBatch } from "./find-batch";

const BATCHES_PER_PAGE = 25;
const PAGES_PER_PAGE = 25;
const NO_URLS: FoundUrls = {};

/** The pages about batches and crawls. */
export const batches = new Hono<DashboardEnv>();

batches.get("/batches", async (c) => {
  const { account, mode } = c.var;
  const given = c.req.query("cursor");
  const cursor = given !== undefined && isId(given) ? given : undefined;
  const [reply, keys] = await Promise.all([
    callAccount(c.env, account, (stub) => stub.listBatches({ mode, limit: BATCHES_PER_PAGE, cursor })),
    listKeyNames(c.env.DB, { accountId: account.id, mode }),
  ]);
  const isFirst = cursor === undefined;
  const src = isFirst ? "/dashboard/batches" : `/dashboard/batches?cursor=${cursor}`;
  return c.render(
    <AutoRefresh id="batches" src={src} busy={isFirst || reply.batches.some(({ endedAt }) => endedAt === null)}>
      {reply.batches.length === 0 ? (
        <NoBatches isFirst={isFirst} mode={mode} />
      ) : (
        <Card>
          <BatchTable lines={reply.batches} keys={keys} />
          <PageLinks
            newer={isFirst ? null : "/dashboard/batches"}
            older={reply.next === null ? null : `/dashboard/batches?cursor=${reply.next}`}
            labels={["Newest", "Older"]}
          />
        </Card>
      )}
    </AutoRefresh>,
    { title: "Batches and crawls", lead: "Requests for many pages.", section: "batches" },
  );
});

batches.get("/batches/:id", async (c) => {
  const batch = await expectBatch(c, c.req.param("id"));
  const shown = readPageView(c.req.query());
  const filter = { mode: batch.mode, id: batch.id, ...toPageFilter(shown), limit: PAGES_PER_PAGE };
  const [reply, first, found, keys] = await Promise.all([
    callAccount(c.env, c.var.account, (stub) => stub.listPageLines(filter)),
    callAccount(c.env, c.var.account, (stub) =>
      stub.listPageLines({ mode: batch.mode, id: batch.id, after: 0, limit: 1 }),
    ),
    batch.kind === "crawl" ? readCrawlProgress(c.env, batch) : NO_URLS,
    listKeyNames(c.env.DB, { accountId: batch.account.id, mode: batch.mode }),
  ]);
  const { pages, hasArchived, next } = reply.kind === "missing" ? { pages: [], hasArchived: false, next: null } : reply;
  const subject = first.kind === "missing" ? undefined : (first.pages[0]?.url ?? undefined);
  return c.render(
    <AutoRefresh id="batch" src={toBatchHref(batch.id, shown)} busy={batch.endedAt === null} parts="batch-actions">
      <div class="stack">
        <BatchNotice batch={batch} />
        {found.note === undefined ? null : <p class="notice warn">{found.note}</p>}
        <ProgressCard batch={batch} hasArchived={hasArchived} />
        <FoundUrlsCard batch={batch} found={found} />
        <Card title="Pages" actions={<DownloadLinks batch={batch} />}>
          <PageList batch={batch} pages={pages} hasArchived={hasArchived} next={next} shown={shown} />
        </Card>
        <div class="grid two">
          <RequestCard path={batch.kind} preview={toRequestPreview(batch)} />
          <DetailsCard batch={batch} keys={keys} />
        </div>
      </div>
    </AutoRefresh>,
    {
      title: KIND_LABELS[batch.kind],
      lead: subject === undefined ? undefined : toTitle({ ...batch, subject }),
      actions: (
        <div id="batch-actions" class="row">
          <BatchActions batch={batch} />
        </div>
      ),
      section: "batches",
    },
  );
});

batches.post("/batches/:id/cancel", async (c) => {
  const { id } = await cancelBatch(c.env, await expectBatch(c, c.req.param("id")));
  return c.redirect(toBatchHref(id), 303);
});

batches.post("/batches/:id/resume", async (c) => {
  const { isResumed, batch } = await resumeBatch(c.env, await expectBatch(c, c.req.param("id")), toDashboardCaller(c));
  if (isResumed && batch.kind === "crawl") await wakeCrawl(c.env, batch);
  return c.redirect(toBatchHref(batch.id), 303);
});

function BatchTable({ lines, keys }: { lines: readonly BatchLine[]; keys: readonly KeyName[] }) {
  return (
    <LinkedRows
      caption="Batches and crawls, newest first"
      rows={lines}
      columns={[
        { label: "URL", cell: (line) => <a href={`/dashboard/batches/${line.id}`}>{toTitle(line)}</a> },
        { label: "Status", cell: ({ status, error }) => <JobStatus status={status} errorCode={error?.code ?? null} /> },
        { label: "Kind", cell: ({ kind, endpoint }) => `${KIND_LABELS[kind]} · ${endpoint}` },
        { label: "Pages", cell: toProgress },
        { label: "Key", cell: ({ keyId }) => toKeyLabel(keyId, keys) },
        { label: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "Credits", class: "number", cell: ({ credits }) => credits.used },
      ]}
    />
  );
}

/** Returns the first URL of a batch and the number of its other pages, or the URL of a crawl. */
function toTitle({ kind, subject, counts: { total } }: BatchLine): string {
  if (subject === null) return kind === "crawl" ? "Crawl" : toCount(total, "page");
  const target = shortenTarget(subject);
  return kind === "crawl" || total < 2 ? target : `${target} and ${toCount(total - 1, "other page")}`;
}

/** Returns the number of ended pages, such as `12 of 40 pages` or `40 pages, 3 failed`. */
function toProgress({ counts: { total, completed, failed }, endedAt }: Batch): string {
  const ended = completed + failed;
  const pages =
    endedAt !== null && ended === total ? toCount(total, "page") : `${toText(ended)} of ${toCount(total, "page")}`;
  return failed === 0 ? pages : `${pages}, ${toText(failed)} failed`;
}

function toText(count: number): string {
  return count.toLocaleString("en");
}

/** The text that replaces the table if there are no batches. */
function NoBatches({ isFirst, mode }: { isFirst: boolean; mode: Mode }) {
  if (!isFirst) {
    const link = ["/dashboard/batches", "Show all batches and crawls"] as const;
    return <EmptyState title="No older batches or crawls" link={link} />;
  }
  return (
    <EmptyState title={`No ${mode} batches or crawls yet`}>
      <p>A batch scrapes or parses many pages with one request. A crawl finds the pages of a site while it runs.</p>
      <div class="row">
        <LinkButton href="/dashboard/playground/batch" tone="primary" label="Start a batch" />
        <LinkButton href="/dashboard/playground/crawl" label="Start a crawl" />
      </div>
    </EmptyState>
  );
}
