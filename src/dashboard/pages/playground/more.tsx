import type { Child } from "hono/jsx";
import type { Endpoint } from "../../../model/endpoint";
import { type Problems, TextField } from "../../ui/form";
import { saysMore, type Values } from "./values";

/** What the fields of each endpoint are given. */
export interface FieldsProps {
  values: Values;
  problems: Problems | undefined;
  /** The models that may be asked, the default one first. */
  models: readonly string[];
}

interface MoreProps extends Pick<FieldsProps, "values" | "problems"> {
  title: string;
  endpoint: Endpoint;
  /** The parameters inside: it stands open when one of them is given, or wrong. */
  names: readonly string[];
  children: Child;
}

/** Fields that few need. */
export function More({ title, endpoint, names, values, problems, children }: MoreProps) {
  const open = saysMore(endpoint, values, names) || names.some((name) => problems?.at(name) !== undefined);
  return (
    <details class="more" open={open}>
      <summary>{title}</summary>
      <div class="fields">{children}</div>
    </details>
  );
}

/** Every endpoint's. */
export function WebhookField({ values, problems }: Pick<FieldsProps, "values" | "problems">) {
  return (
    <TextField
      name="webhook_url"
      label="Webhook URL"
      type="text"
      inputmode="url"
      value={values.get("webhook_url") ?? ""}
      placeholder="https://example.org/hooks/extraction"
      hint="Gets the result too, signed. Empty: the account's, if it has one."
      problems={problems}
    />
  );
}
