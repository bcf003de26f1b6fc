import type { Batch } from "../../../model/batch";
import { SKIP_REASONS, type SkippedCounts, type SkipReason } from "../../../model/crawl";
import { Card, Stat } from "../../ui/components";

/** The texts for the reasons why URLs aren't visited. Each text follows the number of URLs. */
const SKIP_LABELS: { readonly [R in SkipReason]: string } = {
  excluded: "excluded by the included and excluded paths",
  robots: "not allowed by robots.txt",
  depth: "beyond the maximum depth",
  file: "files without text, such as images and archives",
  trap: "endless URLs, such as those of a calendar",
  redirect: "URLs to which a visited page redirects",
  limit: "not visited because the crawl reached its maximum number of pages",
};

/**
 * The numbers of URLs of a crawl. The numbers are undefined if they can't be read. `note` explains an unexpected end.
 */
export interface FoundUrls {
  discovered?: number;
  skipped?: SkippedCounts;
  note?: string;
}

/**
 * The numbers of URLs that a crawl has found and skipped, with the reasons. Renders nothing if the numbers can't be
 * read.
 */
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
      <dl class="stats">
        <Stat label="Discovered" value={discovered.toLocaleString("en")} />
        <Stat label="Pages" value={counts.total.toLocaleString("en")} />
        <Stat label="Skipped" value={total.toLocaleString("en")} />
        <Stat label="Waiting" value={Math.max(0, discovered - counts.total - total).toLocaleString("en")} />
      </dl>
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

/** The explanation of a crawl that ended with fewer pages than expected. Renders nothing if there is no explanation. */
export function CrawlNote({ note }: { note: string | undefined }) {
  return note === undefined ? null : <p class="notice warn">{note}</p>;
}
