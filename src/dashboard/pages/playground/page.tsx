import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import type { Account } from "../../../store/accounts";
import type { FormErrors } from "../../ui/form";
import { Answer, type AnswerProps } from "./answer";
import { type Example, toHref } from "./examples";
import { RequestForm } from "./form";
import { RequestCard } from "./request";
import type { Values } from "./values";

const ENDPOINTS: [Endpoint, string][] = [
  ["scrape", "Scrape"],
  ["parse", "Parse"],
  ["serp", "Search"],
];

interface PlaygroundProps {
  endpoint: Endpoint;
  values: Values;
  errors?: FormErrors | undefined;
  answer?: AnswerProps | undefined;
  account: Account;
  mode: Mode;
  origin: string;
  models: readonly string[];
  examples: readonly Example[];
  scripted: readonly Example[];
}

export function Playground(props: PlaygroundProps) {
  const { endpoint, values, errors, answer, account, mode, origin, models, examples, scripted } = props;
  return (
    <>
      <nav class="tabs" aria-label="Endpoints">
        {ENDPOINTS.map(([id, label]) => (
          <a href={`/dashboard/playground?endpoint=${id}`} aria-current={id === endpoint ? "page" : undefined}>
            {label}
          </a>
        ))}
      </nav>
      <div class="examples">
        <Examples title="Examples" {...{ endpoint, examples }} />
        {scripted.length === 0 ? null : <Examples title="Outcomes to play" {...{ endpoint }} examples={scripted} />}
      </div>
      <div class="playground">
        <RequestForm
          {...{ endpoint, values, errors, mode, models }}
          balance={account.balance}
          suspended={account.suspendedAt !== null}
        />
        <div class="beside">
          <section class="card" id="answer" aria-labelledby="answer-title">
            <div class="card-head">
              <h2 id="answer-title">The answer</h2>
              {answer === undefined ? null : <a href={`/dashboard/jobs/${answer.job.id}`}>See the job</a>}
            </div>
            {answer === undefined ? (
              <p class="muted">Press Run: what comes back is shown here.</p>
            ) : (
              <Answer {...answer} />
            )}
          </section>
          <RequestCard {...{ endpoint, values, origin, mode }} />
        </div>
      </div>
    </>
  );
}

interface ExamplesProps {
  title: string;
  endpoint: Endpoint;
  examples: readonly Example[];
}

function Examples({ title, endpoint, examples }: ExamplesProps) {
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
