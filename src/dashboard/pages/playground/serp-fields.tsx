import { MAX_QUERY_CHARS, SERP_RESULTS_MAX } from "../../../model/limits";
import { SelectField, TextField } from "../../ui/form";
import { type FieldsProps, More, WebhookField } from "./more";

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
      <SelectField
        {...field("engine")}
        label="Engine"
        options={[
          ["google", "Google"],
          ["bing", "Bing"],
          ["yandex", "Yandex"],
        ]}
      />
      <TextField
        {...field("num_results")}
        label="Number of results"
        inputmode="numeric"
        hint={`1 to ${SERP_RESULTS_MAX}.`}
      />
      <More
        title="More parameters"
        endpoint="serp"
        names={["location", "language", "device", "webhook_url"]}
        {...{ values, errors }}
      >
        <TextField
          {...field("location")}
          label="Location"
          placeholder="Istanbul, Turkey"
          hint="A country, its ISO code, a city, or “City, Country”."
        />
        <TextField {...field("language")} label="Language" placeholder="en" hint="A code such as tr or en-US." />
        <SelectField
          {...field("device")}
          label="Device"
          options={[
            ["desktop", "Desktop"],
            ["mobile", "Mobile"],
          ]}
        />
        <WebhookField {...{ values, errors }} />
      </More>
    </div>
  );
}
