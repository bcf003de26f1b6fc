import type { Child } from "hono/jsx";
import type { Endpoint } from "../../../model/endpoint";
import { type FormErrors, TextField } from "../../ui/form";
import { saysMore, type Values } from "./values";

/** What the fields of each endpoint are given. */
export interface FieldsProps {
  values: Values;
  errors: FormErrors | undefined;
  /** The models that may be asked, the default one first. */
  models: readonly string[];
}

interface MoreProps extends Pick<FieldsProps, "values" | "errors"> {
  title: string;
  endpoint: Endpoint;
  /** The parameters inside: it stands open when one of them is given, or wrong. */
  names: readonly string[];
  children: Child;
}

/** Fields that few need. */
export function More({ title, endpoint, names, values, errors, children }: MoreProps) {
  const open = saysMore(endpoint, values, names) || names.some((name) => errors?.at(name) !== undefined);
  return (
    <details class="more" open={open}>
      <summary>{title}</summary>
      <div class="fields">{children}</div>
    </details>
  );
}

/** Every endpoint's. */
export function WebhookField({ values, errors }: Pick<FieldsProps, "values" | "errors">) {
  return (
    <TextField
      name="webhook_url"
      label="Webhook URL"
      type="text"
      inputmode="url"
      value={values.get("webhook_url") ?? ""}
      placeholder="https://example.org/hooks/extraction"
      hint="Gets the result too, signed. Empty: the account's, if it has one."
      errors={errors}
    />
  );
}
