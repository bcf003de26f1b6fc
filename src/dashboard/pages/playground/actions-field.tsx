import { type FormErrors, TextArea } from "../../ui/form";
import type { FormValues } from "./form-values";

/**
 * The field for the actions on a page, as JSON. In `#action-builder`, a script adds an editor with one row per action.
 */
export function ActionsField({ values, errors }: { values: FormValues; errors: FormErrors | undefined }) {
  return (
    <>
      <TextArea
        name="actions"
        label="Actions"
        value={values.get("actions") ?? ""}
        rows={3}
        code
        placeholder='[{"type": "click", "selector": "#more"}]'
        errors={errors}
      />
      <div class="scripted" id="action-builder" />
    </>
  );
}
