import type { JobLine } from "../../../account/jobs/job-lines";
import { LatestJob } from "../../ui/job-parts";

/** The number of requests in the history. */
export const HISTORY_LENGTH = 4;

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
            <LatestJob job={line} href={`/dashboard/playground?job=${line.id}`} />
          ))}
        </ul>
      )}
    </section>
  );
}
