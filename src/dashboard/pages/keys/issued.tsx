import type { IssuedKey } from "../../../keys/issue";
import { Card, CodeBlock, CopyButton } from "../../ui/components";
import { toFirstCall } from "./first-call";
import { Addresses } from "./list";

/** The one page that ever shows a key's secret. */
export function IssuedKeyPage({ issued: { key, secret }, origin }: { issued: IssuedKey; origin: string }) {
  return (
    <>
      <Card>
        <p class="notice busy" role="status">
          <strong>Copy the key now: it won't be shown again.</strong> Only a fingerprint of it is kept. If you lose it,
          revoke it and create another.
        </p>
        <div class="secret big">
          <code id="new-key">{secret}</code>
          <CopyButton of="new-key" label="Copy the key" />
        </div>
        <dl class="facts">
          {key.name === null ? null : (
            <>
              <dt>Name</dt>
              <dd>{key.name}</dd>
            </>
          )}
          <dt>Mode</dt>
          <dd>{key.mode}</dd>
          <dt>Scopes</dt>
          <dd>{key.scopes.join(", ")}</dd>
          <dt>Addresses</dt>
          <dd>
            <Addresses of={key.allowedIps} />
          </dd>
        </dl>
      </Card>
      <Card title="Use it">
        <CodeBlock id="first-call" label="A first call with curl">
          {toFirstCall(origin, secret, key.scopes)}
        </CodeBlock>
        <div class="row">
          <a class="button primary" href="/dashboard/playground">
            Try it in the playground
          </a>
          <a class="button quiet" href="/dashboard/keys">
            All keys
          </a>
        </div>
      </Card>
    </>
  );
}
