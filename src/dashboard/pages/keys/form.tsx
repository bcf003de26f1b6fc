import { type Mode, SCOPES, type Scope } from "../../../model/api-key";
import { MAX_ALLOWED_IPS, MAX_KEY_NAME_CHARS } from "../../../model/limits";
import { CheckboxGroup, FormErrorNotice, type FormErrors, TextArea, TextField } from "../../ui/form";

/** The permissions of each scope. */
const SCOPE_DESCRIPTIONS: { [S in Scope]: string } = {
  scrape: "Turn pages into markdown, text, HTML or screenshots.",
  parse: "Extract data from pages by a prompt and a schema.",
  serp: "Search with search engines, and read their health.",
  jobs: "Read jobs, their results, webhook deliveries and usage; deliver again.",
  keys: "Create and revoke keys; read and change the webhook URL and its secret. Only for programs that manage others.",
};

const MODE_OPTIONS: [mode: Mode, label: string, description: string][] = [
  ["live", "Live", "Fetches real pages. Completed jobs cost credits."],
  ["test", "Test", "Returns mock data and simulated errors. Free, and calls no other site."],
];

/** The fields of the form as they were sent. */
export interface KeyDraft {
  name: string;
  mode: Mode;
  scopes: string[];
  /** One address or range per line. */
  allowedIps: string;
}

/** The form that creates a key. */
export function KeyForm({ draft, errors }: { draft: KeyDraft; errors?: FormErrors | undefined }) {
  return (
    <form method="post" action="/dashboard/keys/new" class="card fields narrow">
      <FormErrorNotice errors={errors} />
      <TextField
        name="name"
        label="Name"
        hint="What the key is for, such as “nightly prices”. Optional."
        value={draft.name}
        maxlength={MAX_KEY_NAME_CHARS}
        autocomplete="off"
        errors={errors}
      />
      <ModeField chosen={draft.mode} />
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
        label="Allowed addresses"
        hint={`The IP addresses or ranges that may use the key, such as 203.0.113.0/24 or 2001:db8::/32. One per line, at most ${MAX_ALLOWED_IPS}. If empty, every address may use it.`}
        value={draft.allowedIps}
        rows={3}
        code
        errors={errors}
      />
      <div class="row">
        <button class="button primary" type="submit">
          Create key
        </button>
        <a class="button quiet" href="/dashboard/keys">
          Cancel
        </a>
      </div>
    </form>
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
