import type { Child } from "hono/jsx";
import type { JobLine } from "../../account/job-lines";
import { ENDPOINTS } from "../../endpoints/endpoints";
import { StatusBadge, Time } from "./components";
import { shortenTarget, toDuration } from "./format";

interface LatestJobProps {
  job: JobLine;
  /** The URL to which the job's name links. */
  href: string;
  /** The elements that follow the job's name. */
  children?: Child;
}

/** A job in a list with the class `latest`: its status, name, error code, time and duration. */
export function LatestJob({ job, href, children }: LatestJobProps) {
  const { endpoint, status, subject, errorCode, processingTimeMs, createdAt } = job;
  return (
    <li>
      <StatusBadge is={status} />
      <div class="what">
        <a href={href}>
          {ENDPOINTS[endpoint].label} {subject === null ? "" : shortenTarget(subject)}
        </a>
        {children}
        {errorCode === null ? null : (
          <>
            {" "}
            <code>{errorCode}</code>
          </>
        )}
      </div>
      <div class="when small muted">
        <Time at={createdAt} />
        {processingTimeMs ? ` · ${toDuration(processingTimeMs)}` : ""}
      </div>
    </li>
  );
}
