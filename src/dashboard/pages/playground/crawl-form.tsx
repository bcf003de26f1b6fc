import { CRAWL_LIMIT_MAX, MAX_CRAWL_DELAY_S } from "../../../model/limits";
import { Checkbox, SelectField, TextArea, TextField } from "../../ui/form";
import { PagesForm, type PagesFormProps } from "./pages-form";
import { SitemapField, UrlField } from "./site-fields";

/** The fields that the form shows only after the user expands them. */
const MORE_FIELDS = ["delay", "robots", "webhook_url", "webhook_events", "tags"];

/** The values of a new form. */
export const CRAWL_DEFAULTS: Readonly<Record<string, string>> = {
  limit: "100",
  sitemap: "include",
  robots: "respect",
  scrape: `{ "formats": ["markdown"] }`,
};

/** The form that starts a crawl. */
export function CrawlForm(form: PagesFormProps) {
  const { values, errors } = form;
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <PagesForm kind="crawl" {...form}>
      <UrlField {...{ values, errors }} hint="The crawl starts at this page and follows the links of its site." />
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
      <SitemapField {...{ values, errors }} />
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
    </PagesForm>
  );
}

/** The collapsible group of rarely used fields. It is open if one of them is invalid or differs from its default. */
function MoreFields({ values, errors }: Pick<PagesFormProps, "values" | "errors">) {
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
