import type { JobLine } from "../../../account/job-lines";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import { StatusBadge, Time } from "../../ui/components";
import { shortenTarget, toDuration } from "../../ui/format";

/** The number of requests in the history. */
export const HISTORY_LENGTH = 5;

/** The latest requests of the playground. Each link shows the request in the form, with its response. */
export function HistoryCard({ lines }: { lines: readonly JobLine[] }) {
  return (
    <section class="card" id="history" aria-labelledby="history-title">
      <div class="card-head">
        <h2 id="history-title">History</h2>
        {lines.length === 0 ? null : <a href="/dashboard/jobs?key_id=dashboard">Show all</a>}
      </div>
      {lines.length === 0 ? (
        <p class="muted">The requests that you run here appear in this list.</p>
      ) : (
        <ul class="latest">
          {lines.map((line) => (
            <HistoryLine {...line} />
          ))}
        </ul>
      )}
    </section>
  );
}

function HistoryLine({ id, endpoint, status, subject, errorCode, processingTimeMs, createdAt }: JobLine) {
  return (
    <li>
      <StatusBadge is={status} />
      <div class="what">
        <a href={`/dashboard/playground?job=${id}`}>
          {ENDPOINTS[endpoint].label} {subject === null ? "" : shortenTarget(subject)}
        </a>
        {errorCode === null ? null : (
          <>
            {" "}
            <code>{errorCode}</code>
          </>
        )}
      </div>
      <div class="when small muted">
        <Time at={createdAt} />
        {processingTimeMs === null ? "" : ` · ${toDuration(processingTimeMs)}`}
      </div>
    </li>
  );
}
