import { toHitRate } from "../../../jobs/extractors";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import { type Extractor, MAX_EXTRACTORS } from "../../../model/extractor";
import { EmptyState, RelativeTime, StatusBadge, TableCell } from "../../ui/components";
import { toPercent } from "../../ui/format";

/** The number of properties that a row of the list names. */
const SHOWN_PROPERTIES = 4;

/** The table of extractors. On narrow screens, each row is a card. */
export function ExtractorTable({ extractors, now }: { extractors: readonly Extractor[]; now: number }) {
  return (
    <table class="stacking">
      <caption class="visually-hidden">Learned extractors, the last used first</caption>
      <thead>
        <tr>
          <th scope="col">Pages of</th>
          <th scope="col">Status</th>
          <th scope="col">Properties</th>
          <th scope="col">Learned from</th>
          <th scope="col">Hit rate</th>
          <th scope="col">Last drift</th>
          <th scope="col">Last used</th>
        </tr>
      </thead>
      <tbody>
        {extractors.map((extractor) => (
          <tr>
            <TableCell of="Pages of">
              <a href={`/dashboard/extractors/${extractor.id}`}>{extractor.host}</a>
            </TableCell>
            <TableCell of="Status">
              <StatusBadge is={extractor.status} />
            </TableCell>
            <TableCell of="Properties">{toPropertyList(extractor)}</TableCell>
            <TableCell of="Learned from">{toCount(extractor.pages, "parse")}</TableCell>
            <TableCell of="Hit rate">{toHitRateText(extractor)}</TableCell>
            <TableCell of="Last drift">
              {extractor.driftedAt === null ? "none" : <RelativeTime at={extractor.driftedAt} now={now} />}
            </TableCell>
            <TableCell of="Last used">
              <RelativeTime at={extractor.usedAt} now={now} />
            </TableCell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns the first properties of the schema, such as `name, price and 3 more`. */
export function toPropertyList({ properties }: Extractor): string {
  const shown = properties.slice(0, SHOWN_PROPERTIES).join(", ");
  const others = properties.length - SHOWN_PROPERTIES;
  return others > 0 ? `${shown} and ${others} more` : shown;
}

/** Returns the hit rate, such as `97.5%`, and the pages that it is of, such as `of 40 pages`. Null before the first use. */
export function toHitRateParts(extractor: Extractor): { rate: string; of: string } | null {
  const { uses, misses } = extractor;
  if (toHitRate(extractor) === null) return null;
  return { rate: toPercent(Math.max(0, uses - misses), uses), of: `of ${toCount(uses, "page")}` };
}

function toHitRateText(extractor: Extractor): string {
  const parts = toHitRateParts(extractor);
  return parts === null ? "not used yet" : `${parts.rate} ${parts.of}`;
}

/** The explanation for an account without extractors. */
export function NoExtractors({ mode }: { mode: Mode }) {
  if (mode === "test") {
    return (
      <EmptyState title="No test extractors">
        <p>Test keys return mock data, so nothing is learned from their parses. Switch to live data.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No extractors yet">
      <p>
        Parse three similar pages of one host with the same schema and prompt, and with <code>strategy: auto</code>. If
        a language model was needed, the service learns where the values are. It then reads such pages without a model.
        An account keeps {MAX_EXTRACTORS} extractors.
      </p>
      <a class="button primary" href="/dashboard/playground">
        Open the playground
      </a>
    </EmptyState>
  );
}
