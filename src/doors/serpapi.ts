// SerpApi's interface of searches with Google, Bing and Yandex.

import { z } from "zod";
import { wholeNumber } from "../contract/common";
import type { SerpData, SerpRequest } from "../contract/serp";
import { originOf } from "../http/router";
import { getOwnJob, jobNotFound, readRequest, toMeta } from "../jobs/read-job";
import { requireScope } from "../keys/middleware";
import { now, toIso } from "../lib/clock";
import { toIdTime } from "../lib/id";
import { fold } from "../lib/suggest";
import { ENGINE_NAMES } from "../model/engine";
import { AppError } from "../model/errors";
import type { JobStatus } from "../model/job";
import { SECOND_MS, SERP_PAGE_MAX, SERP_RESULTS_DEFAULT, SERP_RESULTS_MAX } from "../model/limits";
import { toPrices } from "../model/prices";
import { CITIES, COUNTRIES } from "../search/places/tables";
import {
  as,
  authenticateAt,
  choice,
  createDoor,
  type DoorContext,
  type DoorError,
  notSupported,
  put,
  type Rules,
  readUsage,
  readWholeResult,
  refuse,
  submit,
  toNames,
  toTimeRange,
  translate,
  whole,
} from "./door";

type EngineName = (typeof ENGINE_NAMES)[number];
/** SerpApi's parameters as the URL has them, without the API key. */
type UrlParameters = Record<string, string>;

/** The number of results on a result page of an engine. */
const PAGE_RESULTS = 10;
const MAX_START = (SERP_PAGE_MAX - 1) * PAGE_RESULTS;
const ENGINE_TITLES: Record<EngineName, string> = { google: "Google", bing: "Bing", yandex: "Yandex" };
const STATUS_TITLES = { queued: "Queued", processing: "Processing", completed: "Success", failed: "Error" } as const;

/** SerpApi's `tbm` of each type of search, and its name of the results. Our name of the results is the type. */
const TYPES = {
  news: { tbm: "nws", results: "news_results" },
  images: { tbm: "isch", results: "images_results" },
  videos: { tbm: "vid", results: "video_results" },
} as const;
type Type = SerpRequest["type"];

/** The parameters that only the response depends on, or nothing at all. */
const UNTRANSLATED = ["api_key", "engine", "output", "async", "source"];

const COUNTRY = put("country", (value) => value);
const NONE = "This service has no such parameter.";
const SHARED: Rules = {
  device: choice("device", { desktop: "desktop", tablet: "mobile", mobile: "mobile" }),
  no_cache: null,
  zero_trace: null,
};
const RULES: Record<EngineName, Rules> = {
  google: {
    ...SHARED,
    q: "query",
    start: whole("start", 0, MAX_START),
    num: whole("num_results", 1, SERP_RESULTS_MAX),
    gl: COUNTRY,
    location: "location",
    hl: "language",
    safe: choice("safe_search", { active: "strict", off: "off" }),
    tbm: choice("type", Object.fromEntries(Object.entries(TYPES).map(([type, { tbm }]) => [tbm, type]))),
    tbs: put("time_range", toTimeRange),
    google_domain: null,
    nfpr: null,
    ...refuse(["uule"], "Use location."),
    ...refuse(["lr", "cr"], "Use hl, gl or location."),
    ...refuse(["kgmid", "ludocid", "filter", "json_restrictor"], NONE),
  },
  bing: {
    ...SHARED,
    q: "query",
    first: whole("start", 1, MAX_START + 1, (first) => first - 1),
    count: whole("num_results", 1, SERP_RESULTS_MAX),
    mkt: put("market", (value) => value),
    cc: COUNTRY,
    location: "location",
    safesearch: choice("safe_search", { off: "off", moderate: "moderate", strict: "strict" }),
    ...refuse(["lat", "lon"], "Use location."),
    ...refuse(["filters"], NONE),
  },
  yandex: {
    ...SHARED,
    text: "query",
    p: whole("start", 0, SERP_PAGE_MAX - 1, (page) => page * PAGE_RESULTS),
    lang: "language",
    yandex_domain: null,
    lr: null,
    fix_typo: null,
    ...refuse(["within"], NONE),
  },
};

/** The parameters that select the results of a page. `unit` is the number of results for which `start` grows by 1. */
const PAGING: Record<EngineName, { query: string; start: string; first: number; count: string | null; unit: number }> =
  {
    google: { query: "q", start: "start", first: 0, count: "num", unit: 1 },
    bing: { query: "q", start: "first", first: 1, count: "count", unit: 1 },
    yandex: { query: "text", start: "p", first: 0, count: null, unit: PAGE_RESULTS },
  };

