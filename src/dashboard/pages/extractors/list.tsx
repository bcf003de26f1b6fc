import { toHitRate } from "../../../jobs/extractors";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import { type Extractor, MAX_EXTRACTORS } from "../../../model/extractor";
import { EmptyState, RelativeTime, StatusBadge } from "../../ui/components";
import { toPercent } from "../../ui/format";

/** The number of properties that a row of the list names. */
const SHOWN_PROPERTIES = 4;

/** The table of extractors. On narrow screens, each row is a card. */
export function ExtractorTable({ extractors, now }: { extractors: readonly Extractor[]; now: number }) {
  return (
    <table class="jobs" data-rows>
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
            <td>
              <a href={`/dashboard/extractors/${extractor.id}`}>{extractor.host}</a>
            </td>
            <td>
              <StatusBadge is={extractor.status} />
            </td>
            <td>{toPropertyList(extractor)}</td>
            <td>{toCount(extractor.pages, "parse")}</td>
            <td>{toHitRateText(extractor)}</td>
            <td>{extractor.driftedAt === null ? "none" : <RelativeTime at={extractor.driftedAt} now={now} />}</td>
            <td>
              <RelativeTime at={extractor.usedAt} now={now} />
            </td>
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

/** Returns the hit rate, such as `97.5% of 40 pages`. */
export function toHitRateText(extractor: Extractor): string {
  const { uses, misses } = extractor;
  if (toHitRate(extractor) === null) return "not used yet";
  return `${toPercent(Math.max(0, uses - misses), uses)} of ${toCount(uses, "page")}`;
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
