import type { ScrapeFormat } from "../../../contract/scrape";
import type { EngineName } from "../../../model/engine";
import {
  MAP_URLS_MAX,
  MAX_PROMPT_CHARS,
  MAX_QUERY_CHARS,
  MAX_SELECTOR_CHARS,
  SERP_RESULTS_MAX,
} from "../../../model/limits";
import { Checkbox, CheckboxGroup, SelectField, TextArea, TextField } from "../../ui/form";
import { ActionsField } from "./actions-field";
import { type FieldsProps, OptionalFields, SHARED_NAMES, SharedFields } from "./optional-fields";
import { SchemaField } from "./schema-field";
import { SessionFields } from "./session-fields";
import { SitemapField, UrlField } from "./site-fields";

const FORMAT_LABELS: { [F in ScrapeFormat]: string } = {
  markdown: "Markdown",
  html: "HTML",
  text: "Plain text",
  screenshot: "Screenshot",
  metadata: "Metadata",
  links: "Links",
  images: "Images",
  raw_html: "Raw HTML",
  clean_html: "Clean HTML",
  pdf: "PDF",
  summary: "Summary (language model)",
  json: "JSON (language model)",
};

const ENGINE_LABELS: { [E in EngineName]: string } = { google: "Google", bing: "Bing", yandex: "Yandex" };

/** The fields of a scrape. */
export function ScrapeFields({ values, errors }: FieldsProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <div class="fields">
      <UrlField {...{ values, errors }} />
      <CheckboxGroup
        name="formats"
        legend="Formats"
        errors={errors}
        options={Object.entries(FORMAT_LABELS)}
        checked={values.getAll("formats")}
      />
      <SelectField
        {...field("render")}
        label="Render in a browser"
        options={[
          ["never", "Never"],
          ["auto", "Only if the page has no content otherwise"],
          ["always", "Always"],
        ]}
        hint="Rendering can cost more. Screenshots, PDFs, waits and actions use a browser."
      />
      <OptionalFields
        title="More parameters"
        endpoint="scrape"
        names={[
          "wait_for",
          "only_main_content",
          "include_selectors",
          "exclude_selectors",
          "hidden_text",
          "proxy_country",
          "json",
          "actions",
          ...SHARED_NAMES,
        ]}
        {...{ values, errors }}
      >
        <TextField
          {...field("wait_for")}
          label="Wait for an element (CSS)"
          maxlength={MAX_SELECTOR_CHARS}
          placeholder="#price"
        />
        <SelectField
          {...field("only_main_content")}
          label="Content"
          options={[
            ["true", "Main content"],
            ["false", "Whole page with navigation and footers"],
          ]}
        />
        <TextArea {...field("include_selectors")} label="Included elements (CSS)" rows={2} code />
        <TextArea {...field("exclude_selectors")} label="Excluded elements (CSS)" rows={2} code />
        <HiddenTextField {...{ values, errors }} />
        <TextField {...field("proxy_country")} label="Proxy country" maxlength={2} placeholder="DE" />
        <TextArea
          {...field("json")}
          label="Data for the JSON format"
          rows={3}
          code
          placeholder={'{"prompt": "The product and its price."}'}
          hint="A JSON object with a prompt, and optionally a schema."
        />
        <ActionsField {...{ values, errors }} />
        <SharedFields {...{ values, errors }} />
      </OptionalFields>
      <SessionFields endpoint="scrape" {...{ values, errors }} />
    </div>
  );
}

