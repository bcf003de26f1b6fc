import type { Mode } from "../../../model/api-key";
import type { Beginnings } from "../../../store/stats";
import { Card, CodeBlock } from "../../ui/components";

interface FirstStepsProps {
  begun: Beginnings;
  mode: Mode;
  /** Where this service is reached. */
  origin: string;
}

/** What somebody new does next; nothing once a key was used. A step that is done isn't shown any more. */
export function FirstSteps({ begun, mode, origin }: FirstStepsProps) {
  if (begun.hasCalled) return null;
  return (
    <Card title="First steps">
      <ol class="steps">
        {begun.hasJob ? null : (
          <li>
            <h3>Scrape a page in the playground</h3>
            <p>No key, no code: choose a page, and see what comes back.</p>
            <p>
              <a class="button primary" href="/dashboard/playground">
                Open the playground
              </a>
            </p>
          </li>
        )}
        {begun.hasKey ? null : (
          <li>
            <h3>Make an API key</h3>
            <p>It is shown once: keep it where your program finds it.</p>
            <p>
              <a class={begun.hasJob ? "button primary" : "button"} href="/dashboard/keys/new">
                Make a key
              </a>
            </p>
          </li>
        )}
        <li>
          <h3>Call the API</h3>
          <p>
            Put your key in place of <code>sk_{mode}_…</code> and run this in a terminal.
          </p>
          <CodeBlock id="first-call" label="A first call with curl">
            {toFirstCall(origin, mode)}
          </CodeBlock>
        </li>
      </ol>
    </Card>
  );
}

function toFirstCall(origin: string, mode: Mode): string {
  return `curl '${origin}/v1/scrape?wait=true' \\
  -H 'Authorization: Bearer sk_${mode}_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/"}'`;
}
