import type { Child } from "hono/jsx";
import { toErrorUrl } from "../../../contract/error-codes";
import { now } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { ERROR_HINTS } from "../../../model/error-hints";
import type { Job } from "../../../model/job";
import { AutoRefresh, StatusBadge } from "../../ui/components";
import { toDuration } from "../../ui/format";
import { OutcomeNotice, ReceiptLines } from "../../ui/job-parts";
import { PostForm } from "../../ui/post-form";

/** The delay of the first refresh (ms). The service holds later refreshes until the job has changed. */
const FIRST_REFRESH_MS = 300;

export interface ResponseProps {
  job: Job;
  /** The rendered result, or null if the job hasn't ended. */
  result: Child;
  /** True if the user may cancel the job. */
  canCancel: boolean;
}

/** The card with the response. */
export function AnswerCard({ response }: { response: ResponseProps | undefined }) {
  return (
    <section class="card" id="answer" aria-labelledby="answer-title">
      <div class="card-head">
        <h2 id="answer-title">Response</h2>
        {response === undefined ? null : <a href={`/dashboard/jobs/${response.job.id}`}>Show job</a>}
      </div>
      {response === undefined ? (
        <p class="muted">Run the request to see its response here.</p>
      ) : (
        <section class="answer-body" aria-label="Content of the response" tabindex={0}>
          <ResponsePanel {...response} />
        </section>
      )}
    </section>
  );
}

/** The status and the result of a job. Updates automatically until the job has ended. */
export function ResponsePanel({ job, result, canCancel }: ResponseProps) {
  const busy = job.endedAt === null;
  return (
    <AutoRefresh
      id="answer-live"
      src={`/dashboard/playground/answer?job=${job.id}`}
      busy={busy}
      every={FIRST_REFRESH_MS}
      parts="balance history"
    >
      <div class="answer">
        <p class="row" role="status">
          <StatusBadge is={job.status} />
          <span>{toStatusText(job)}</span>
        </p>
        {busy ? (
          <RunningJob job={job} canCancel={canCancel} />
        ) : (
          <>
            <JobErrorNotice job={job} />
            <OutcomeNotice job={job} />
            <Receipt job={job} />
            {result}
          </>
        )}
      </div>
    </AutoRefresh>
  );
}

/** The receipt of an ended job. It is collapsed by default. */
function Receipt({ job }: { job: Job }) {
  if (job.receipt === null) return null;
  return (
    <details class="more">
      <summary>Receipt</summary>
      <ReceiptLines job={job} />
    </details>
  );
}

/** The elapsed time of an unfinished job, and a button that cancels the job. */
function RunningJob({ job, canCancel }: Pick<ResponseProps, "job" | "canCancel">) {
  return (
    <>
      <Progress elapsedMs={Math.max(0, now() - job.createdAt)}>
        {canCancel ? (
          <PostForm action={`/dashboard/playground/cancel?job=${job.id}`} class="inline" swap="answer balance history">
            <button type="submit" class="button quiet small" id="cancel">
              Cancel
            </button>
          </PostForm>
        ) : null}
        <noscript>
          <a href={`/dashboard/playground?job=${job.id}`}>Refresh</a>
        </noscript>
      </Progress>
      {canCancel ? <p class="small muted">A canceled job is free.</p> : null}
    </>
  );
}

/** A spinner with the elapsed time in seconds. A script updates the time. */
function Progress({ elapsedMs, children }: { elapsedMs: number; children: Child }) {
  return (
    <div class="row">
      <span class="spinner" aria-hidden="true" />
      <span role="timer" aria-label="Elapsed time" class="elapsed" data-elapsed={elapsedMs}>
        {Math.floor(elapsedMs / 1_000)} s
      </span>
      {children}
    </div>
  );
}

/** The error of a failed job, with advice. */
function JobErrorNotice({ job: { error } }: { job: Job }) {
  if (error === null) return null;
  return (
    <div class="notice bad failure">
      <p>
        <code>{error.code}</code>: {error.message} {error.retryable ? "The same request may succeed later." : null}
      </p>
      <p>
        <strong>What to do:</strong> {ERROR_HINTS[error.code]} <a href={toErrorUrl("", error.code)}>About this error</a>
      </p>
    </div>
  );
}

function toStatusText({ status, processingTimeMs, creditsUsed, mode, error }: Job): string {
  if (status === "queued") return "The job is queued.";
  if (status === "processing") return "The job is being processed.";
  if (error?.code === "cancelled") return "The job was canceled.";
  const time = toDuration(processingTimeMs ?? 0);
  if (error !== null) return `The job failed after ${time}. Failed jobs are free.`;
  const price = mode === "test" ? "Test requests are free." : `It used ${toCount(creditsUsed, "credit")}.`;
  return `The job completed in ${time}. ${price}`;
}
