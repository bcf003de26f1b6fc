import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { AppError } from "../../../model/errors";
import { Card, CodeBlock, Tabs } from "../../ui/components";
import { type FormValues, toBody } from "./form-values";
import { type SampleRequest, type Samples, toReadable, toSamples } from "./samples";

const LANGUAGES = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const satisfies [keyof Samples, string][];

type SamplesProps = Pick<SampleRequest, "origin" | "endpoint"> & { values: FormValues; mode: Mode };

/** The form's request as code. The script updates it while the form is edited. */
export function SamplesCard(props: SamplesProps) {
  return (
    <Card title="The request as code">
      <SampleTabs {...props} />
    </Card>
  );
}

/** The samples, one tab per language, or why the form makes no request. */
export function SampleTabs({ origin, endpoint, values, mode }: SamplesProps) {
  const request = readBody(endpoint, values);
  if (typeof request === "string") {
    return (
      <div id="samples">
        <p class="muted">{request}</p>
      </div>
    );
  }
  const { body, cut } = toReadable(request);
  const samples = toSamples({ origin, endpoint, body });
  return (
    <div id="samples" class="samples">
      <Tabs
        id="sample"
        label="Language"
        panels={LANGUAGES.map(([id, name]) => ({
          id,
          label: name,
          content: (
            <CodeBlock id={`sample-${id}`} label={`The request in ${name}`}>
              {samples[id]}
            </CodeBlock>
          ),
        }))}
      />
      <p class="hint">
        {cut ? "Long texts are shortened here. " : null}
        <code>EXTRACTION_API_KEY</code> must contain a {mode} API key. <a href="/dashboard/keys">Create a key</a>
      </p>
    </div>
  );
}

/** Returns the request's body, or the message of the form's error. */
function readBody(endpoint: Endpoint, values: FormValues): Record<string, unknown> | string {
  try {
    return toBody(endpoint, values);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
