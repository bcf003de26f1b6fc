import type { JobFilter } from "../../../account/types";
import { toInvalidRequest } from "../../../contract/invalid-request";
import { JobListQuery } from "../../../contract/jobs";
import { isId, toTag } from "../../../lib/id";
import { FormErrors } from "../../ui/form";

const CONDITIONS = ["q", "status", "endpoint", "outcome", "code", "key_id", "from", "to"] as const;

/** The conditions of the list as they are in the page's query string. Their names are those of `GET /v1/jobs`. */
export type JobConditions = { [Name in (typeof CONDITIONS)[number]]?: string };

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
  const conditions: JobConditions = pick(CONDITIONS);
  const hasEmpty = CONDITIONS.some((name) => query[name] !== undefined && conditions[name] === undefined);
  const { success, data, error } = JobListQuery.safeParse({ ...conditions, ...pick(["offset", "cursor"]) });
  if (!success) return { conditions, hasEmpty, parsed: { errors: FormErrors.of(toInvalidRequest(error.issues)) } };
  const { key_id: keyId, from: since, to: until, q: text, limit: _, ...filter } = data;
  return { conditions, hasEmpty, parsed: { filter: { ...filter, keyId, since, until, text } } };
}

/** Returns the id of the account's job if the search box contains it, otherwise null. */
export function toJobId({ q = "" }: JobConditions, tag: string): string | null {
  const id = q.toLowerCase();
  return isId(id) && toTag(id) === tag ? id : null;
}

/** Returns the URL of a page of the list. */
export function toJobsHref(conditions: JobConditions, { offset, cursor }: PagePlace = { offset: 0 }): string {
  const query = new URLSearchParams(conditions);
  if (offset > 0) query.set("offset", String(offset));
  if (cursor !== undefined) query.set("cursor", cursor);
  return query.size === 0 ? "/dashboard/jobs" : `/dashboard/jobs?${query}`;
}
