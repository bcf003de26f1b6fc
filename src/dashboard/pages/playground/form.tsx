import type { Child } from "hono/jsx";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import type { Prices } from "../../../model/prices";
import { CopyButton } from "../../ui/components";
import { FormErrorNotice } from "../../ui/form";
import { ShownAccount } from "../../ui/post-form";
import { MapFields, ParseFields, ScrapeFields, SerpFields } from "./fields";
import { toCredits, tryToBody } from "./form-values";
import type { FieldsProps } from "./optional-fields";
import { toShareLink } from "./share-link";

const FIELDS: { [E in Endpoint]: (props: FieldsProps) => Child } = {
  scrape: ScrapeFields,
  parse: ParseFields,
  serp: SerpFields,
  map: MapFields,
};

interface RequestFormProps extends FieldsProps {
  endpoint: Endpoint;
  mode: Mode;
  balance: number;
  /** The prices for the account. */
  prices: Prices;
  /** False if the account is suspended or the user has read-only access. */
  canRun: boolean;
}

/** The form of an endpoint's request. */
export function RequestForm({ endpoint, mode, balance, prices, canRun, ...fields }: RequestFormProps) {
  const Fields = FIELDS[endpoint];
  return (
    <form
      id="request"
      class="card"
      method="post"
      action={`/dashboard/playground?endpoint=${endpoint}`}
      data-preview={`/dashboard/playground/preview?endpoint=${endpoint}`}
      data-preview-parts="samples price share schema-check"
      data-swap="answer history balance"
      data-swap-refused="request balance"
    >
      <h2>Request</h2>
      <FormErrorNotice errors={fields.errors} />
      <ShownAccount action="/dashboard/playground" />
      <input type="hidden" name="mode" value={mode} />
      <Fields {...fields} />
      <div class="row">
        <button class="button primary" type="submit" disabled={!canRun}>
          Run request
        </button>
        <span class="muted">
          <Price {...{ endpoint, mode, prices }} values={fields.values} /> <Balance {...{ mode, balance }} />
        </span>
      </div>
      <ShareLinkLine endpoint={endpoint} values={fields.values} />
    </form>
  );
}

/** The price of the request. */
export function Price({
  endpoint,
  mode,
  prices,
  values,
}: Pick<RequestFormProps, "endpoint" | "mode" | "prices" | "values">) {
  const { least, most } = toCredits(prices, endpoint, values);
  const price = least >= most ? toCount(least, "credit") : `${least} or ${toCount(most, "credit")}`;
  const limit = most < least ? ` Your limit is ${toCount(most, "credit")}.` : "";
  return <span id="price">{mode === "test" ? "Test requests are free." : `This request costs ${price}.${limit}`}</span>;
}

/** The available credits. Empty in test mode. */
export function Balance({ mode, balance }: Pick<RequestFormProps, "mode" | "balance">) {
  return <span id="balance">{mode === "test" ? null : `You have ${toCount(balance, "credit")}.`}</span>;
}

/** The link that fills the form with this request, and a button that copies the link. */
export function ShareLinkLine({ endpoint, values }: Pick<RequestFormProps, "endpoint" | "values">) {
  const body = tryToBody(endpoint, values);
  const { path, notes } = typeof body === "string" ? { path: null, notes: [] } : toShareLink(endpoint, body);
  return (
    <div id="share" class="row small muted">
      {path === null ? null : (
        <>
          <a id="share-link" href={path}>
            Link to this request
          </a>
          <CopyButton of="share-link" label="Copy link" />
        </>
      )}
      {notes.map((note) => (
        <span>{note}</span>
      ))}
    </div>
  );
}
