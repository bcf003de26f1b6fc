import type { Child } from "hono/jsx";
import type { Endpoint } from "../../../model/endpoint";
import { type FormErrors, TextField } from "../../ui/form";
import { type FormValues, hasNonDefault, OTHER_FIELD, otherParameters } from "./form-values";
import { OtherField } from "./other-field";

/** The props of the components with an endpoint's fields. */
export interface FieldsProps {
  values: FormValues;
  errors: FormErrors | undefined;
  /** The available models. The first is the default. */
  models: readonly string[];
}

/** The props of a collapsible group of optional fields. */
export interface OptionalFieldsProps extends Pick<FieldsProps, "values" | "errors"> {
  title: string;
  endpoint: Endpoint;
  /** The parameters of the group. The group is open if one of them is invalid or differs from its default. */
  names: readonly string[];
  children: Child;
}

/** A collapsible group of optional fields. */
export function OptionalFields({ title, endpoint, names, values, errors, children }: OptionalFieldsProps) {
  const invalid = [...names, ...(names.includes(OTHER_FIELD) ? otherParameters(endpoint) : [])];
  const open = hasNonDefault(endpoint, values, names) || invalid.some((name) => errors?.at(name) !== undefined);
  return (
    <details class="more" open={open}>
      <summary>{title}</summary>
      <div class="fields">
        {children}
        {names.includes(OTHER_FIELD) ? <OtherField {...{ endpoint, values, errors }} /> : null}
      </div>
    </details>
  );
}

/** The names of the fields of `SharedFields`. */
export const SHARED_NAMES = ["max_credits", "webhook_url", OTHER_FIELD];

/** The optional fields that every endpoint has. */
export function SharedFields({ values, errors }: Pick<FieldsProps, "values" | "errors">) {
  return (
    <>
      <TextField
        name="max_credits"
        label="Maximum credits"
        type="text"
        inputmode="numeric"
        value={values.get("max_credits") ?? ""}
        hint="Leave empty for no limit."
        errors={errors}
      />
      <TextField
        name="webhook_url"
        label="Webhook URL"
        type="text"
        inputmode="url"
        value={values.get("webhook_url") ?? ""}
        hint="Leave empty to use your account's webhook URL."
        errors={errors}
      />
    </>
  );
}
