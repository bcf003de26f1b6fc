import { MAX_USER_AGENT_CHARS } from "../../../model/limits";
import { TextArea, TextField } from "../../ui/form";
import { OptionalFields, type OptionalFieldsProps } from "./optional-fields";

/** The names of the parameters that the session's fields set. */
const SESSION_NAMES = ["headers", "cookies", "user_agent", "basic_auth"] as const;

/** The collapsible group of fields for requesting a page behind a sign-in. */
export function SessionFields({
  endpoint,
  values,
  errors,
}: Pick<OptionalFieldsProps, "endpoint" | "values" | "errors">) {
  const field = (name: (typeof SESSION_NAMES)[number]) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <OptionalFields title="Session" names={SESSION_NAMES} {...{ endpoint, values, errors }}>
      <TextArea
        {...field("headers")}
        label="Headers"
        rows={2}
        code
        placeholder="X-Api-Key: example"
        hint="Enter one per line. The values are sent only to the site of the URL, and aren't stored."
      />
      <TextArea
        {...field("cookies")}
        label="Cookies"
        rows={2}
        code
        placeholder="session=example; Path=/"
        hint="Enter one per line."
      />
      <TextField {...field("basic_auth")} label="Basic authentication" placeholder="user:password" autocomplete="off" />
      <TextField {...field("user_agent")} label="User agent" maxlength={MAX_USER_AGENT_CHARS} />
    </OptionalFields>
  );
}
