import type { Child } from "hono/jsx";
import type { UsageRange } from "../../../account/credits/usage";
import type { JobFilter } from "../../../account/storage/types";
import { Endpoint, JobStatus } from "../../../contract/common";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { JobListQuery } from "../../../contract/jobs";
import { foldMetadata, toMetadataKey } from "../../../contract/metadata-filter";
import { isId } from "../../../lib/id";
import { ERRORS, type ErrorCode } from "../../../model/errors";
import { OUTCOMES } from "../../../model/job";
import { MAX_FILTER_CHARS, MAX_TAG_CHARS } from "../../../model/limits";
import type { KeyName } from "../../../store/keys";
import { SubmitButton } from "../../ui/components";
import { FormErrors, SelectField, TextField, WithErrors } from "../../ui/form";
import { toKeyLabel } from "../../ui/format";

const CONDITIONS = [
  "q",
  "status",
  "endpoint",
  "outcome",
  "code",
  "key_id",
  "tag",
  "from",
  "to",
  "batch_id",
  "include",
] as const;

/** The conditions of the list as they are in the page's query string. Their names are those of `GET /v1/jobs`. */
export type JobConditions = { [Name in (typeof CONDITIONS)[number]]?: string } & {
  [Name in `metadata[${string}]`]: string;
};

/** The query string of the list's page. */
interface JobsQuery {
  conditions: JobConditions;
  /** The filter and the place, or the errors of invalid values. */
  parsed: { filter: Omit<JobFilter, "mode" | "limit"> } | { errors: FormErrors };
  /** True if the query string has conditions without a value, as a form sends them. */
  hasEmpty: boolean;
}

/** Reads the query string of the list's page. Ignores unknown parameters and those without a value. */
export function readJobsQuery(query: Record<string, string>): JobsQuery {
  const pick = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));
  const names = [...CONDITIONS, ...Object.keys(query).filter((name) => toMetadataKey(name) !== null)];
  const conditions: JobConditions = pick(names);
  const hasEmpty = names.some((name) => query[name] !== undefined && !Object.hasOwn(conditions, name));
  const folded = foldMetadata(new URLSearchParams({ ...conditions, ...pick(["cursor"]) }));
  const { success, data, error } = JobListQuery.safeParse(Object.fromEntries(folded));
  if (!success) return { conditions, hasEmpty, parsed: { errors: FormErrors.of(toInvalidRequest(error.issues)) } };
  const { key_id: keyId, from: since, to: until, q: text, tag: tags, batch_id: batchId, ...others } = data;
  const { limit: _, include, ...filter } = others;
  const own = { keyId, since, until, text, tags, batchId, includesPages: include === "children" };
  return { conditions, hasEmpty, parsed: { filter: { ...filter, ...own } } };
}

/** Returns the id in the search box, or null if it contains another text. */
export function findSearchedId({ q = "" }: JobConditions): string | null {
  const id = q.toLowerCase();
  return isId(id) ? id : null;
}

/** Returns the URL of a page of the list. */
export function toJobsHref(conditions: JobConditions, cursor?: string): string {
  const query = new URLSearchParams(conditions);
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}

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

/** The search box, the filter by status, and the other filters, which are collapsed if none of them is set. */
export function JobFilterForm({ conditions, keys, errors }: JobFilterFormProps) {
  const { q, status, ...filters } = conditions;
  const count = Object.keys(filters).length;
  const select = (name: "status" | "endpoint" | "outcome" | "code", label: string, values: readonly string[]) => (
    <SelectField name={name} label={label} value={conditions[name]} options={toOptions(values, conditions[name])} />
  );
  return (
    <search>
      <WithErrors errors={errors}>
        <form method="get" action="/dashboard/jobs" class="filters" aria-label="Filter jobs">
          <TextField
            name="q"
            label="Job ID, request ID, URL or query"
            type="search"
            value={q}
            maxlength={MAX_FILTER_CHARS}
          />
          {select("status", "Status", JobStatus.options)}
          <SubmitButton tone="plain" label="Search" />
          {q === undefined && status === undefined && count === 0 ? null : <a href="/dashboard/jobs">Clear</a>}
          <details open={errors !== undefined || count > 0}>
            <summary>{count === 0 ? "More filters" : `More filters (${count})`}</summary>
            <div class="filter-fields">
              {select("endpoint", "Endpoint", Endpoint.options)}
              {select("outcome", "Outcome", OUTCOMES)}
              {select("code", "Error code", JOB_CODES)}
              <SelectField
                name="key_id"
                label="Key"
                value={conditions.key_id}
                options={toKeyOptions(keys, conditions.key_id)}
              />
              <TextField name="tag" label="Tag" value={conditions.tag} maxlength={MAX_TAG_CHARS} />
              <SelectField
                name="include"
                label="Pages of batches and crawls"
                value={conditions.include}
                options={[
                  ["", "Not included"],
                  ["children", "Included"],
                ]}
              />
              {conditions.batch_id === undefined ? null : (
                <TextField name="batch_id" label="Batch ID" value={conditions.batch_id} />
              )}
              {Object.entries(filters).map(([name, value]) =>
                toMetadataKey(name) === null ? null : (
                  <TextField name={name} label={`Metadata: ${toMetadataKey(name)}`} value={value} />
                ),
              )}
              <DayField name="from" label="From (UTC)" value={conditions.from} />
              <DayField name="to" label="To (UTC)" value={conditions.to} />
            </div>
          </details>
        </form>
      </WithErrors>
    </search>
  );
}

/** A day. A link can also set a date with a time, which a date input can't show. */
function DayField(props: { name: string; label: string; value: string | undefined }) {
  const isDay = props.value === undefined || /^\d{4}-\d{2}-\d{2}$/.test(props.value);
  return <TextField {...props} type={isDay ? "date" : "text"} />;
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

/** The days of a usage report. */
export interface ReportedDays extends UsageRange {
  /** The first day whose jobs aren't archived (YYYY-MM-DD, UTC). Empty if no job was archived. */
  archivedBefore: string;
}

interface JobsLinkProps {
  days: ReportedDays;
  /** The conditions of the list. They must exclude unfinished jobs, because usage doesn't count them. */
  conditions: JobConditions;
  /** The number of jobs. */
  children: Child;
}

/**
 * Links a number of jobs in a usage report to the list of exactly these jobs. Usage counts the pages of batches and
 * crawls, so the list includes them. Without a link if days of the report are archived, because lists omit their jobs.
 */
export function JobsLink({ days: { from, to, archivedBefore }, conditions, children }: JobsLinkProps) {
  if (from < archivedBefore) return <>{children}</>;
  return <a href={toJobsHref({ ...conditions, from, to, include: "children" })}>{children}</a>;
}
