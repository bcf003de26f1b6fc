import type { JobLine } from "../../../account/job-lines";
import type { UsageReport } from "../../../account/usage";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import type { Mode } from "../../../model/api-key";
import { Card, CodeBlock, EmptyState, Stat, StatusBadge, Time } from "../../ui/components";
import { shortenTarget, toDuration } from "../../ui/format";

/** The balance and the credits of the current period. */
export function BalanceCard({ usage, now }: { usage: UsageReport; now: number }) {
  const { balance, reserved, period } = usage;
  const { granted, used, end } = period;
  // Reading the usage grants the credits that are due, unless the user hasn't confirmed the email address.
  const isHeld = end <= now;
  return (
    <Card>
      <dl class="stats">
        <Stat label="Balance" value={balance.toLocaleString("en")} note="credits" />
        <Stat label="Reserved" value={reserved.toLocaleString("en")} note="by jobs under way" />
        <Stat
          label="Used in this period"
          value={used.toLocaleString("en")}
          note={granted > 0 ? `of ${granted.toLocaleString("en")} granted` : "credits"}
        />
        {isHeld ? (
          <Stat label="Next credits" value="On hold" note="until you confirm your email address" />
        ) : (
          <Stat label="Renews" value={toDay(end)} note="unused credits expire" />
        )}
      </dl>
      {granted > 0 ? (
        <progress
          class="share"
          max={granted}
          value={Math.min(used, granted)}
          aria-label="Used of this period's credits"
        />
      ) : null}
      {balance === 0 && !isHeld ? (
        <p class="small">
          There are no credits left, so requests with live keys are refused until the period renews. Test keys still
          work. <a href="/dashboard/plan">Compare the plans</a>
        </p>
      ) : null}
    </Card>
  );
}

/** Formats a date as `21 Dec 2026`, in UTC. */
function toDay(at: number): string {
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
}

/** What a new user has done already, in either mode. */
interface Progress {
  hasKey: boolean;
  hasJob: boolean;
  /** True if a key was used to make a job. */
  hasCalled: boolean;
}

interface FirstStepsCardProps {
  progress: Progress;
  mode: Mode;
  /** The address of this service. */
  origin: string;
}

/** The next steps of a new user. Empty once a key has been used. */
export function FirstStepsCard({ progress, mode, origin }: FirstStepsCardProps) {
  if (progress.hasCalled) return null;
  return (
    <Card title="First steps">
      <ol class="steps">
        {progress.hasJob ? null : (
          <li>
            <h3>Scrape a page in the playground</h3>
            <p>Choose a page and see the result, without a key or code.</p>
            <p>
              <a class="button primary" href="/dashboard/playground">
                Open the playground
              </a>
            </p>
          </li>
        )}
        {progress.hasKey ? null : (
          <li>
            <h3>Create an API key</h3>
            <p>The key is shown only once. Store it where your program can read it.</p>
            <p>
              <a class={progress.hasJob ? "button primary" : "button"} href="/dashboard/keys/new">
                Create a key
              </a>
            </p>
          </li>
        )}
        <li>
          <h3>Call the API</h3>
          <p>
            Replace <code>sk_{mode}_…</code> by your key and run this in a terminal.
          </p>
          <CodeBlock id="first-call" label="A first call with curl">
            {toFirstCall(origin, mode)}
          </CodeBlock>
        </li>
      </ol>
    </Card>
  );
}

function toFirstCall(origin: string, mode: Mode): string {
  return `curl '${origin}/v1/scrape?wait=true' \\
  -H 'Authorization: Bearer sk_${mode}_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/"}'`;
}

/** The latest jobs of the mode. */
export function LatestJobsCard({ jobs }: { jobs: JobLine[] }) {
  if (jobs.length === 0) {
    return (
      <EmptyState title="No jobs yet">
        <p>
          Run your first job in the <a href="/dashboard/playground">playground</a>.
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

function LatestLine({ id, endpoint, status, subject, errorCode, processingTimeMs, createdAt }: JobLine) {
  return (
    <li>
      <StatusBadge is={status} />
      <div class="what">
        <a href={`/dashboard/jobs/${id}`}>
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
