// Firecrawl's search and map.
import { z } from "zod";
import type { MapData } from "../../contract/map";
import type { SerpData } from "../../contract/serp";
import { AppError } from "../../model/errors";
import { MAP_URLS_MAX } from "../../model/limits";
import * as door from "../door";
import { as, choose, flag, type Names, type Rules, type Translation, toNames, translate } from "../door";
import { toPageDocument, toPeerError, type Version } from "../forms/firecrawl";
import { off, readTyped, SCRAPE_RULES, toScrapeOptions, withScheme } from "./scrape-options";

const DEFAULT_RESULTS: { [V in Version]: number } = { v1: 5, v2: 10 };
const CATEGORIES: Readonly<Record<string, string>> = { github: "site:github.com", pdf: "filetype:pdf" };

/** Adds the range of Google's parameter for times. Google also sorts by date, and has a range of an hour. */
function addTimeRange(value: unknown, { fields, warnings }: Translation, path: string): void {
  const tbs = as(z.string(), value, path);
  const range = tbs.replace(/^sbd:1,/, "");
  fields.time_range = door.toTimeRange(range.replace("qdr:h", "qdr:d"), path);
  if (range !== tbs) warnings.push("The results aren't sorted by date.");
  if (range === "qdr:h")
    warnings.push("The results are those of the last day, because the last hour can't be selected.");
}

const SEARCH_RULES: Rules = {
  query: "query",
  limit: "num_results",
  lang: "language",
  location: door.put("location", (value, path) => {
    // `City,Region,Country` becomes `City, Country`.
    const parts = as(z.string(), value, path)
      .split(",")
      .map((part) => part.trim());
    return [...new Set([parts[0], parts.at(-1)])].join(", ");
  }),
  country: "country",
  includeDomains: "include_domains",
  excludeDomains: "exclude_domains",
  tbs: { ours: ["time_range"], convert: addTimeRange },
  safe: choose({ active: { safe_search: "strict" }, off: { safe_search: "off" } }),
  categories: door.put("operators", (value, path) =>
    readTyped(value, path, { github: {}, pdf: {} }).map(({ type }) => CATEGORIES[type]),
  ),
  // Firecrawl's MCP server adds alexandria, and the option domainTools, to each search.
  sources: door.put("sources", (value, path) =>
    readTyped(value, path, { web: {}, news: {}, images: {}, alexandria: {} })
      .map(({ type }) => type)
      .filter((type) => type !== "alexandria"),
  ),
  filter: { refused: "Add words or operators to the query." },
  enterprise: { refused: "Use zeroDataRetention in scrapeOptions.", except: [[]] },
  threatProtection: off("Private and denied addresses are always refused."),
  ...door.accepted("ignoreInvalidURLs", "timeout", "integration", "origin", "toolDetail", "domainTools", "highlights"),
};
const SEARCH_NAMES: Names = new Map([...toNames(SEARCH_RULES), ["type", "sources"]]);
const PAGE_NAMES = toNames(SCRAPE_RULES, { theirs: "scrapeOptions." });

type Results = Record<string, unknown>[];

/** The sources of results, which are also our types of search. */
const SOURCES = {
  web: ({ organic }: SerpData) =>
    organic.map(({ url, title, description, position }) => ({ url, title, description, position })),
  news: ({ news = [] }: SerpData) => news.map((each, index) => ({ ...each, position: index + 1 })),
  images: ({ images = [] }: SerpData) =>
    images.map(({ title, url, thumbnail }, index) => ({ title, url, imageUrl: thumbnail, position: index + 1 })),
};

interface SearchFields extends Record<string, unknown> {
  operators?: string[];
  sources?: (keyof typeof SOURCES)[];
}

