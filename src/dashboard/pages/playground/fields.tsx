import type { Child } from "hono/jsx";
import type { ScrapeFormat } from "../../../contract/scrape";
import type { Endpoint } from "../../../model/endpoint";
import type { EngineName } from "../../../model/engine";
import {
  MAX_PROMPT_CHARS,
  MAX_QUERY_CHARS,
  MAX_SELECTOR_CHARS,
  MAX_URL_CHARS,
  SERP_RESULTS_MAX,
} from "../../../model/limits";
import { Checkbox, CheckboxGroup, type FormErrors, SelectField, TextArea, TextField } from "../../ui/form";
import { type FormValues, hasNonDefault } from "./form-values";
import { SchemaField } from "./schema-field";

const FORMAT_LABELS: { [F in ScrapeFormat]: string } = {
  markdown: "Markdown",
  html: "HTML",
  text: "Plain text",
  screenshot: "Screenshot",
  metadata: "Metadata",
  links: "Links",
};

const ENGINE_LABELS: { [E in EngineName]: string } = { google: "Google", bing: "Bing", yandex: "Yandex" };

/** The props of the components with an endpoint's fields. */
export interface FieldsProps {
  values: FormValues;
  errors: FormErrors | undefined;
  /** The available models. The first is the default. */
  models: readonly string[];
}

interface OptionalFieldsProps extends Pick<FieldsProps, "values" | "errors"> {
  title: string;
  endpoint: Endpoint;
  /** The parameters in the group. The group is open if one of them is invalid or differs from its default. */
  names: readonly string[];
  children: Child;
}

/** A collapsible group of optional fields. */
function OptionalFields({ title, endpoint, names, values, errors, children }: OptionalFieldsProps) {
  const open = hasNonDefault(endpoint, values, names) || names.some((name) => errors?.at(name) !== undefined);
  return (
    <details class="more" open={open}>
      <summary>{title}</summary>
      <div class="fields">{children}</div>
    </details>
  );
}

/** The field `webhook_url`, which every endpoint has. */
function WebhookField({ values, errors }: Pick<FieldsProps, "values" | "errors">) {
  return (
    <TextField
      name="webhook_url"
      label="Webhook URL"
      type="text"
      inputmode="url"
      value={values.get("webhook_url") ?? ""}
      placeholder="https://example.org/hooks/extraction"
      hint="The service sends the signed result to this URL. Leave empty to use your account's webhook URL."
      errors={errors}
    />
  );
}

/** The fields of a scrape. */
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
        hint="Use this for pages that are built by scripts. Rendering costs 1 more credit. Screenshots and “Wait for an element” always use a browser."
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
          "webhook_url",
        ]}
        {...{ values, errors }}
      >
        <TextField
          {...field("wait_for")}
          label="Wait for an element"
          maxlength={MAX_SELECTOR_CHARS}
          placeholder="#price"
          hint="Enter a CSS selector. The page is read when an element matches it."
        />
        <SelectField
          {...field("only_main_content")}
          label="Content"
          options={[
            ["true", "Main content"],
            ["false", "Whole page with navigation and footers"],
          ]}
        />
        <TextArea
          {...field("include_selectors")}
          label="Included elements"
          rows={2}
          code
          hint="Enter one CSS selector per line. Markdown and text contain only matching elements."
        />
        <TextArea
          {...field("exclude_selectors")}
          label="Excluded elements"
          rows={2}
          code
          hint="Enter one CSS selector per line. Markdown and text omit matching elements."
        />
        <HiddenTextField {...{ values, errors }} />
        <TextField
          {...field("proxy_country")}
          label="Proxy country"
          maxlength={2}
          placeholder="DE"
          hint="Enter a two-letter country code to fetch the page through a proxy in that country. This works only if the operator has configured a proxy for that country."
        />
        <WebhookField {...{ values, errors }} />
      </OptionalFields>
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
          No language model is configured, so live requests fail. Switch to test data to get mock results.
        </p>
      ) : null}
      <TextField
        {...field("url")}
        label="URL"
        inputmode="url"
        maxlength={MAX_URL_CHARS}
        placeholder="https://example.com/product"
      />
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
        names={["model", "evidence", "hidden_text", "webhook_url"]}
        {...{ values, errors }}
      >
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
          hint="The result contains a quote from the page for each value, and a list of the values that aren't on the page."
        />
        <HiddenTextField {...{ values, errors }} />
        <WebhookField {...{ values, errors }} />
      </OptionalFields>
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
      hint="Text that a reader can't see. It often contains instructions for language models."
    />
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
        names={["location", "language", "device", "webhook_url"]}
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
        <WebhookField {...{ values, errors }} />
      </OptionalFields>
    </div>
  );
}
