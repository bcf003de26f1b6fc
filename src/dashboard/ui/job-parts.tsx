import type { Child } from "hono/jsx";
import type { UsageTotals } from "../../account/credits/usage-totals";
import type { JobLine } from "../../account/jobs/job-lines";
import { toErrorUrl } from "../../contract/error-codes";
import { ENDPOINTS } from "../../endpoints/endpoints";
import { toCount } from "../../lib/count";
import { ERROR_HINTS } from "../../model/error-hints";
import type { ErrorCode } from "../../model/errors";
import type { Job } from "../../model/job";
import { OUTCOME_HELP, type OutcomeHelp, toAdvice } from "../../model/outcome-help";
import { type Fact, Facts, type Stat, StatusBadge, Time } from "./components";
import { shortenTarget, toDuration, toPercent, toWords } from "./format";

interface FailureNoticeProps {
  code: ErrorCode;
  message: string;
  /** The sentences that follow the advice. */
  children?: Child;
}

/** The error of a job or batch, with advice. */
export function FailureNotice({ code, message, children }: FailureNoticeProps) {
  return (
    <section class="notice bad failure" aria-labelledby="failure-title">
      <h2 id="failure-title">
        <code>{code}</code>
      </h2>
      <p>{message}</p>
      <p>
        <strong>What to do:</strong> {ERROR_HINTS[code]} <a href={toErrorUrl("", code)}>About this error</a>
      </p>
      {children}
    </section>
  );
}

/** The outcome of a completed job as a badge. Empty for an ordinary page. */
export function OutcomeBadge({ outcome }: { outcome: string | null }) {
  if (outcome === null || outcome === "ok") return null;
  return (
    <span class="status warn" title={helpOf(outcome)?.meaning}>
      {outcome}
    </span>
  );
}

interface JobStatusProps {
  status: string;
  outcome?: string | null;
  errorCode?: string | null;
}

export function JobStatus({ status, outcome = null, errorCode = null }: JobStatusProps) {
  return (
    <>
      <StatusBadge is={status} /> <OutcomeBadge outcome={outcome} />{" "}
      {errorCode === null ? null : <code>{errorCode}</code>}
    </>
  );
}

/** The outcome of a job, with its price and advice. Empty for an ordinary page and for a job that hasn't completed. */
export function OutcomeNotice({ job }: { job: Job }) {
  const { outcome, extras } = job;
  if (outcome === null || outcome === "ok") return null;
  const help = helpOf(outcome);
  const advice = toAdvice(outcome, extras);
  const reason = extras?.outcome_reason;
  return (
    <section class="notice warn failure" aria-labelledby="outcome-title">
      <h2 id="outcome-title">
        <code>{outcome}</code>
      </h2>
      <p>
        {help?.meaning} {toPrice(job)}
      </p>
      {typeof reason === "string" ? (
        <p>
          <strong>Evidence:</strong> {reason}
        </p>
      ) : null}
      {advice === null ? null : (
        <p>
          <strong>What to do:</strong> {advice}
        </p>
      )}
    </section>
  );
}

function toPrice({ mode, creditsUsed }: Job): string {
  if (mode === "test") return "Test requests are free.";
  if (creditsUsed === 0) return "Nothing was charged.";
  return `${toCount(creditsUsed, "credit was charged", "credits were charged")}.`;
}

/** Returns the shares of the jobs that completed, and of the completed jobs that got the content of their pages. */
export function toSuccessStats({ total, codes }: UsageTotals): Stat[] {
  const completed = total.requests - total.failed;
  const withContent = codes.find(({ code, failed }) => code === "ok" && failed === 0)?.requests ?? 0;
  return [
    [
      "Success rate",
      toPercent(completed, total.requests),
      "of ended jobs",
      "Completed jobs out of all jobs that ended.",
    ],
    [
      "With content",
      completed === 0 ? "–" : toPercent(withContent, completed),
      "of completed jobs",
      "Completed jobs with the outcome ok. The others were pages without content, such as sign-in pages.",
    ],
  ];
}

/** Returns the texts of an outcome, or undefined for an outcome that a later version of the service stored. */
export function helpOf(outcome: string): OutcomeHelp | undefined {
  return (OUTCOME_HELP as Record<string, OutcomeHelp | undefined>)[outcome];
}

/** The lines of a job's receipt. Renders nothing for a job without a receipt. */
export function ReceiptLines({ job: { receipt } }: { job: Pick<Job, "receipt"> }) {
  if (receipt === null) return null;
  return (
    <Facts
      label="Receipt"
      of={[
        ...receipt.lines.map(
          ({ item, credits, reason }): Fact => [
            toWords(item),
            <>
              {toCount(credits, "credit")}
              {reason === undefined ? null : <span class="muted"> ({reason.replaceAll("_", " ")})</span>}
            </>,
          ],
        ),
        [<strong>Total</strong>, <strong>{toCount(receipt.total, "credit")}</strong>],
      ]}
    />
  );
}

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
        {errorCode === null ? null : [" ", <code>{errorCode}</code>]}
      </div>
      <div class="when small muted">
        <Time at={createdAt} />
        {processingTimeMs ? ` · ${toDuration(processingTimeMs)}` : ""}
      </div>
    </li>
  );
}