export const serpapi = createDoor("serpapi", respondError);

const authenticated = authenticateAt({
  readKey: (c) => c.req.query("api_key") || undefined,
  isPoll: (c) => c.req.path.includes("/searches/"),
});

for (const end of ["", ".json"]) {
  serpapi.get(`/search${end}`, authenticated, requireScope(["serp"]), async (c) => {
    const { api_key: _, ...query } = c.req.query();
    if (query.output === "html")
      throw notSupported("This service doesn't return the HTML of a result page.", "Omit 'output'.");
    as(z.enum(["json"]).optional(), query.output, "output");
    const { body, names, ...asked } = toRequest(query);
    const isAsync = as(z.enum(["true", "false"]).default("false"), query.async, "async") === "true";
    const result = await submit(c, "serp", body, { names, isAsync }).catch((error) => {
      const isMissing = asked.type !== "web" && error instanceof AppError && error.code === "serp_unavailable";
      const type = names.get("type");
      throw isMissing ? notSupported(`'${type}' isn't available: ${error.message}`, `Omit '${type}'.`) : error;
    });
    const search = { c, ...asked };
    if (result.kind === "accepted") return c.json(toSearch({ ...search, ...result.job, endedAt: null }));
    const { jobId: id, data, meta } = result;
    const ended = { status: "completed" as const, endedAt: now(), data: data as unknown as SerpData };
    return c.json(toSearch({ ...search, ...ended, id, ms: meta.processing_time_ms }));
  });

  serpapi.get(`/account${end}`, authenticated, requireScope(["jobs"]), async (c) => c.json(await readAccount(c)));

  serpapi.get(`/locations${end}`, (c) => {
    const { q = "", limit } = c.req.query();
    return c.json(listLocations(q).slice(0, as(wholeNumber(1, 1_000).optional(), limit, "limit")));
  });
}

serpapi.get("/searches/:id", authenticated, requireScope(["jobs"]), async (c) => {
  const { account, mode } = c.get("caller");
  const id = c.req.param("id").replace(/\.json$/, "");
  const job = await getOwnJob(c.env, account, { mode, id });
  if (job?.endpoint !== "serp") throw jobNotFound(id);
  c.set("jobId", id);
  const { status, endedAt, error } = job;
  const request = (await readRequest(c.env, job)) as SerpRequest | null;
  const data = (await readWholeResult(c.env, job)) as SerpData | null;
  if (request === null || (status === "completed" && data === null))
    throw new AppError("not_found", `The search '${id}' has expired.`, { status: 410 });
  const { engine, type } = request;
  const search = { c, engine, type, parameters: toParameters(request), id, status, endedAt };
  if (error !== null) return c.json({ ...toSearch(search), error: error.message });
  return c.json(toSearch({ ...search, ...(data !== null && { data }), ms: toMeta(job).processing_time_ms }));
});

/** Translates the parameters of a search. `offset` is the number of results of the first page to omit. */
function toRequest({ engine = "google", ...query }: UrlParameters) {
  // An engine can also be google_news or bing_images, for example.
  const [, base = engine, kind] = /^(google|bing|yandex)_(news|images|videos)$/.exec(engine) ?? [];
  const name = as(z.enum(ENGINE_NAMES), base, "engine");
  const rules = RULES[name];
  const given = Object.entries(query).filter(([key]) => !UNTRANSLATED.includes(key));
  // Some names also have capital letters, such as safeSearch.
  const known = given.map(([key, value]) => [Object.hasOwn(rules, key.toLowerCase()) ? key.toLowerCase() : key, value]);
  const { fields } = translate(Object.fromEntries(known), rules);
  const { start = 0, num_results = SERP_RESULTS_DEFAULT, country, market, location, ...others } = fields;
  const offset = Number(start) % PAGE_RESULTS;
  const place = location ?? country ?? market?.toString().split("-")[1];
  const type = (others.type ?? kind ?? "web") as Type;
  const body = {
    ...others,
    engine: name,
    type,
    page: Math.floor(Number(start) / PAGE_RESULTS) + 1,
    num_results: Math.min(Number(num_results) + offset, SERP_RESULTS_MAX),
    ...(market !== undefined && { language: market }),
    ...(place !== undefined && { location: place }),
  };
  const placed = ["location", "gl", "cc", "mkt"].find((key) => Object.hasOwn(query, key)) ?? "location";
  const names = new Map([
    ...toNames(rules),
    ["location", placed],
    ["type", kind === undefined ? "tbm" : "engine"],
    ...(market ? [["language", "mkt"] as const] : []),
  ]);
  return { engine: name, type, parameters: { engine, ...Object.fromEntries(given) }, body, names, offset };
}

