// The interface of Tavily's search and extraction, which LangChain's search tool uses.
import { z } from "zod";
import type { SerpData } from "../contract/serp";
import { jsonBody } from "../http/router";
import { requireScope } from "../keys/middleware";
import { now } from "../lib/clock";
import { DAY_MS, SECOND_MS, SYNC_WAIT_MS, TIMEOUT_MARGIN_MS } from "../model/limits";
import {
  as,
  authenticateAt,
  checkPages,
  choice,
  choose,
  createDoor,
  type DoorContext,
  type DoorError,
  flag,
  NOT_INCLUDED,
  put,
  type Rules,
  refuse,
  scrapeAll,
  submitAndWait,
  toNames,
  translate,
  whole,
} from "./door";
import { withScheme } from "./firecrawl/scrape-options";

const RESULTS_DEFAULT = 5;
const RESULTS_MAX = 20;
const MAX_URLS = 20;
/** The difference between the scores of two results. Engines report no scores, so a score only shows the position. */
const SCORE_STEP = 0.04;
const RANGES = { d: "day", w: "week", m: "month", y: "year", day: "day", week: "week", month: "month", year: "year" };

/** The parameters of both operations that this service doesn't need or doesn't have. */
const SHARED: Rules = {
  include_usage: null,
  project_id: null,
  chunks_per_source: null,
  include_favicon: { refused: "Scrape the page for its metadata.", except: [false] },
};
const SEARCH_RULES: Rules = {
  ...SHARED,
  query: "query",
  max_results: whole("num_results", 1, RESULTS_MAX),
  include_domains: put("include_domains", toDomains),
  exclude_domains: put("exclude_domains", toDomains),
  country: "location",
  topic: choice("type", { general: "web", news: "news" }),
  time_range: choice("time_range", RANGES),
  days: whole("from", 1, 3_650, (days) => new Date(now() - days * DAY_MS).toISOString().slice(0, 10)),
  start_date: put("from", (value) => value),
  end_date: put("to", (value) => value),
  safe_search: flag({ safe_search: "strict" }),
  include_raw_content: choose({
    true: { raw: "markdown" },
    false: {},
    markdown: { raw: "markdown" },
    text: { raw: "text" },
  }),
  search_depth: null,
  timeout: null,
  ...refuse(["auto_parameters"], "Set the parameters.", false),
  ...refuse(["include_answer"], "The service writes no answers. Pass the results to a model.", false),
  ...refuse(["include_images", "include_image_descriptions"], "Use POST /v1/serp with the type images.", false),
  ...refuse(["exact_match"], "Put the words into quotation marks.", false),
};
const EXTRACT_RULES: Rules = {
  ...SHARED,
  urls: put("urls", (value, path) => as(z.array(z.string()).min(1).max(MAX_URLS), [value].flat(), path)),
  format: put("formats", (value, path) => [as(z.enum(["markdown", "text"]), value, path)]),
  timeout: put("timeout_ms", (value, path) =>
    Math.min(Math.round(as(z.number().min(1), value, path) * SECOND_MS), SYNC_WAIT_MS - TIMEOUT_MARGIN_MS),
  ),
  extract_depth: null,
  query: { refused: "The whole content of each page is returned." },
  include_images: flag({ images: true }),
};
const SEARCH_NAMES = new Map([
  ...toNames(SEARCH_RULES),
  ["time_range.from", "start_date"],
  ["time_range.to", "end_date"],
]);
const EXTRACT_NAMES = new Map([...toNames(EXTRACT_RULES, { ours: "defaults." }), ["requests.*.url", "urls.*"]]);

function toDomains(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

export const tavily = createDoor("tavily", respondError);
tavily.use(authenticateAt({}));

tavily.post("/search", requireScope(["serp"]), ...jsonBody, async (c) => {
  const { api_key: _, ...given } = await c.req.json();
  const { raw, from, to, ...fields } = translate(given, SEARCH_RULES).fields;
  const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const hasRange = from !== undefined || to !== undefined;
  const body = { num_results: RESULTS_DEFAULT, blocks: [], ...fields, ...(hasRange && { time_range: range }) };
  const options = { render: "auto", formats: [raw] };
  if (raw !== undefined) await checkPages(c, options, SEARCH_NAMES);
  const { jobId, data } = await submitAndWait(c, "serp", body, SEARCH_NAMES);
  const { organic, news = [] } = data as unknown as SerpData;
  const found = [...organic, ...news];
  const urls = raw === undefined ? [] : found.flatMap(({ url }) => url ?? []);
  const { pageOf } = await scrapeAll(c, urls, { options, names: SEARCH_NAMES });
  const results = found.map(({ title, url = "", snippet, date }, index) => ({
    title,
    url,
    content: snippet ?? "",
    score: Math.round((1 - index * SCORE_STEP) * 100) / 100,
    raw_content: pageOf.get(url)?.result?.[String(raw)] ?? null,
    ...(date !== undefined && { published_date: date }),
  }));
  const answer = { query: given.query, follow_up_questions: null, answer: null, images: [], results };
  return c.json({ ...answer, ...toFacts(c), job_id: jobId });
});

tavily.post("/extract", requireScope(["scrape"]), ...jsonBody, async (c) => {
  const { api_key: _, ...given } = await c.req.json();
  const {
    urls: list,
    images,
    formats = ["markdown"],
    ...fields
  } = translate({ ...given, urls: given.urls ?? [] }, EXTRACT_RULES).fields;
  const urls = [...new Set((list as string[]).map((url) => String(withScheme(url))))];
  const [format] = formats as string[];
  const options = { render: "auto", ...fields, formats: [format, ...(images ? ["images"] : [])] };
  const { batch, pageOf } = await scrapeAll(c, urls, { options, names: EXTRACT_NAMES });
  const results: object[] = [];
  const failed_results: object[] = [];
  for (const url of urls) {
    const { result = null, job } = pageOf.get(url) ?? {};
    const found = Array.isArray(result?.images) ? result.images.map((image) => image.url) : [];
    if (result === null) failed_results.push({ url, error: job?.error?.message ?? NOT_INCLUDED });
    else results.push({ url, raw_content: result[String(format)] ?? "", images: found });
  }
  return c.json({ results, failed_results, ...toFacts(c), job_id: batch?.id });
});

function toFacts(c: DoorContext) {
  return { response_time: (now() - c.get("startedAt")) / SECOND_MS, request_id: c.get("requestId") };
}

function respondError(c: DoorContext, { status, message, members }: DoorError): Response {
  // Tavily's status for an exhausted plan.
  const shown = status === 402 ? 432 : status;
  return c.json({ detail: { error: message }, ...members }, shown as 400);
}