/** The fields of a parse. */
export function ParseFields({ values, errors, models }: FieldsProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <div class="fields">
      {models.length === 0 ? (
        <p class="notice busy">
          No language model is configured. Live requests need a schema, whose properties are found in the page's own
          data.
        </p>
      ) : null}
      <UrlField {...{ values, errors }} required={false} placeholder="https://example.com/product" />
      <OptionalFields title="HTML instead of a URL" endpoint="parse" names={["html"]} {...{ values, errors }}>
        <TextArea {...field("html")} label="HTML" rows={6} code hint="Leave the URL empty." />
      </OptionalFields>
      <TextArea
        {...field("prompt")}
        label="Prompt"
        rows={3}
        required
        maxlength={MAX_PROMPT_CHARS}
        placeholder="The product's name and price."
      />
      <SchemaField {...{ values, errors }} />
      <OptionalFields
        title="More parameters"
        endpoint="parse"
        names={["strategy", "model", "evidence", "hidden_text", "actions", ...SHARED_NAMES]}
        {...{ values, errors }}
      >
        <SelectField
          {...field("strategy")}
          label="Strategy"
          options={[
            ["", "Default"],
            ["model", "Language model"],
            ["auto", "The page's own data first"],
            ["page", "Only the page's own data"],
          ]}
          hint="The page's own data is what it declares, such as JSON-LD. Needs a schema."
        />
        <SelectField
          {...field("model")}
          label="Model"
          options={[
            ["", models[0] === undefined ? "Default" : `Default (${models[0]})`],
            ...models.map((id) => [id, id] as const),
          ]}
        />
        <Checkbox
          name="evidence"
          label="Evidence"
          checked={values.get("evidence") === "true"}
          hint="For each value, the result quotes the page."
        />
        <HiddenTextField {...{ values, errors }} />
        <ActionsField {...{ values, errors }} />
        <SharedFields {...{ values, errors }} />
      </OptionalFields>
      <SessionFields endpoint="parse" {...{ values, errors }} />
    </div>
  );
}

function HiddenTextField({ values, errors }: Pick<FieldsProps, "values" | "errors">) {
  return (
    <SelectField
      name="hidden_text"
      value={values.get("hidden_text") ?? ""}
      errors={errors}
      label="Hidden text"
      options={[
        ["drop", "Leave out"],
        ["keep", "Keep"],
      ]}
      hint="Text that readers of the page can't see."
    />
  );
}

/** The fields of a map. */
export function MapFields({ values, errors }: FieldsProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <div class="fields">
      <UrlField {...{ values, errors }} />
      <TextField {...field("search")} label="Search" maxlength={MAX_QUERY_CHARS} placeholder="pricing" />
      <SitemapField {...{ values, errors }} />
      <OptionalFields
        title="More parameters"
        endpoint="map"
        names={["limit", "include_subdomains", "proxy_country", ...SHARED_NAMES]}
        {...{ values, errors }}
      >
        <TextField
          {...field("limit")}
          label="Number of URLs"
          inputmode="numeric"
          hint={`1 to ${MAP_URLS_MAX.toLocaleString("en")}.`}
        />
        <Checkbox
          name="include_subdomains"
          label="Subdomains"
          checked={values.get("include_subdomains") === "true"}
          hint="The result includes the URLs of subdomains."
        />
        <TextField {...field("proxy_country")} label="Proxy country" maxlength={2} placeholder="DE" />
        <SharedFields {...{ values, errors }} />
      </OptionalFields>
    </div>
  );
}

/** The fields of a search. */
export function SerpFields({ values, errors }: FieldsProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <div class="fields">
      <TextField
        {...field("query")}
        label="Query"
        required
        maxlength={MAX_QUERY_CHARS}
        placeholder="lighthouse museums"
      />
      <SelectField {...field("engine")} label="Engine" options={Object.entries(ENGINE_LABELS)} />
      <TextField
        {...field("num_results")}
        label="Number of results"
        inputmode="numeric"
        hint={`1 to ${SERP_RESULTS_MAX}.`}
      />
      <OptionalFields
        title="More parameters"
        endpoint="serp"
        names={["location", "language", "device", ...SHARED_NAMES]}
        {...{ values, errors }}
      >
        <TextField
          {...field("location")}
          label="Location"
          placeholder="Istanbul, Turkey"
          hint="Enter a country, its ISO code, a city, or “City, Country”."
        />
        <TextField
          {...field("language")}
          label="Language"
          placeholder="en"
          hint="Enter a language code, such as tr or en-US."
        />
        <SelectField
          {...field("device")}
          label="Device"
          options={[
            ["desktop", "Desktop"],
            ["mobile", "Mobile"],
          ]}
        />
        <SharedFields {...{ values, errors }} />
      </OptionalFields>
    </div>
  );
}
