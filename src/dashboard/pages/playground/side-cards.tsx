import type { Child } from "hono/jsx";
import type { JobLine } from "../../../account/jobs/job-lines";
import { now } from "../../../lib/clock";
import { toCount } from "../../../lib/count";
import { DASHBOARD_CALLER, type Mode } from "../../../model/api-key";
import type { Job } from "../../../model/job";
import { AutoRefresh, Card, CodeBlock, StatusBadge, SubmitButton, Tabs } from "../../ui/components";
import { toDuration } from "../../ui/format";
import { FailureNotice, LatestJob, OutcomeNotice, ReceiptLines } from "../../ui/job-parts";
import { Permitted, PostForm } from "../../ui/post-form";
import { type FormValues, tryToBody } from "./form-values";
import { type SampleRequest, type Samples, toReadable, toSamples } from "./samples";

/** The delay of the first refresh (ms). The service holds later refreshes until the job has changed. */
const FIRST_REFRESH_MS = 300;

export interface ResponseProps {
  job: Job;
  /** The rendered result, or null if the job hasn't ended. */
  result: Child;
  /** True if the user may cancel the job. */
  canCancel: boolean;
}

export function AnswerCard({ response }: { response: ResponseProps | undefined }) {
  const link = response && <a href={`/dashboard/jobs/${response.job.id}`}>Show job</a>;
  return (
    <Card id="answer" title="Response" actions={link}>
      {response === undefined ? (
        <p class="muted">Run the request to see its response here.</p>
      ) : (
        <section class="answer-body" aria-label="Content of the response" tabindex={0}>
          <ResponsePanel {...response} />
        </section>
      )}
    </Card>
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
            {job.error === null ? null : <FailureNotice code={job.error.code} message={job.error.message} />}
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
            <SubmitButton id="cancel" tone="quiet" small label="Cancel" />
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

function toStatusText({ status, processingTimeMs, creditsUsed, mode, error }: Job): string {
  if (status === "queued") return "The job is queued.";
  if (status === "processing") return "The job is being processed.";
  if (error?.code === "cancelled") return "The job was canceled.";
  const time = toDuration(processingTimeMs ?? 0);
  if (error !== null) return `The job failed after ${time}. Failed jobs are free.`;
  const price = mode === "test" ? "Test requests are free." : `It used ${toCount(creditsUsed, "credit")}.`;
  return `The job completed in ${time}. ${price}`;
}

const LANGUAGES = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const satisfies [keyof Samples, string][];

type SamplesProps = Pick<SampleRequest, "origin" | "operation"> & { values: FormValues; mode: Mode };

/** The form's request as code. A script updates it while the user edits the form. */
export function SamplesCard(props: SamplesProps) {
  return (
    <Card title="Code">
      <SampleTabs {...props} />
    </Card>
  );
}

/** The code samples, with one tab per language. If the form is invalid, shows the error message instead. */
export function SampleTabs({ origin, operation, values, mode }: SamplesProps) {
  const request = tryToBody(operation, values);
  if (typeof request === "string") {
    return (
      <div id="samples">
        <p class="muted">{request}</p>
      </div>
    );
  }
  const { body, cut } = toReadable(request);
  const samples = toSamples({ origin, operation, body, file: values.get("file") || undefined });
  return (
    <div id="samples" class="samples">
      <Tabs
        id="sample"
        label="Language"
        panels={LANGUAGES.map(([id, name]) => ({
          id,
          label: name,
          content: (
            <CodeBlock id={`sample-${id}`} label={`Request in ${name}`}>
              {samples[id]}
            </CodeBlock>
          ),
        }))}
      />
      <p class="hint">
        {cut ? "Long texts and lists are shortened. " : null}
        Set the environment variable <code>KEY</code> to a {mode} API key.{" "}
        <Permitted action="/dashboard/keys/new">
          <a href="/dashboard/keys/new">Create key</a>
        </Permitted>
      </p>
    </div>
  );
}

/** The number of requests in the history. */
export const HISTORY_LENGTH = 4;

/** The latest requests of the playground. A link shows the request in the form, with its response. */
export function HistoryCard({ jobs }: { jobs: readonly JobLine[] }) {
  const all = <a href={`/dashboard/jobs?key_id=${DASHBOARD_CALLER}`}>Show all</a>;
  return (
    <Card id="history" title="History" actions={jobs.length === 0 ? null : all}>
      {jobs.length === 0 ? (
        <p class="muted">The requests that you run here appear in this list.</p>
      ) : (
        <ul class="latest">
          {jobs.map((job) => (
            <LatestJob job={job} href={`/dashboard/playground?job=${job.id}`} />
          ))}
        </ul>
      )}
    </Card>
  );
}
