import { toCount } from "../../lib/count";
import type { Job } from "../../model/job";

/** The names of the items of receipts. A later version of the service may add items. */
const ITEMS: { readonly [item: string]: string } = {
  scrape: "Scrape",
  parse: "Parse",
  serp: "Search",
  map: "Map",
  rendering: "Rendering",
  json: "Data from the page",
  summary: "Summary written by a language model",
  refund: "Refund",
};

/** The texts for the reasons that are neither outcomes nor error codes. */
const REASONS: { readonly [reason: string]: string } = {
  test_key: "test requests are free",
  not_used: "not used",
  no_model: "no language model was called",
};

/** The lines of a job's receipt. Renders nothing for a job without a receipt. */
export function ReceiptLines({ job: { receipt } }: { job: Pick<Job, "receipt"> }) {
  if (receipt === null) return null;
  return (
    <dl class="facts" aria-label="Receipt">
      {receipt.lines.map(({ item, credits, reason }) => (
        <>
          <dt>{ITEMS[item] ?? item}</dt>
          <dd>
            {toCount(credits, "credit")}
            {reason === undefined ? null : <span class="muted"> ({REASONS[reason] ?? reason})</span>}
          </dd>
        </>
      ))}
      <dt>
        <strong>Total</strong>
      </dt>
      <dd>
        <strong>{toCount(receipt.total, "credit")}</strong>
      </dd>
    </dl>
  );
}
