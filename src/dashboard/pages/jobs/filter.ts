import type { JobFilter } from "../../../account/types";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { JobListQuery } from "../../../contract/jobs";
import { foldMetadata, toMetadataKey } from "../../../contract/labels";
import { isId } from "../../../lib/id";
import { FormErrors } from "../../ui/form";

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

/** The place of a page in the list. */
export interface PagePlace {
  offset: number;
  cursor?: string | undefined;
}

/** The query string of the list's page. */
export interface JobsQuery {
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
  const folded = foldMetadata(new URLSearchParams({ ...conditions, ...pick(["offset", "cursor"]) }));
  const { success, data, error } = JobListQuery.safeParse(Object.fromEntries(folded));
  if (!success) return { conditions, hasEmpty, parsed: { errors: FormErrors.of(toInvalidRequest(error.issues)) } };
  const { key_id: keyId, from: since, to: until, q: text, tag: tags, batch_id: batchId, ...others } = data;
  const { limit: _, include, ...filter } = others;
  const own = { keyId, since, until, text, tags, batchId, includesPages: include === "children" };
  return { conditions, hasEmpty, parsed: { filter: { ...filter, ...own } } };
}

/** Returns the id in the search box, or null if it contains another text. */
export function toSearchedId({ q = "" }: JobConditions): string | null {
  const id = q.toLowerCase();
  return isId(id) ? id : null;
}

/** Returns the URL of a page of the list. */
export function toJobsHref(conditions: JobConditions, { offset, cursor }: PagePlace = { offset: 0 }): string {
  const query = new URLSearchParams(conditions);
  if (offset > 0) query.set("offset", String(offset));
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}
