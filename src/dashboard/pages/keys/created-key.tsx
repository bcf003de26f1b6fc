import type { IssuedKey } from "../../../keys/issue";
import type { Scope } from "../../../model/api-key";
import { Card, CodeBlock, CopyButton, Time } from "../../ui/components";
import { AllowedIps } from "./key-list";

/** The example request for a new key, by the first of its scopes. */
const FIRST_CALLS: { [S in Scope]: { path: string; body?: object } } = {
  scrape: { path: "/v1/scrape?wait=true", body: { url: "https://example.com/" } },
  parse: { path: "/v1/parse?wait=true", body: { url: "https://example.com/", prompt: "What is this page about?" } },
  serp: { path: "/v1/serp?wait=true", body: { query: "harbor cranes" } },
  jobs: { path: "/v1/jobs" },
  keys: { path: "/v1/keys" },
};

interface CreatedKeyProps {
  issued: IssuedKey;
  origin: string;
  /** True if the secret of an existing key was replaced. */
  isRotated?: boolean;
}

/** The page after a key was created or rotated. No other page shows the secret. */
export function CreatedKeyPage({ issued: { key, secret }, origin, isRotated = false }: CreatedKeyProps) {
  return (
    <>
      <Card>
        <p class="notice busy" role="status">
          <strong>Copy the key now: it won't be shown again.</strong> Only a hash of it is stored. If you lose the key,{" "}
          {isRotated ? "rotate the key again." : "revoke it and create another."}
        </p>
        {isRotated && key.previousExpiresAt !== null ? (
          <p>
            The previous secret works until <Time at={key.previousExpiresAt} />.
          </p>
        ) : null}
        <div class="secret big">
          <code id="new-key">{secret}</code>
          <CopyButton of="new-key" label="Copy key" />
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
          <dt>Allowed IPs</dt>
          <dd>
            <AllowedIps of={key.allowedIps} />
          </dd>
        </dl>
      </Card>
      <Card title="First request">
        <CodeBlock id="first-call" label="First request with curl">
          {toFirstCall(origin, secret, key.scopes)}
        </CodeBlock>
        <div class="row">
          <a class="button primary" href="/dashboard/playground">
            Open playground
          </a>
          <a class="button quiet" href="/dashboard/keys">
            All API keys
          </a>
        </div>
      </Card>
    </>
  );
}

/** Returns a curl command that works with this key. */
function toFirstCall(origin: string, secret: string, [scope = "jobs"]: readonly Scope[]): string {
  const { path, body } = FIRST_CALLS[scope];
  return [
    `curl -s "${origin}${path}"`,
    `-H "Authorization: Bearer ${secret}"`,
    ...(body === undefined ? [] : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body)}'`]),
  ].join(" \\\n  ");
}
