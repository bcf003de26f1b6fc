import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { AppError } from "../../../model/errors";
import { Card, CodeBlock } from "../../ui/components";
import { type SampleRequest, type Samples, toReadable, toSamples } from "./samples";
import { toBody, type Values } from "./values";

const LANGUAGES = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"],
] as const satisfies [keyof Samples, string][];

type Shown = Pick<SampleRequest, "origin" | "endpoint"> & { values: Values; mode: Mode };

/** The form's request as code; the script fetches it anew while the form is edited. */
export function RequestCard(shown: Shown) {
  return (
    <Card title="The request as code">
      <SampleTabs {...shown} />
    </Card>
  );
}

export function SampleTabs({ origin, endpoint, values, mode }: Shown) {
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
      <div data-tabs>
        <div class="tabs js" role="tablist" aria-label="Language" hidden>
          {LANGUAGES.map(([id, name]) => (
            <button type="button" role="tab" id={`tab-${id}`} aria-controls={`panel-${id}`}>
              {name}
            </button>
          ))}
        </div>
        {LANGUAGES.map(([id, name]) => (
          <div role="tabpanel" id={`panel-${id}`} aria-labelledby={`tab-${id}`}>
            <CodeBlock id={`sample-${id}`} label={`The request in ${name}`}>
              {samples[id]}
            </CodeBlock>
          </div>
        ))}
      </div>
      <p class="hint">
        {cut ? "Long texts are cut here. " : null}
        <code>EXTRACTION_API_KEY</code> holds a {mode} key of yours: <a href="/dashboard/keys">make one</a>.
      </p>
    </div>
  );
}

/** The body, or why none can be written. */
function readBody(endpoint: Endpoint, values: Values): Record<string, unknown> | string {
  try {
    return toBody(endpoint, values);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
