import { MAX_PROMPT_CHARS, MAX_URL_CHARS } from "../../../model/limits";
import { Checkbox, SelectField, TextArea, TextField } from "../../ui/form";
import { type FieldsProps, More, WebhookField } from "./more";

export function ParseFields({ values, errors, models }: FieldsProps) {
  const field = (name: string) => ({ name, value: values.get(name) ?? "", errors });
  return (
    <div class="fields">
      {models.length === 0 ? (
        <p class="notice busy">
          No language model is configured here, so nothing can be parsed in live mode. Test mode plays the answers.
        </p>
      ) : null}
      <TextField
        {...field("url")}
        label="URL"
        inputmode="url"
        maxlength={MAX_URL_CHARS}
        placeholder="https://example.com/product"
      />
      <More title="HTML instead of a URL" endpoint="parse" names={["html"]} {...{ values, errors }}>
        <TextArea {...field("html")} label="HTML" rows={6} code hint="Leave the URL empty then." />
      </More>
      <TextArea
        {...field("prompt")}
        label="What to extract"
        rows={3}
        required
        maxlength={MAX_PROMPT_CHARS}
        placeholder="The product's name and price."
      />
      <TextArea
        {...field("schema")}
        label="Schema"
        rows={8}
        code
        placeholder={'{"type": "object", "properties": {"name": {"type": "string"}}}'}
        hint="JSON Schema that the answer keeps to; its root is an object. May be left empty."
      />
      <More
        title="More parameters"
        endpoint="parse"
        names={["model", "evidence", "webhook_url"]}
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
          hint="Tells for each value where it stands in the page, and which stand nowhere."
        />
        <WebhookField {...{ values, errors }} />
      </More>
    </div>
  );
}
