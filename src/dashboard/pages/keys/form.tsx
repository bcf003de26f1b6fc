import { type Mode, SCOPES } from "../../../model/api-key";
import { MAX_ALLOWED_IPS, MAX_KEY_NAME_CHARS } from "../../../model/limits";
import { CheckboxGroup, FormErrorNotice, type FormErrors, TextArea, TextField } from "../../ui/form";
import { SCOPE_GRANTS } from "./scopes";

/** The form's fields, as they were sent. */
export interface KeyDraft {
  name: string;
  mode: Mode;
  scopes: string[];
  /** As text: one a line. */
  allowedIps: string;
}

export function KeyForm({ draft, errors }: { draft: KeyDraft; errors?: FormErrors | undefined }) {
  return (
    <form method="post" action="/dashboard/keys/new" class="card fields narrow">
      <FormErrorNotice errors={errors} />
      <TextField
        name="name"
        label="Name"
        hint="What uses it, such as “nightly prices”. Only you see it. May be left empty."
        value={draft.name}
        maxlength={MAX_KEY_NAME_CHARS}
        autocomplete="off"
        errors={errors}
      />
      <ModeChoice chosen={draft.mode} />
      <CheckboxGroup
        name="scopes"
        legend="What it may do"
        errors={errors}
        checked={draft.scopes}
        options={SCOPES.map((scope) => [
          scope,
          <>
            <strong>{scope}</strong> <span class="muted block small">{SCOPE_GRANTS[scope]}</span>
          </>,
        ])}
      />
      <TextArea
        name="allowed_ips"
        label="Allowed addresses"
        hint={`Where it may be used from: addresses or ranges such as 203.0.113.0/24 or 2001:db8::/32, one a line, ${MAX_ALLOWED_IPS} at most. Empty: from anywhere.`}
        value={draft.allowedIps}
        rows={3}
        code
        errors={errors}
      />
      <div class="row">
        <button class="button primary" type="submit">
          Create the key
        </button>
        <a class="button quiet" href="/dashboard/keys">
          Cancel
        </a>
      </div>
    </form>
  );
}

const MODES: [Mode, string, string][] = [
  ["live", "Live", "Fetches real pages. What completes costs credits."],
  ["test", "Test", "Gets made-up answers and every kind of failure on request. Asks nobody outside, costs nothing."],
];

function ModeChoice({ chosen }: { chosen: Mode }) {
  return (
    <fieldset class="field checks">
      <legend>Mode</legend>
      {MODES.map(([mode, label, meaning]) => (
        <label class="check">
          <input type="radio" name="mode" value={mode} checked={mode === chosen} />
          <span>
            <strong>{label}</strong> <span class="muted block small">{meaning}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