/** Returns SerpApi's parameters for a stored request. */
function toParameters(request: SerpRequest): UrlParameters {
  const { engine, page, num_results, query, device, location, language, type } = request;
  const { query: queryName, start, first, count, unit } = PAGING[engine];
  return {
    engine,
    [queryName]: query,
    ...(type !== "web" && { tbm: TYPES[type].tbm }),
    device,
    ...(location !== undefined && { location }),
    ...(language !== undefined && { [{ google: "hl", bing: "mkt", yandex: "lang" }[engine]]: language }),
    [start]: String(((page - 1) * PAGE_RESULTS) / unit + first),
    ...(count !== null && { [count]: String(num_results) }),
  };
}

interface Search {
  c: DoorContext;
  engine: EngineName;
  type: Type;
  parameters: UrlParameters;
  /** The number of results of the first result page to omit. */
  offset?: number;
  id: string;
  status: JobStatus;
  endedAt: number | null;
  data?: SerpData;
  ms?: number;
}

/** Returns a search in SerpApi's form. Without `data`, it has no results yet. */
function toSearch({ c, engine, type, parameters, offset = 0, id, status, endedAt, data, ms = 0 }: Search) {
  const base = `${originOf(c)}/serpapi`;
  const start = {
    search_metadata: {
      id,
      status: STATUS_TITLES[status],
      json_endpoint: `${base}/searches/${id}.json`,
      created_at: toTime(toIdTime(id)),
      ...(endedAt !== null && { processed_at: toTime(endedAt) }),
      total_time_taken: ms / SECOND_MS,
    },
    search_parameters: parameters,
  };
  if (data === undefined) return start;
  const { organic, total_results, search_time_ms, spelling } = data;
  const { query, count } = PAGING[engine];
  const size = Number((count && parameters[count]) ?? SERP_RESULTS_DEFAULT);
  const results = type === "web" ? organic.slice(offset, offset + size) : (data[type] ?? []);
  const name = type === "web" ? "organic_results" : TYPES[type].results;
  return {
    ...start,
    search_information: {
      query_displayed: parameters[query],
      ...(total_results > 0 && { total_results }),
      time_taken_displayed: search_time_ms / SECOND_MS,
      organic_results_state: results.length === 0 ? "Fully empty" : "Results for exact spelling",
      ...(spelling && { [spelling.applied ? "showing_results_for" : "spelling_fix"]: spelling.corrected }),
    },
    ...toBlocks(data, type),
    ...(results.length > 0 && {
      [name]: results.map((result, index) => toResult(result, index + 1)),
    }),
    ...(results.length === 0 && { error: `${ENGINE_TITLES[engine]} hasn't returned any results for this query.` }),
    ...(results.length >= size && toPagination(`${base}/search.json`, { engine, parameters, size })),
  };
}

function toTime(ms: number): string {
  return `${toIso(ms).slice(0, 19).replace("T", " ")} UTC`;
}

function toPagination(
  address: string,
  { engine, parameters, size }: { engine: EngineName; parameters: UrlParameters; size: number },
) {
  const { start, first, unit } = PAGING[engine];
  const before = (Number(parameters[start] ?? first) - first) * unit;
  const current = Math.floor(before / size) + 1;
  if (before + size > MAX_START) return { pagination: { current }, serpapi_pagination: { current } };
  const following = { ...parameters, [start]: String((before + size) / unit + first) };
  const next = `${address}?${new URLSearchParams(following)}`;
  return { pagination: { current, next }, serpapi_pagination: { current, next, next_link: next } };
}

function toResult({ url, sitelinks, ...result }: { url?: string | undefined; sitelinks?: unknown }, position: number) {
  return {
    ...result,
    position,
    ...(url !== undefined && { link: url, displayed_link: toDisplayed(url) }),
    ...(sitelinks !== undefined && { sitelinks: { inline: rename(sitelinks) } }),
  };
}

/** Returns a URL as result pages show it, such as `https://example.com › docs`. */
function toDisplayed(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? url : [parsed.origin, ...parsed.pathname.split("/").filter(Boolean)].join(" › ");
}

