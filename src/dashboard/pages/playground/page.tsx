import type { Child } from "hono/jsx";
import { Endpoint } from "../../../contract/common";
import { ENDPOINTS } from "../../../endpoints/endpoints";
import type { Mode } from "../../../model/api-key";
import type { Job } from "../../../model/job";
import type { Account } from "../../../store/accounts";
import { AutoRefresh, StatusBadge } from "../../ui/components";
import type { FormErrors } from "../../ui/form";
import { toCount, toDuration } from "../../ui/format";
import { OutcomeNotice } from "../../ui/outcome";
import { type Example, toHref } from "./examples";
import { RequestForm } from "./form";
import type { FormValues } from "./form-values";
import { SamplesCard } from "./samples-card";

interface PlaygroundProps {
  endpoint: Endpoint;
  values: FormValues;
  errors?: FormErrors | undefined;
  response?: ResponseProps | undefined;
  account: Account;
  /** The available credits. */
  balance: number;
  mode: Mode;
  origin: string;
  models: readonly string[];
  examples: readonly Example[];
  simulated: readonly Example[];
}

/** The playground: a form for each endpoint, the request as code, and the response. */
export function Playground(props: PlaygroundProps) {
  const { endpoint, values, errors, response, account, balance, mode, origin, models, examples, simulated } = props;
  return (
    <>
      <nav class="tabs" aria-label="Endpoints">
        {Endpoint.options.map((id) => (
          <a href={`/dashboard/playground?endpoint=${id}`} aria-current={id === endpoint ? "page" : undefined}>
            {ENDPOINTS[id].label}
          </a>
        ))}
      </nav>
      <div class="examples">
        <ExampleLinks title="Examples" {...{ endpoint, examples }} />
        {simulated.length === 0 ? null : (
          <ExampleLinks title="Simulated outcomes" {...{ endpoint }} examples={simulated} />
        )}
      </div>
      <div class="playground">
        <RequestForm
          {...{ endpoint, values, errors, mode, models, balance }}
          suspended={account.suspendedAt !== null}
        />
        <div class="playground-side">
          <section class="card" id="answer" aria-labelledby="answer-title">
            <div class="card-head">
              <h2 id="answer-title">Response</h2>
              {response === undefined ? null : <a href={`/dashboard/jobs/${response.job.id}`}>Show job</a>}
            </div>
            {response === undefined ? (
              <p class="muted">Run the request to see its response here.</p>
            ) : (
              <ResponsePanel {...response} />
            )}
          </section>
          <SamplesCard {...{ endpoint, values, origin, mode }} />
        </div>
      </div>
    </>
  );
}

interface ExampleLinksProps {
  title: string;
  endpoint: Endpoint;
  examples: readonly Example[];
}

function ExampleLinks({ title, endpoint, examples }: ExampleLinksProps) {
  return (
    <div class="row">
      <span class="small muted">{title}</span>
      {examples.map((example) => (
        <a class="chip" href={toHref(endpoint, example)} title={example.note}>
          {example.label}
        </a>
      ))}
    </div>
  );
}

export interface ResponseProps {
  job: Job;
  /** The rendered result, or null if the job hasn't ended. */
  result: Child;
}

/** The status and the result of a job. Updates automatically until the job has ended. */
export function ResponsePanel({ job, result }: ResponseProps) {
  const busy = job.endedAt === null;
  return (
    <AutoRefresh id="answer-live" src={`/dashboard/playground/answer?job=${job.id}`} busy={busy}>
      <div class="answer">
        <p class="row" role="status">
          <StatusBadge is={job.status} />
          <span>{toStatusText(job)}</span>
        </p>
        {busy ? (
          <noscript>
            <a href={`/dashboard/playground?job=${job.id}`}>Refresh</a>
          </noscript>
        ) : (
          <>
            {job.error === null ? null : (
              <p class="notice bad">
                <code>{job.error.code}</code>: {job.error.message}{" "}
                {job.error.retryable ? "The same request may succeed later." : null}
              </p>
            )}
            <OutcomeNotice job={job} />
            {result}
          </>
        )}
      </div>
    </AutoRefresh>
  );
}

function toStatusText({ status, processingTimeMs, creditsUsed, mode, error }: Job): string {
  if (status === "queued") return "The job is queued.";
  if (status === "processing") return "The job is being processed.";
  const time = toDuration(processingTimeMs ?? 0);
  if (error !== null) return `The job failed after ${time}. Failed jobs are free.`;
  const price = mode === "test" ? "Test requests are free." : `It used ${toCount(creditsUsed, "credit")}.`;
  return `The job completed in ${time}. ${price}`;
}
