import type { BatchLine } from "../../../account/batch-list";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import type { Batch } from "../../../model/batch";
import type { KeyName } from "../../../store/keys";
import { EmptyState, RelativeTime, StatusBadge } from "../../ui/components";
import { shortenTarget } from "../../ui/format";
import { toKeyLabel } from "../../ui/key-label";
import { KIND_LABELS } from "./detail";

interface BatchTableProps {
  lines: readonly BatchLine[];
  keys: readonly KeyName[];
  now: number;
}

/** The table of batches and crawls. On narrow screens, each row is a card. */
export function BatchTable({ lines, keys, now }: BatchTableProps) {
  return (
    <table class="jobs" data-rows>
      <caption class="visually-hidden">Batches and crawls, newest first</caption>
      <thead>
        <tr>
          <th scope="col">URL</th>
          <th scope="col">Status</th>
          <th scope="col">Kind</th>
          <th scope="col">Pages</th>
          <th scope="col">Key</th>
          <th scope="col">Created</th>
          <th scope="col" class="number">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr>
            <td>
              <a href={`/dashboard/batches/${line.id}`}>{toTitle(line)}</a>
            </td>
            <td>
              <StatusBadge is={line.status} /> {line.error === null ? null : <code>{line.error.code}</code>}
            </td>
            <td>
              {KIND_LABELS[line.kind]} · {line.endpoint}
            </td>
            <td>{toProgress(line)}</td>
            <td>{toKeyLabel(line.keyId, keys)}</td>
            <td>
              <RelativeTime at={line.createdAt} now={now} />
            </td>
            <td class="number">{line.credits.used.toLocaleString("en")}</td>
          </tr>
        ))}
      </tbody>
    </table>
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

/** The links to the newest and the next batches. Renders nothing if the list has only one page. */
export function BatchPages({ isFirst, next }: { isFirst: boolean; next: string | null }) {
  if (isFirst && next === null) return null;
  return (
    <nav class="pages" aria-label="Pagination">
      {isFirst ? null : (
        <a class="button quiet small" href="/dashboard/batches">
          Newest
        </a>
      )}
      {next === null ? null : (
        <a class="button quiet small" href={`/dashboard/batches?cursor=${next}`} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}

/** The text that replaces the table if there are no batches. */
export function NoBatches({ isFirst, mode }: { isFirst: boolean; mode: Mode }) {
  if (!isFirst) {
    return (
      <EmptyState title="No older batches or crawls">
        <p>
          <a href="/dashboard/batches">Show all batches and crawls</a>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${mode} batches or crawls yet`}>
      <p>A batch scrapes or parses many pages with one request. A crawl finds the pages of a site while it runs.</p>
      <div class="row">
        <a class="button primary" href="/dashboard/playground/batch">
          Start a batch
        </a>
        <a class="button" href="/dashboard/playground/crawl">
          Start a crawl
        </a>
      </div>
    </EmptyState>
  );
}