/** SerpApi's names of members that the parts of a result page share. */
const MEMBERS: Readonly<Record<string, string>> = { url: "link", displayed_url: "displayed_link" };

/** SerpApi's names of the blocks that are lists. */
const LISTS = {
  people_also_ask: "related_questions",
  related_searches: "related_searches",
  ads: "ads",
  top_stories: "top_stories",
  short_videos: "short_videos",
  shopping: "shopping_results",
  perspectives: "discussions_and_forums",
  filters: "refine_search_filters",
  videos: "inline_videos",
  images: "inline_images",
} as const;

/** Renames the members of a value and of all values in it. */
function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [MEMBERS[name] ?? name, rename(member)]));
}

/** Returns the blocks of a result page in SerpApi's form, except the results of the type `type`. */
export function toBlocks(data: SerpData, type: Type): Record<string, unknown> {
  const { answer, ai_overview: overview, knowledge_graph: graph, local } = data;
  const lists = Object.entries(LISTS).flatMap(([name, theirs]) => {
    const block = data[name as keyof typeof LISTS];
    return block === undefined || name === type ? [] : [[theirs, rename(block)] as const];
  });
  return {
    ...Object.fromEntries(lists),
    ...(answer && {
      answer_box: {
        type: answer.type === "featured_snippet" ? "organic_result" : answer.type,
        ...(answer.title && { title: answer.title }),
        ...(answer.url && { link: answer.url, displayed_link: toDisplayed(answer.url) }),
        [answer.type === "featured_snippet" ? "snippet" : "answer"]: answer.text,
        ...(answer.items && { list: answer.items }),
      },
    }),
    ...(overview && {
      ai_overview: {
        text_blocks: [{ type: "paragraph", snippet: overview.text }],
        references: overview.sources.map(({ url, ...source }, index) => ({ ...source, link: url, index })),
      },
    }),
    ...(graph && {
      knowledge_graph: {
        ...Object.fromEntries(
          graph.facts.map(({ name, value }) => [name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_"), value]),
        ),
        ...(rename({ ...graph, facts: undefined }) as object),
        ...(graph.source && { source: { name: graph.source.name, link: graph.source.url } }),
      },
    }),
    ...(local && {
      local_results: {
        places: local.map(({ website, ...place }) => ({ ...place, ...(website && { links: { website } }) })),
      },
    }),
  };
}

async function readAccount(c: DoorContext) {
  const { account, prices } = c.get("caller");
  const { balance, period } = await readUsage(c);
  const { serp } = toPrices(c.env, prices);
  const toSearches = (credits: number) => Math.floor(credits / Math.max(1, serp));
  return {
    account_id: account.id,
    searches_per_month: toSearches(period.granted),
    plan_searches_left: toSearches(balance),
    extra_credits: 0,
    total_searches_left: toSearches(balance),
    this_month_usage: toSearches(period.used),
    account_rate_limit_per_hour: 60 * Number(c.res.headers.get("X-RateLimit-Limit")),
  };
}

/** Returns the countries and cities whose name contains a text, in SerpApi's form. */
function listLocations(text: string) {
  const searched = fold(text);
  const nameOf = new Map(COUNTRIES.map(({ code, names }) => [code, names[0] ?? code]));
  const places = [
    ...COUNTRIES.map(({ code, names }) => ({ names, canonical: nameOf.get(code), code, type: "Country" })),
    ...CITIES.map(({ names, country, google }) => {
      const canonical = google ?? `${names[0]},${nameOf.get(country)}`;
      return { names, canonical, code: country, type: "City" };
    }),
  ];
  return places.flatMap(({ names, canonical, code, type }, index) =>
    names.some((name) => fold(name).includes(searched))
      ? [{ id: String(index + 1), name: names[0], canonical_name: canonical, country_code: code, target_type: type }]
      : [],
  );
}

function respondError(c: DoorContext, { code, status, message, members }: DoorError): Response {
  const { job_id: id } = members;
  const hasFailed = status >= 502 || (id !== undefined && status !== 402 && status !== 429);
  const failure = { search_metadata: { ...(id !== undefined && { id }), status: "Error" } };
  const error = status === 401 ? `Invalid API key. ${message}` : message;
  // SerpApi has one status for exhausted searches and for too many requests.
  const shown = hasFailed && code !== "internal_error" ? 503 : status === 402 ? 429 : status;
  return c.json({ ...(hasFailed && failure), error, ...members }, shown as 400);
}
