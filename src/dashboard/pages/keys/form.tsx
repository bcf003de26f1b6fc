import { type Mode, SCOPES, type Scope } from "../../../model/api-key";
import { MAX_ALLOWED_IPS, MAX_KEY_NAME_CHARS } from "../../../model/limits";
import { CheckboxGroup, FormErrorNotice, type FormErrors, TextArea, TextField } from "../../ui/form";
import { PostForm } from "../../ui/post-form";

/** The description of each scope's permissions. */
const SCOPE_DESCRIPTIONS: { [S in Scope]: string } = {
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

/** The submitted fields of the form. */
export interface KeyDraft {
  name: string;
  mode: Mode;
  scopes: string[];
  /** One IP address or range per line. */
  allowedIps: string;
  /** The day on which the key expires (YYYY-MM-DD, UTC), or an empty string. */
  expiresOn: string;
  /** A number of credits, or an empty string. */
  creditLimit: string;
}

interface KeyFormProps {
  draft: KeyDraft;
  /** The id of the key that is changed. Undefined for a new key. */
  id?: string;
  errors?: FormErrors | undefined;
}

/** The form that creates or changes a key. The mode of a key can't be changed. */
export function KeyForm({ draft, id, errors }: KeyFormProps) {
  return (
    <PostForm action={`/dashboard/keys/${encodeURIComponent(id ?? "new")}`} class="card fields narrow">
      <FormErrorNotice errors={errors} />
      <TextField
        name="name"
        label="Name"
        hint="Optional. Describe the key's purpose, such as “nightly prices”."
        value={draft.name}
        maxlength={MAX_KEY_NAME_CHARS}
        autocomplete="off"
        errors={errors}
      />
      {id === undefined ? <ModeField chosen={draft.mode} /> : null}
      <CheckboxGroup
        name="scopes"
        legend="Scopes"
        errors={errors}
        checked={draft.scopes}
        options={SCOPES.map((scope) => [
          scope,
          <>
            <strong>{scope}</strong> <span class="muted block small">{SCOPE_DESCRIPTIONS[scope]}</span>
          </>,
        ])}
      />
      <TextArea
        name="allowed_ips"
        label="Allowed IPs"
        hint={`Optional. Enter up to ${MAX_ALLOWED_IPS} IP addresses or ranges, one per line, such as 203.0.113.0/24. Leave empty to allow every IP address.`}
        value={draft.allowedIps}
        rows={3}
        code
        errors={errors}
      />
      <TextField
        name="expires_at"
        label="Expires on"
        type="date"
        hint="Optional. The key stops working at 00:00 UTC on this day."
        value={draft.expiresOn}
        errors={errors}
      />
      {id !== undefined && draft.mode === "test" ? null : (
        <TextField
          name="credit_limit"
          label="Credit limit"
          inputmode="numeric"
          hint="Optional. The credits that the key may spend in each period of your account. Only for live keys."
          value={draft.creditLimit}
          autocomplete="off"
          errors={errors}
        />
      )}
      <div class="row">
        <button class="button primary" type="submit">
          {id === undefined ? "Create key" : "Save changes"}
        </button>
        <a class="button quiet" href="/dashboard/keys">
          Cancel
        </a>
      </div>
    </PostForm>
  );
}

function ModeField({ chosen }: { chosen: Mode }) {
  return (
    <fieldset class="field checks">
      <legend>Mode</legend>
      {MODE_OPTIONS.map(([mode, label, description]) => (
        <label class="check">
          <input type="radio" name="mode" value={mode} checked={mode === chosen} />
          <span>
            <strong>{label}</strong> <span class="muted block small">{description}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
