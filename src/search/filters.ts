import { invalidParameter } from "../contract/invalid-request";
import type { SerpRequest } from "../contract/serp";
import { DAY_MS } from "../model/limits";
import { ENGINES } from "./engines/engines";
import type { SearchEngine, TimeOffer } from "./engines/search-engine";
import { isOnSite } from "./results/operators";
import type { SearchQuery } from "./results/result-page";

type TimeUnit = Extract<SerpRequest["time_range"], string>;
const UNIT_DAYS: { readonly [U in TimeUnit]: number } = { day: 1, week: 7, month: 30, year: 365 };

/** Returns the time range with its dates. A range without an end lasts until today, in every time zone. */
export function toTimeRange(range: SerpRequest["time_range"], now: number): SearchQuery["timeRange"] {
  if (range === undefined) return undefined;
  if (typeof range === "object") {
    const { from, to = toDate(now) } = range;
    return { unit: null, from, to: from > to ? from : to };
  }
  return { unit: range, from: toDate(now - UNIT_DAYS[range] * DAY_MS), to: toDate(now) };
}

function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the query with the operators that limit it to the domains of the request, or exclude them. */
export function withDomains(
  { query, include_domains = [], exclude_domains = [] }: SerpRequest,
  { or }: SearchEngine,
): string {
  const included = include_domains.map((domain) => `site:${domain}`).join(` ${or} `);
  const excluded = exclude_domains.map((domain) => `-site:${domain}`);
  return [query, include_domains.length > 1 ? `(${included})` : included, ...excluded].filter(Boolean).join(" ");
}

/** Returns true if the URL is in the domains that the query includes, and not in those that it excludes. */
export function isInDomains(url: string, { includeDomains = [], excludeDomains = [] }: SearchQuery): boolean {
  const isIn = (domains: readonly string[]) => domains.some((domain) => isOnSite(url, domain));
  return (includeDomains.length === 0 || isIn(includeDomains)) && !isIn(excludeDomains);
}

/**
 * Throws AppError if parameters contradict each other, if the time range is in the future, or if the engine doesn't offer
 * the type, the number of results or the time range.
 */
export function checkOffer(
  { engine, type, num_results, time_range, include_domains = [], exclude_domains = [] }: SerpRequest,
  now: number,
): void {
  for (const excluded of exclude_domains) {
    const included = include_domains.find((domain) => isOnSite(`http://${domain}`, excluded));
    if (included !== undefined)
      throw invalidParameter(
        "exclude_domains",
        `can't contain '${excluded}', because 'include_domains' contains '${included}'`,
      );
  }
  // In some time zones, the next day has already begun.
  const lastDay = toDate(now + DAY_MS);
  if (typeof time_range === "object" && time_range.from > lastDay)
    throw invalidParameter("time_range.from", "must not be in the future", { given: time_range.from });
  if (type === "web") return;
  const { label, types } = ENGINES[engine];
  const offer = types[type];
  if (offer === undefined)
    throw invalidParameter("type", `must be ${list(["web", ...Object.keys(types)])} for ${label}`, { given: type });
  const { maxResults, timeRanges } = offer;
  if (num_results > maxResults)
    throw invalidParameter("num_results", `must be at most ${maxResults} for the type '${type}' of ${label}`, {
      given: String(num_results),
    });
  if (time_range === undefined) return;
  const asked: TimeOffer = typeof time_range === "object" ? "dates" : time_range;
  if (timeRanges.includes(asked)) return;
  const rule = timeRanges.length === 0 ? "isn't offered" : `must be ${list(timeRanges)}`;
  throw invalidParameter("time_range", `${rule} for the type '${type}' of ${label}`);
}

function list(names: readonly string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(names);
}
