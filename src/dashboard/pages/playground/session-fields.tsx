import { MAX_USER_AGENT_CHARS } from "../../../model/limits";
import { type FormErrors, TextArea, TextField } from "../../ui/form";
import type { FormValues } from "./form-values";

/** The names of the parameters that the session's fields set. */
export const SESSION_NAMES = ["headers", "cookies", "user_agent", "basic_auth"] as const;

/** The fields for requesting a page behind a sign-in. */
export function SessionFields({ values, errors }: { values: FormValues; errors: FormErrors | undefined }) {
  const field = (name: (typeof SESSION_NAMES)[number]) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <>
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
    </>
  );
}
