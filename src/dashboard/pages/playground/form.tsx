import type { Child } from "hono/jsx";
import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { FormErrorNotice } from "../../ui/form";
import type { FieldsProps } from "./more";
import { ParseFields } from "./parse-fields";
import { ScrapeFields } from "./scrape-fields";
import { SerpFields } from "./serp-fields";
import { toCredits } from "./values";

const FIELDS: Record<Endpoint, (props: FieldsProps) => Child> = {
  scrape: ScrapeFields,
  parse: ParseFields,
  serp: SerpFields,
};

interface RequestFormProps extends FieldsProps {
  endpoint: Endpoint;
  mode: Mode;
  balance: number;
  suspended: boolean;
}

export function RequestForm({ endpoint, mode, balance, suspended, ...fields }: RequestFormProps) {
  const Fields = FIELDS[endpoint];
  return (
    <form
      class="card"
      method="post"
      action={`/dashboard/playground?endpoint=${endpoint}`}
      data-preview={`/dashboard/playground/preview?endpoint=${endpoint}`}
      data-preview-parts="samples price"
    >
      <h2>Your request</h2>
      <FormErrorNotice errors={fields.errors} />
      <input type="hidden" name="mode" value={mode} />
      <Fields {...fields} />
      <div class="row">
        <button class="button primary" type="submit" disabled={suspended}>
          Run
        </button>
        <Price {...{ endpoint, mode, balance }} values={fields.values} />
      </div>
    </form>
  );
}

type PriceProps = Pick<RequestFormProps, "endpoint" | "mode" | "balance" | "values">;

export function Price({ endpoint, mode, balance, values }: PriceProps) {
  const credits = toCredits(endpoint, values);
  return (
    <span id="price" class="muted">
      {mode === "test"
        ? "Free: in test mode nothing outside is asked, and the answer is made up."
        : `Costs ${toWords(credits)}; you have ${balance.toLocaleString("en")}.`}
    </span>
  );
}

export function toWords(credits: number): string {
  return credits === 1 ? "1 credit" : `${credits.toLocaleString("en")} credits`;
}
