import type { ScrapeFormat } from "../../../contract/scrape";
import { MAX_SELECTOR_CHARS, MAX_URL_CHARS } from "../../../model/limits";
import { Checkbox, CheckboxGroup, SelectField, TextArea, TextField } from "../../ui/form";
import { type FieldsProps, More, WebhookField } from "./more";

const FORMATS: Record<ScrapeFormat, string> = {
  markdown: "Markdown",
  html: "HTML",
  text: "Plain text",
  screenshot: "Screenshot",
  metadata: "Metadata",
  links: "Links",
};

export function ScrapeFields({ values, errors }: FieldsProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <div class="fields">
      <TextField
        {...field("url")}
        label="URL"
        inputmode="url"
        required
        maxlength={MAX_URL_CHARS}
        placeholder="https://example.com/"
      />
      <CheckboxGroup
        name="formats"
        legend="Formats"
        errors={errors}
        options={Object.entries(FORMATS)}
        checked={values.getAll("formats")}
      />
      <Checkbox
        name="js_render"
        label="Render in a browser"
        checked={values.get("js_render") === "true"}
        hint="For pages that scripts build. 1 credit more; a screenshot or an element to wait for renders anyway."
      />
      <More
        title="More parameters"
        endpoint="scrape"
        names={[
          "wait_for",
          "only_main_content",
          "include_selectors",
          "exclude_selectors",
          "proxy_country",
          "webhook_url",
        ]}
        {...{ values, errors }}
      >
        <TextField
          {...field("wait_for")}
          label="Wait for an element"
          maxlength={MAX_SELECTOR_CHARS}
          placeholder="#price"
          hint="A CSS selector: the page is taken once something matches."
        />
        <SelectField
          {...field("only_main_content")}
          label="Content"
          options={[
            ["true", "The main content"],
            ["false", "The whole page, navigation and footers included"],
          ]}
        />
        <TextArea
          {...field("include_selectors")}
          label="Only these elements"
          rows={2}
          code
          hint="CSS selectors, one a line: markdown and text hold what they match, and nothing else."
        />
        <TextArea
          {...field("exclude_selectors")}
          label="Without these elements"
          rows={2}
          code
          hint="CSS selectors, one a line: what they match is left out."
        />
        <TextField
          {...field("proxy_country")}
          label="Proxy country"
          maxlength={2}
          placeholder="DE"
          hint="Two letters: the page as it is seen from there. Only countries that this service has a proxy for."
        />
        <WebhookField {...{ values, errors }} />
      </More>
    </div>
  );
}
