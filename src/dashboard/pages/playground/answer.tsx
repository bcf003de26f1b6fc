import { toJobRecord } from "../../../jobs/job-record";
import type { Job } from "../../../model/job";
import { AutoRefresh, CodeBlock, StatusBadge } from "../../ui/components";
import { toDuration } from "../../ui/format";
import { toFaces } from "./faces";
import { toWords } from "./form";

export interface AnswerProps {
  job: Job;
  /** Null: there is none, or it is kept no more. */
  result: Record<string, unknown> | "too large" | null;
}

/** What became of a job, followed until it has ended. */
export function Answer({ job, result }: AnswerProps) {
  const busy = job.endedAt === null;
  return (
    <AutoRefresh id="answer-live" src={`/dashboard/playground/answer?job=${job.id}`} busy={busy}>
      <div class="answer">
        <p class="row" role="status">
          <StatusBadge is={job.status} />
          <span>{toSentence(job)}</span>
        </p>
        {busy ? (
          <noscript>
            <a href={`/dashboard/playground?job=${job.id}`}>Look again</a>
          </noscript>
        ) : (
          <Ended {...{ job, result }} />
        )}
      </div>
    </AutoRefresh>
  );
}

function toSentence({ status, processingTimeMs, creditsUsed, mode, error }: Job): string {
  if (status === "queued") return "Waiting for its turn.";
  if (status === "processing") return "Under way.";
  const time = toDuration(processingTimeMs ?? 0);
  if (error !== null) return `After ${time}; nothing was charged.`;
  return `In ${time}, for ${mode === "test" ? "nothing: this was a test" : toWords(creditsUsed)}.`;
}

function Ended({ job, result }: AnswerProps) {
  return (
    <>
      {job.error === null ? null : (
        <p class="notice bad">
          <code>{job.error.code}</code>: {job.error.message}{" "}
          {job.error.retryable ? "The same request may succeed later." : null}
        </p>
      )}
      {result === "too large" ? (
        <p class="notice">
          The result is too large to be shown here: see <a href={`/dashboard/jobs/${job.id}`}>the job</a>.
        </p>
      ) : null}
      <Faces {...{ job, result }} />
    </>
  );
}

/** The result as people read it, one face a format, and last the answer as a program gets it. */
function Faces({ job, result }: AnswerProps) {
  const shown = result === "too large" ? {} : { result };
  const answer = { success: true, ...toJobRecord(job), ...(job.status === "completed" ? shown : {}) };
  const faces = [
    ...toFaces(job.endpoint, result === "too large" ? null : result),
    {
      id: "json",
      label: "JSON",
      content: (
        <CodeBlock id="answer-json" label="The answer as JSON">
          {JSON.stringify(answer, null, 2)}
        </CodeBlock>
      ),
    },
  ];
  return (
    <div data-tabs>
      <div class="tabs js" role="tablist" aria-label="Answer" hidden>
        {faces.map(({ id, label }) => (
          <button type="button" role="tab" id={`tab-answer-${id}`} aria-controls={`panel-answer-${id}`}>
            {label}
          </button>
        ))}
      </div>
      {faces.map(({ id, content }) => (
        <div role="tabpanel" id={`panel-answer-${id}`} aria-labelledby={`tab-answer-${id}`}>
          {content}
        </div>
      ))}
    </div>
  );
}
