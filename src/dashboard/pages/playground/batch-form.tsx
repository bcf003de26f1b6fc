import type { BatchDryRun } from "../../../contract/batches";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import type { ErrorDetail } from "../../../model/errors";
import { MAX_BATCH_REQUESTS } from "../../../model/limits";
import { Card } from "../../ui/components";
import { Checkbox, FormErrorNotice, type FormErrors, SelectField, TextArea } from "../../ui/form";
import { ShownAccount } from "../../ui/post-form";
import type { FormValues } from "./form-values";

const ACTION = "/dashboard/playground/batch";

interface BatchFormProps {
  values: FormValues;
  errors?: FormErrors | undefined;
  /** The parameters that caused the error. */
  details?: readonly ErrorDetail[] | undefined;
  /** The price, if the form was checked. */
  price: BatchDryRun | null;
  mode: Mode;
  /** False if the account is suspended or if the user can only read. */
  canRun: boolean;
}

/** The form that starts a batch. */
export function BatchForm({ values, errors, details = [], price, mode, canRun }: BatchFormProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <Card title="Request">
      <form
        id="request"
        class="fields"
        method="post"
        action={ACTION}
        data-preview={`${ACTION}/preview`}
        data-preview-parts="price"
      >
        <FormErrorNotice errors={errors} />
        <Problems details={details} />
        <ShownAccount action={ACTION} />
        <input type="hidden" name="mode" value={mode} />
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
        <div class="row">
          <button class="button primary" type="submit" disabled={!canRun}>
            Start batch
          </button>
          <button class="button" type="submit" formaction={`${ACTION}/price`} disabled={!canRun}>
            Check price
          </button>
          <BatchPrice price={price} mode={mode} />
        </div>
      </form>
    </Card>
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

/** The highest price of the batch. A script updates it while the user edits the form. */
export function BatchPrice({ price, mode }: { price: BatchDryRun | null; mode: Mode }) {
  return (
    <span id="price" class="muted" role="status">
      {price === null ? "The credits of a page are reserved when it starts." : toPriceText(price, mode)}
    </span>
  );
}

function toPriceText({ pages, max_credits: credits, balance, invalid = [] }: BatchDryRun, mode: Mode): string {
  const omitted =
    invalid.length === 0 ? "" : ` ${toCount(invalid.length, "invalid URL is", "invalid URLs are")} omitted.`;
  if (mode === "test") return `${toCount(pages, "page")}. Test requests are free.${omitted}`;
  return `${toCount(pages, "page")} cost at most ${toCount(credits, "credit")}. Your balance is ${toCount(balance, "credit")}.${omitted}`;
}