/** Searches, and scrapes the results if the request has formats for them. */
export async function search(c: door.DoorContext, version: Version): Promise<Response> {
  const { scrapeOptions = {}, ...given } = await c.req.json<Record<string, unknown>>();
  const { fields, warnings } = translate(given, SEARCH_RULES);
  const { country, operators = [], sources = ["web"], ...request } = fields as SearchFields;
  const words = as(z.string().trim().min(1, "must not be empty"), request.query, "query");
  const query = operators.length === 0 ? words : `${words} (${operators.join(" OR ")})`;
  const isCountry = request.location === undefined && country !== undefined;
  const names = isCountry ? new Map([...SEARCH_NAMES, ["location", "country"]]) : SEARCH_NAMES;
  const base = { num_results: DEFAULT_RESULTS[version], location: country, ...request, query, blocks: [] };
  const scrape = toScrapeOptions(c, scrapeOptions, "scrapeOptions.");
  const hasPages = Object.hasOwn(Object(scrapeOptions), "formats") && (scrape.fields.formats as string[]).length > 1;
  if (hasPages) await door.checkPages(c, scrape.fields, PAGE_NAMES);
  const data: Record<string, Results> = {};
  let [id, creditsUsed] = ["", 0];
  for (const type of new Set(sources.length > 0 ? sources : (["web"] as const))) {
    const result = await door.submitAndWait(c, "serp", { ...base, type }, names).catch((error) => {
      if (!(error instanceof AppError)) throw error;
      const message = `The source '${type}' isn't available: ${error.message}`;
      // The first source is charged, so its results are returned although another one failed.
      const isOurs = type === "web" || error.jobId === undefined;
      if (id === "") throw isOurs ? error : door.notSupported(message, "Use the source web.");
      warnings.push(message);
    });
    id ||= result?.jobId ?? "";
    creditsUsed += result?.meta.credits_used ?? 0;
    data[type] = result === undefined ? [] : SOURCES[type](result.data as SerpData);
  }
  const results = [...(data.web ?? []), ...(data.news ?? [])];
  if (hasPages) creditsUsed += await addPages(c, results, { version, options: scrape.fields });
  if (Object.values(data).every((list) => list.length === 0))
    warnings.push("The engine has no results for this query.");
  const warning = [...warnings, ...(hasPages ? scrape.warnings : [])].join(" ") || undefined;
  return c.json({
    success: true,
    data: version === "v1" ? Object.values(data).flat() : data,
    id,
    job_id: id,
    creditsUsed,
    warning,
  });
}

/** Adds the scraped pages to the results. A result whose page failed stays. Returns the price of the pages. */
async function addPages(
  c: door.DoorContext,
  results: Results,
  { version, options }: { version: Version; options: Record<string, unknown> },
): Promise<number> {
  const all = [...new Set(results.map(({ url }) => String(url)))];
  const { batch, pageOf } = await door.scrapeAll(c, all, { options, names: PAGE_NAMES });
  for (const result of results) {
    const page = pageOf.get(String(result.url));
    const { error = null } = page?.job ?? {};
    const status = error === null ? 408 : toPeerError(error).status;
    const failure = { sourceURL: result.url, statusCode: status, error: error?.message ?? door.NOT_INCLUDED };
    const document = page && toPageDocument(page, version);
    Object.assign(result, document ?? { metadata: failure }, { ...result });
  }
  return batch?.credits.used ?? 0;
}

const MAP_RULES: Rules = {
  url: door.put("url", withScheme),
  // Clients send an empty text for no search.
  search: door.put("search", (value) => value || undefined),
  limit: door.whole("limit", 1, 100_000),
  includeSubdomains: "include_subdomains",
  // Errors name the last parameter.
  ignoreSitemap: flag({ sitemap: "skip" }),
  sitemapOnly: flag({ sitemap: "only" }),
  sitemap: "sitemap",
  ignoreQueryParameters: flag({ isBare: true }, { isBare: false }),
  ...door.accepted("ignoreCache", "useIndex", "location", "timeout", "integration", "origin"),
  useMock: off("Use a test key (sk_test_…) to get mock data."),
};
const MAP_NAMES = toNames(MAP_RULES);

/** Lists the URLs of a site. */
export async function map(c: door.DoorContext, version: Version): Promise<Response> {
  const { limit = MAP_URLS_MAX, isBare = version === "v2", ...given } = translate(await c.req.json(), MAP_RULES).fields;
  const max = Math.min(Number(limit), MAP_URLS_MAX);
  const request = { include_subdomains: true, ...given, limit: isBare ? MAP_URLS_MAX : max };
  const { jobId: id, data } = await door.submitAndWait(c, "map", request, MAP_NAMES);
  const found = new Map<string, { url: string; title?: string | undefined }>();
  for (const { url: whole, title } of (data as MapData).urls) {
    const url = isBare ? whole.replace(/[?#].*$/s, "") : whole;
    if (found.size < max && !found.has(url)) found.set(url, { url, title });
  }
  const warning = Number(limit) > MAP_URLS_MAX ? `A map has at most ${MAP_URLS_MAX} URLs.` : undefined;
  const links = version === "v1" ? [...found.keys()] : [...found.values()];
  return c.json({ success: true, id, job_id: id, links, warning });
}
