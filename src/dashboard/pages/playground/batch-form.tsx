import { toCount } from "../../../lib/count";
import type { ErrorDetail } from "../../../model/errors";
import { MAX_BATCH_REQUESTS } from "../../../model/limits";
import { Checkbox, SelectField, TextArea } from "../../ui/form";
import { PagesForm, type PagesFormProps } from "./pages-form";

interface BatchFormProps extends PagesFormProps {
  /** The parameters that caused the error. */
  details?: readonly ErrorDetail[] | undefined;
}

/** The form that starts a batch. */
export function BatchForm({ details = [], ...form }: BatchFormProps) {
  const { values, errors } = form;
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <PagesForm kind="batch" {...form}>
      <Problems details={details} />
      <SelectField
        {...field("endpoint")}
        label="Endpoint"
        options={[
          ["scrape", "Scrape"],
          ["parse", "Parse"],
        ]}
      />
      <TextArea
        {...field("requests")}
        label="URLs"
        rows={8}
        required
        code
        placeholder={"https://example.com/\nhttps://example.com/about"}
        hint={`One URL per line, at most ${MAX_BATCH_REQUESTS.toLocaleString("en")}. Each of them becomes a page of the batch.`}
      />
      <TextArea
        {...field("defaults")}
        label="Options of all pages (JSON)"
        rows={6}
        code
        hint="The parameters of the endpoint, such as formats, render, prompt and schema. max_credits limits the price of each page."
      />
      <Checkbox
        name="ignore_invalid"
        label="Omit invalid URLs"
        checked={values.get("ignore_invalid") === "true"}
        hint="If this isn't selected, an invalid URL refuses the whole batch."
      />
    </PagesForm>
  );
}

/** The maximum number of listed problems. */
const MAX_PROBLEMS = 20;

/** The problems of a refused batch, with the position of each URL. Renders nothing if there is only one problem. */
function Problems({ details }: { details: readonly ErrorDetail[] }) {
  if (details.length < 2) return null;
  return (
    <ul class="rows small" aria-label="Problems">
      {details.slice(0, MAX_PROBLEMS).map(({ path, message }) => (
        <li>
          {toPlace(path)}: {message}
        </li>
      ))}
      {details.length > MAX_PROBLEMS ? <li>{toCount(details.length - MAX_PROBLEMS, "further problem")}</li> : null}
    </ul>
  );
}

/** Converts the path of a parameter. The text of `requests.2.url` is "URL 3". */
function toPlace(path: string): string {
  const [, index, field = "url"] = /^requests\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
  if (index === undefined) return path;
  return field === "url" ? `URL ${Number(index) + 1}` : `URL ${Number(index) + 1}, ${field}`;
}
