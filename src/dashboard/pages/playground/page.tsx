import type { JobLine } from "../../../account/jobs/job-lines";
import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import type { Prices } from "../../../model/prices";
import type { FormErrors } from "../../ui/form";
import { type Example, toHref } from "./examples";
import { RequestForm } from "./form";
import type { FormValues } from "./form-values";
import { HistoryCard } from "./history";
import { AnswerCard, type ResponseProps } from "./response";
import { SamplesCard } from "./samples-card";
import { PlaygroundTabs } from "./tabs";

interface PlaygroundProps {
  endpoint: Endpoint;
  values: FormValues;
  errors?: FormErrors | undefined;
  response?: ResponseProps | undefined;
  canRun: boolean;
  /** The available credits. */
  balance: number;
  prices: Prices;
  mode: Mode;
  origin: string;
  models: readonly string[];
  examples: readonly Example[];
  simulated: readonly Example[];
  /** The latest requests of the playground. */
  history: readonly JobLine[];
}

/** The playground: a form for each endpoint, the request as code, the response, and the latest requests. */
export function Playground(props: PlaygroundProps) {
  const { endpoint, values, errors, response, canRun, balance, mode, origin, models, history } = props;
  const { examples, simulated, prices } = props;
  return (
    <>
      <PlaygroundTabs current={endpoint} />
      <div class="examples">
        <ExampleLinks title="Examples" {...{ endpoint, examples }} />
        {simulated.length === 0 ? null : (
          <ExampleLinks title="Simulated outcomes" {...{ endpoint }} examples={simulated} />
        )}
      </div>
      <div class="playground">
        <RequestForm {...{ endpoint, values, errors, mode, models, balance, prices }} canRun={canRun} />
        <div class="playground-side">
          <AnswerCard response={response} />
          <SamplesCard {...{ endpoint, values, origin, mode }} />
          <HistoryCard lines={history} />
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
