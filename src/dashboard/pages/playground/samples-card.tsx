import type { Mode } from "../../../model/api-key";
import { Card, CodeBlock, Tabs } from "../../ui/components";
import { Permitted } from "../../ui/post-form";
import { type FormValues, tryToBody } from "./form-values";
import { type SampleRequest, type Samples, toReadable, toSamples } from "./samples";

const LANGUAGES = [
  ["curl", "curl"],
  ["client", "TypeScript"],
  ["fetch", "JavaScript (fetch)"],
  ["python", "Python"],
] as const satisfies [keyof Samples, string][];

type SamplesProps = Pick<SampleRequest, "origin" | "endpoint"> & { values: FormValues; mode: Mode };

/** The form's request as code. A script updates it while the user edits the form. */
export function SamplesCard(props: SamplesProps) {
  return (
    <Card title="Code">
      <SampleTabs {...props} />
    </Card>
  );
}

/** The code samples, with one tab per language. If the form is invalid, shows the error message instead. */
export function SampleTabs({ origin, endpoint, values, mode }: SamplesProps) {
  const request = tryToBody(endpoint, values);
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
            <>
              <CodeBlock id={`sample-${id}`} label={`Request in ${name}`}>
                {samples[id]}
              </CodeBlock>
              {id === "client" ? (
                <p class="hint">
                  The client isn't on npm. <code>docs/clients.md</code> in the service's repository explains how to
                  build and install it.
                </p>
              ) : null}
            </>
          ),
        }))}
      />
      <p class="hint">
        {cut ? "Long texts are shortened. " : null}
        Set the environment variable <code>EXTRACTION_API_KEY</code> to a {mode} API key.{" "}
        <Permitted action="/dashboard/keys/new">
          <a href="/dashboard/keys/new">Create key</a>
        </Permitted>
      </p>
    </div>
  );
}
