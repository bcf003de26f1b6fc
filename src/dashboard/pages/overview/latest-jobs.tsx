import type { LatestJob } from "../../../store/stats";
import { Card, EmptyState, StatusBadge, Time } from "../../ui/components";
import { toDuration } from "../../ui/format";
import { ENDPOINT_NAMES } from "./days";

const MAX_TARGET_CHARS = 80;

export function LatestJobs({ jobs }: { jobs: LatestJob[] }) {
  if (jobs.length === 0) {
    return (
      <EmptyState title="No jobs yet">
        <p>
          The first one is a click away in the <a href="/dashboard/playground">playground</a>.
        </p>
      </EmptyState>
    );
  }
  return (
    <Card title="Latest jobs" actions={<a href="/dashboard/jobs">All jobs</a>}>
      <ul class="latest">
        {jobs.map((job) => (
          <LatestLine {...job} />
        ))}
      </ul>
    </Card>
  );
}

function LatestLine({ id, endpoint, status, target, errorCode, processingTimeMs, createdAt }: LatestJob) {
  return (
    <li>
      <StatusBadge is={status} />
      <div class="what">
        <a href={`/dashboard/jobs/${id}`}>
          {ENDPOINT_NAMES[endpoint]} {target === null ? "" : shorten(target)}
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

function shorten(target: string): string {
  const text = target.replace(/^https?:\/\//i, "");
  return text.length > MAX_TARGET_CHARS ? `${text.slice(0, MAX_TARGET_CHARS)}…` : text;
}
