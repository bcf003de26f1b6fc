import type { BatchDryRun } from "../../../contract/batches";
import { toCount } from "../../../lib/count";
import type { Mode } from "../../../model/api-key";
import { CRAWL_LIMIT_MAX, MAX_CRAWL_DELAY_S, MAX_URL_CHARS } from "../../../model/limits";
import { Card } from "../../ui/components";
import { Checkbox, FormErrorNotice, type FormErrors, SelectField, TextArea, TextField } from "../../ui/form";
import { ShownAccount } from "../../ui/post-form";
import type { FormValues } from "./form-values";

const ACTION = "/dashboard/playground/crawl";
/** The fields that the form shows only after the user expands them. */
const MORE_FIELDS = ["delay", "robots", "webhook_url", "webhook_events", "tags"];

/** The values of a new form. */
export const CRAWL_DEFAULTS: Readonly<Record<string, string>> = {
  limit: "100",
  sitemap: "include",
  robots: "respect",
  scrape: `{ "formats": ["markdown"] }`,
};

interface CrawlFormProps {
  values: FormValues;
  errors?: FormErrors | undefined;
  /** The price, if the form was checked. */
  price: BatchDryRun | null;
  mode: Mode;
  /** False if the account is suspended or if the user can only read. */
  canRun: boolean;
}

/** The form that starts a crawl. */
export function CrawlForm({ values, errors, price, mode, canRun }: CrawlFormProps) {
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
        <ShownAccount action={ACTION} />
        <input type="hidden" name="mode" value={mode} />
        <TextField
          {...field("url")}
          label="URL"
          inputmode="url"
          required
          maxlength={MAX_URL_CHARS}
          placeholder="https://example.com/"
          hint="The crawl starts at this page and follows the links of its site."
        />
        <TextField
          {...field("limit")}
          label="Maximum number of pages"
          inputmode="numeric"
          hint={`1 to ${CRAWL_LIMIT_MAX.toLocaleString("en")}.`}
        />
        <TextField
          {...field("max_depth")}
          label="Maximum depth"
          inputmode="numeric"
          hint="The maximum number of links from the first page. Leave empty for no limit."
        />
        <SelectField
          {...field("sitemap")}
          label="Sitemaps"
          options={[
            ["include", "Include"],
            ["skip", "Skip"],
            ["only", "Only sitemaps"],
          ]}
        />
        <TextArea
          {...field("include_paths")}
          label="Included paths"
          rows={2}
          code
          placeholder="/blog/*"
          hint="Enter one pattern per line. * matches any characters."
        />
        <TextArea {...field("exclude_paths")} label="Excluded paths" rows={2} code placeholder="/blog/tags/*" />
        <Checkbox name="allow_subdomains" label="Subdomains" checked={values.get("allow_subdomains") === "true"} />
        <TextArea
          {...field("scrape")}
          label="Options of all pages (JSON)"
          rows={4}
          code
          hint="The parameters of a scrape, such as formats and render. max_credits limits the price of each page."
        />
        <MoreFields {...{ values, errors }} />
        <div class="row">
          <button class="button primary" type="submit" disabled={!canRun}>
            Start crawl
          </button>
          <button class="button" type="submit" formaction={`${ACTION}/price`} disabled={!canRun}>
            Check price
          </button>
          <CrawlPriceText price={price} mode={mode} />
        </div>
      </form>
    </Card>
  );
}

/** The collapsible group of rarely used fields. It is open if one of them is invalid or differs from its default. */
function MoreFields({ values, errors }: Pick<CrawlFormProps, "values" | "errors">) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  const isChanged = (name: string) => (values.get(name) ?? "").trim() !== (CRAWL_DEFAULTS[name] ?? "");
  return (
    <details class="more" open={MORE_FIELDS.some((name) => isChanged(name) || errors?.at(name) !== undefined)}>
      <summary>More parameters</summary>
      <div class="fields">
        <TextField
          {...field("delay")}
          label="Delay between pages (seconds)"
          inputmode="text"
          hint={`0 to ${MAX_CRAWL_DELAY_S}. A longer Crawl-delay in robots.txt takes precedence.`}
        />
        <SelectField
          {...field("robots")}
          label="robots.txt"
          options={[
            ["respect", "Respect"],
            ["ignore", "Ignore"],
          ]}
        />
        <TextField
          {...field("webhook_url")}
          label="Webhook URL"
          inputmode="url"
          hint="Leave empty to use your account's webhook endpoints."
        />
        <Checkbox
          name="webhook_events"
          label="Send an event for each page to this URL"
          checked={values.get("webhook_events") === "true"}
        />
        <TextField {...field("tags")} label="Tags" hint="Separate tags with commas." />
      </div>
    </details>
  );
}

/** The highest price of the crawl. A script updates it while the user edits the form. */
export function CrawlPriceText({ price, mode }: { price: BatchDryRun | null; mode: Mode }) {
  return (
    <span id="price" class="muted" role="status">
      {price === null ? "The credits of a page are reserved when it starts." : toPriceText(price, mode)}
    </span>
  );
}

function toPriceText({ pages, max_credits: credits, balance }: BatchDryRun, mode: Mode): string {
  if (mode === "test") return `At most ${toCount(pages, "page")}. Test requests are free.`;
  return `${toCount(pages, "page")} cost at most ${toCount(credits, "credit")}. Your balance is ${toCount(balance, "credit")}.`;
}
