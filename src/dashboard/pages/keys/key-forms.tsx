import type { IssuedKey } from "../../../keys/issue";
import { MCP_CLIENTS } from "../../../mcp/clients";
import { type ListedKey, type Mode, SCOPES, type Scope } from "../../../model/api-key";
import { GRACE_PERIOD_DEFAULT_S, MAX_ALLOWED_IPS, MAX_KEY_NAME_CHARS } from "../../../model/limits";
import { toApiCommand } from "../../ui/api-command";
import { Card, CodeBlock, CopyButton, Facts, LinkButton, Tabs, Time } from "../../ui/components";
import { Choices, type FormErrors, SelectField, TextArea, TextField } from "../../ui/form";
import { PostForm } from "../../ui/post-form";
import { AllowedIps } from "./key-list";

export const SCOPE_DESCRIPTIONS: { [S in Scope]: string } = {
  scrape: "Get pages as Markdown, text, HTML or screenshots. List the URLs of sites.",
  parse: "Extract data from pages with a prompt and a schema.",
  serp: "Get search results and the status of the search engines.",
  jobs: "Read jobs, results, webhook deliveries and usage. Redeliver webhook events.",
  keys: "Create and revoke API keys. Read and change the webhook URL and the signing secret. Most programs don't need this scope.",
};

const MODE_OPTIONS: [mode: Mode, label: string, description: string][] = [
  ["live", "Live", "Fetches real pages. Completed jobs cost credits."],
  ["test", "Test", "Returns mock data and simulated errors. Test requests are free and contact no other site."],
];

/** The text fields of the form. */
export const KEY_FIELDS = ["name", "allowed_ips", "expires_at", "credit_limit"] as const;

/** The submitted fields. `allowed_ips` has one range per line, and `expires_at` is a day (YYYY-MM-DD, UTC). */
export type KeyDraft = { [Name in (typeof KEY_FIELDS)[number]]: string } & { mode: Mode; scopes: string[] };

interface KeyFormProps {
  draft: KeyDraft;
  /** The id of the key that is changed. Undefined for a new key. */
  id?: string;
  errors?: FormErrors | undefined;
}

/** The form that creates or changes a key. The mode of a key can't be changed. */
export function KeyForm({ draft, id, errors }: KeyFormProps) {
  return (
    <PostForm
      action={`/dashboard/keys/${encodeURIComponent(id ?? "new")}`}
      class="card fields narrow"
      errors={errors}
      submit={id === undefined ? "Create key" : "Save changes"}
      cancel="/dashboard/keys"
    >
      <TextField
        name="name"
        label="Name"
        hint="Optional. Describe the key's purpose, such as “nightly prices”."
        value={draft.name}
        maxlength={MAX_KEY_NAME_CHARS}
        autocomplete="off"
      />
      {id === undefined ? (
        <Choices type="radio" name="mode" legend="Mode" options={MODE_OPTIONS} checked={[draft.mode]} />
      ) : null}
      <Choices
        name="scopes"
        legend="Scopes"
        checked={draft.scopes}
        options={SCOPES.map((scope) => [scope, scope, SCOPE_DESCRIPTIONS[scope]] as const)}
      />
      <TextArea
        name="allowed_ips"
        label="Allowed IPs"
        hint={`Optional. Enter up to ${MAX_ALLOWED_IPS} IP addresses or ranges, one per line, such as 203.0.113.0/24. Leave empty to allow every IP address.`}
        value={draft.allowed_ips}
        rows={3}
        code
      />
      <TextField
        name="expires_at"
        label="Expires on"
        type="date"
        hint="Optional. The key stops working at 00:00 UTC on this day."
        value={draft.expires_at}
      />
      {id !== undefined && draft.mode === "test" ? null : (
        <TextField
          name="credit_limit"
          label="Credit limit"
          inputmode="numeric"
          hint="Optional. The credits that the key may spend in each billing period, in whole days (UTC). Only for live keys."
          value={draft.credit_limit}
          autocomplete="off"
        />
      )}
    </PostForm>
  );
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** The grace periods of the form, in seconds. */
const GRACE_PERIODS = [
  ["0", "0 seconds: it stops working immediately"],
  [String(HOUR_S), "1 hour"],
  [String(DAY_S), "1 day"],
  [String(7 * DAY_S), "7 days"],
  [String(30 * DAY_S), "30 days"],
] as const;

/** Returns the selected grace period in seconds. Returns the default for any other value. */
export function readGracePeriod(value: string | undefined): number {
  return GRACE_PERIODS.some(([known]) => known === value) ? Number(value) : GRACE_PERIOD_DEFAULT_S;
}

export function RotateForm({ of: key, now }: { of: ListedKey; now: number }) {
  return (
    <PostForm
      action={`/dashboard/keys/${encodeURIComponent(key.id)}/rotate`}
      class="card fields narrow"
      submit="Rotate key"
      cancel="/dashboard/keys"
    >
      <p>
        The key gets a new secret. Its name, permissions, usage and limit stay the same. Replace the secret in your
        programs before the current secret stops working.
      </p>
      {(key.previousExpiresAt ?? 0) > now ? (
        <p class="notice busy">The secret from the previous rotation stops working immediately.</p>
      ) : null}
      <SelectField
        name="grace_period_s"
        label="Keep the current secret for"
        value={String(GRACE_PERIOD_DEFAULT_S)}
        options={GRACE_PERIODS}
      />
    </PostForm>
  );
}

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
  const { path, body } = FIRST_CALLS[key.scopes[0] ?? "jobs"];
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
        <Facts
          of={[
            key.name === null ? null : ["Name", key.name],
            ["Mode", key.mode],
            ["Scopes", key.scopes.join(", ")],
            ["Allowed IPs", <AllowedIps of={key.allowedIps} />],
          ]}
        />
      </Card>
      <Card title="First request">
        <CodeBlock id="first-call" label="First request with curl">
          {toApiCommand({ url: `${origin}${path}`, key: secret, body })}
        </CodeBlock>
        <div class="row">
          <LinkButton href="/dashboard/playground" tone="primary" label="Open playground" />
          <LinkButton href="/dashboard/keys" tone="quiet" label="All API keys" />
        </div>
      </Card>
      <AgentCard origin={origin} secret={secret} />
    </>
  );
}

/** The command or configuration with which each MCP client connects. `secret` is a key or a placeholder. */
export function AgentCard({ origin, secret }: { origin: string; secret: string }) {
  const panels = MCP_CLIENTS.map(({ id, name, step, toText }) => ({
    id,
    label: name,
    content: (
      <>
        <p>{step.split("`").map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</p>
        <CodeBlock id={`agent-${id}`} label={name}>
          {toText(`${origin}/mcp`, secret)}
        </CodeBlock>
      </>
    ),
  }));
  return (
    <Card title="Connect an agent">
      <Tabs id="agent" label="MCP client" panels={panels} />
    </Card>
  );
}
