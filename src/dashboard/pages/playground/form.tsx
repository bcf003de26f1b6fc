import type { Child } from "hono/jsx";
import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { FormErrorNotice } from "../../ui/form";
import { toCount } from "../../ui/format";
import { type FieldsProps, ParseFields, ScrapeFields, SerpFields } from "./fields";
import { toCredits } from "./form-values";

const FIELDS: { [E in Endpoint]: (props: FieldsProps) => Child } = {
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

/** The form of an endpoint's request. */
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
      <h2>Request</h2>
      <FormErrorNotice errors={fields.errors} />
      <input type="hidden" name="mode" value={mode} />
      <Fields {...fields} />
      <div class="row">
        <button class="button primary" type="submit" disabled={suspended}>
          Run request
        </button>
        <Price {...{ endpoint, mode, balance }} values={fields.values} />
      </div>
    </form>
  );
}

type PriceProps = Pick<RequestFormProps, "endpoint" | "mode" | "balance" | "values">;

/** The price of the request, and the balance. */
export function Price({ endpoint, mode, balance, values }: PriceProps) {
  const { least, most } = toCredits(endpoint, values);
  const price = least === most ? toCount(most, "credit") : `${least} or ${toCount(most, "credit")}`;
  return (
    <span id="price" class="muted">
      {mode === "test"
        ? "Test requests are free."
        : `This request costs ${price}. You have ${toCount(balance, "credit")}.`}
    </span>
  );
}
