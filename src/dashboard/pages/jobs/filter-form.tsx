import { Endpoint, JobStatus } from "../../../contract/common";
import { toMetadataKey } from "../../../contract/labels";
import { ERRORS, type ErrorCode } from "../../../model/errors";
import { OUTCOMES } from "../../../model/job";
import { MAX_FILTER_CHARS, MAX_TAG_CHARS } from "../../../model/limits";
import type { KeyName } from "../../../store/keys";
import { FormErrorNotice, type FormErrors, SelectField, TextField } from "../../ui/form";
import { toKeyLabel } from "../../ui/key-label";
import type { JobConditions } from "./filter";

/** The maximum number of keys in the menu. A link can select further keys. */
const MAX_MENU_KEYS = 20;

/** The codes of failed jobs. The other codes are those of refused requests, for which there is no job. */
const JOB_CODES = (Object.keys(ERRORS) as ErrorCode[])
  .filter((code) => ERRORS[code].status === 422 || ERRORS[code].status >= 500 || code === "cancelled")
  .sort();

type Option = readonly [value: string, label: string];

interface JobFilterFormProps {
  conditions: JobConditions;
  keys: readonly KeyName[];
  errors: FormErrors | undefined;
}

/** The search box and the filters. On narrow screens, the filters are collapsed. */
export function JobFilterForm({ conditions, keys, errors }: JobFilterFormProps) {
  const { q, ...filters } = conditions;
  const count = Object.keys(filters).length;
  const select = (name: "status" | "endpoint" | "outcome" | "code", label: string, values: readonly string[]) => (
    <SelectField {...{ name, label, errors }} value={conditions[name]} options={toOptions(values, conditions[name])} />
  );
  return (
    <search>
      <FormErrorNotice errors={errors} />
      <form method="get" action="/dashboard/jobs" class="filters" aria-label="Filter jobs">
        <TextField
          name="q"
          label="Job ID, request ID, URL or query"
          type="search"
          value={q}
          maxlength={MAX_FILTER_CHARS}
          errors={errors}
        />
        <details open={errors !== undefined}>
          <summary>{count === 0 ? "Filters" : `Filters (${count})`}</summary>
          <div class="filter-fields">
            {select("status", "Status", JobStatus.options)}
            {select("endpoint", "Endpoint", Endpoint.options)}
            {select("outcome", "Outcome", OUTCOMES)}
            {select("code", "Error code", JOB_CODES)}
            <SelectField
              name="key_id"
              label="Key"
              errors={errors}
              value={conditions.key_id}
              options={toKeyOptions(keys, conditions.key_id)}
            />
            <TextField
              name="tag"
              label="Tag"
              type="text"
              value={conditions.tag}
              maxlength={MAX_TAG_CHARS}
              errors={errors}
            />
            <SelectField
              name="include"
              label="Pages of batches and crawls"
              errors={errors}
              value={conditions.include}
              options={[
                ["", "Not included"],
                ["children", "Included"],
              ]}
            />
            {conditions.batch_id === undefined ? null : (
              <TextField name="batch_id" label="Batch ID" type="text" value={conditions.batch_id} errors={errors} />
            )}
            {Object.entries(filters).map(([name, value]) =>
              toMetadataKey(name) === null ? null : (
                <TextField
                  name={name}
                  label={`Metadata: ${toMetadataKey(name)}`}
                  type="text"
                  value={value}
                  errors={errors}
                />
              ),
            )}
            <DayField name="from" label="From (UTC)" value={conditions.from} errors={errors} />
            <DayField name="to" label="To (UTC)" value={conditions.to} errors={errors} />
          </div>
        </details>
        <button type="submit" class="button">
          Search
        </button>
        {q === undefined && count === 0 ? null : <a href="/dashboard/jobs">Clear</a>}
      </form>
    </search>
  );
}

/** A day. A link can also set a date with a time, which a date input can't show. */
function DayField({
  value,
  ...props
}: {
  name: string;
  label: string;
  value: string | undefined;
  errors: FormErrors | undefined;
}) {
  const isDay = value === undefined || /^\d{4}-\d{2}-\d{2}$/.test(value);
  return <TextField {...props} type={isDay ? "date" : "text"} value={value} />;
}

/** Returns the options of a menu. Adds a selected value that isn't among them, so that the next search keeps it. */
function toOptions(values: readonly string[], selected: string | undefined): Option[] {
  const all = selected === undefined || values.includes(selected) ? values : [...values, selected];
  return [["", "All"], ...all.map((value): Option => [value, value])];
}

function toKeyOptions(keys: readonly KeyName[], selected: string | undefined): Option[] {
  const menu = keys.slice(0, MAX_MENU_KEYS).map(({ id }) => id);
  const ids = ["dashboard", ...menu];
  const all = selected === undefined || ids.includes(selected) ? ids : [...ids, selected];
  return [["", "All"], ...all.map((id): Option => [id, toKeyLabel(id, keys)])];
}
