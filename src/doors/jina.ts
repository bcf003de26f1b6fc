// The interface of Jina's reader (`/r/{url}`) and search (`/s/{query}`).
import { z } from "zod";
import { invalidParameter } from "../contract/invalid-request";
import type { ScrapeData } from "../contract/scrape";
import type { SerpData } from "../contract/serp";
import { respondWithText } from "../http/responses";
import { limitBody, requireJson } from "../http/router";
import { toMeta } from "../jobs/read-job";
import { requireScope } from "../keys/middleware";
import { AppError } from "../model/errors";
import type { JobMeta } from "../model/job";
import { CAPTURE_MAX_AGE_S, SECOND_MS, SERP_PAGE_MAX, SYNC_WAIT_MS, TIMEOUT_MARGIN_MS } from "../model/limits";
import { estimateTokens } from "../text-view/tokens";
import {
  as,
  authenticateAt,
  checkPages,
  choice,
  createDoor,
  type DoorContext,
  type DoorError,
  type Names,
  NOT_INCLUDED,
  put,
  type Rules,
  refuse,
  scrapeAll,
  submitAndWait,
  type Translation,
  toNames,
  translate,
  whole,
} from "./door";
import { withScheme } from "./firecrawl/scrape-options";
import { toWarnings } from "./forms/firecrawl";

/** The number and the name of Jina's errors by HTTP status. */
const ERRORS: Readonly<Record<number, readonly [number: number, name: string]>> = {
  400: [40001, "ParamValidationError"],
  401: [40102, "AuthenticationFailedError"],
  402: [40203, "InsufficientBalanceError"],
  403: [40301, "AuthorizationError"],
  408: [40802, "DeadlineExceededError"],
  422: [42206, "AssertionFailureError"],
  429: [42903, "RateLimitTriggeredError"],
  451: [45102, "SecurityCompromiseError"],
  500: [50001, "InternalServerError"],
  501: [50105, "NotImplementedError"],
  503: [50301, "ServiceUnavailableError"],
};

const MISSING_KEY = [40103, "AuthenticationRequiredError"] as const;

const MAX_TIMEOUT_S = 180;
/** The number of search results by default, and at most. */
const RESULTS_DEFAULT = 5;
const RESULTS_MAX = 20;

/** Jina's formats of a page, with ours. */
const FORMATS = {
  content: "markdown",
  markdown: "markdown",
  html: "html",
  text: "text",
  screenshot: "screenshot",
  pageshot: "screenshot",
} as const;
type Format = keyof typeof FORMATS;

/** Returns one text or several as a list. */
const toList = (value: unknown, path: string) => as(z.array(z.string()), [value].flat(), path);
const toMember = (header: string) => header.slice(2, 3).toLowerCase() + header.slice(3).replaceAll("-", "");

const RespondWith = put("formats", (value, path) => {
  const names = toList(value, path)
    .join("+")
    .toLowerCase()
    .split(/[+,]\s*/);
  const known = Object.keys(FORMATS);
  const unknown = names.find((name) => !known.includes(name) && name !== "no-content");
  if (unknown === "readerlm-v2" || unknown === "vlm")
    throw invalidParameter(path, `must not be '${unknown}', because the service converts pages without a model`);
  if (unknown !== undefined) throw invalidParameter(path, `must be one of ${known.join(", ")}`, { given: unknown });
  return names;
});

/** Returns the cookies of a Set-Cookie header. Several cookies in one header are separated by commas. */
const SetCookie = put("cookies", (value, path) =>
  toList(value, path)
    .flatMap((text) => text.split(/,(?=[^;,]+=)/))
    .map((cookie) => {
      const [[name, content = ""] = [], ...attributes] = cookie.split(";").map((part) => part.trim().split(/=(.*)/s));
      const find = (key: string) => attributes.find(([each]) => each?.toLowerCase() === key)?.[1];
      const [domain, path] = [find("domain"), find("path")];
      return { name, value: content, ...(domain && { domain }), ...(domain && path && { path }) };
    }),
);

const Flag = (ours: string) => choice(ours, { true: "true", all: "true", 1: "true", false: "", 0: "" });
const PAGE_ADVICE = "Use POST /v1/scrape or POST /v1/parse.";
/** Values of a refused option that ask for nothing. */
const OFF = [false, "false"];

/** Jina's headers. A JSON body has the same options with other names, such as targetSelector. */
const RULES: Rules = {
  "X-Return-Format": RespondWith,
  "X-Respond-With": RespondWith,
  "X-Target-Selector": put("include_selectors", toList),
  "X-Remove-Selector": put("exclude_selectors", toList),
  "X-Wait-For-Selector": put("wait_for", (value, path) => toList(value, path).join(", ")),
  "X-With-Links-Summary": Flag("links"),
  "X-With-Images-Summary": Flag("images"),
  "X-Cache-Tolerance": whole("max_age", 0, Number.MAX_SAFE_INTEGER, (age) => Math.min(age, CAPTURE_MAX_AGE_S)),
  "X-No-Cache": Flag("noCache"),
  "X-Timeout": whole("timeout_ms", 1, MAX_TIMEOUT_S, (seconds) =>
    Math.min(seconds * SECOND_MS, SYNC_WAIT_MS - TIMEOUT_MARGIN_MS),
  ),
  "X-Set-Cookie": SetCookie,
  "X-User-Agent": "user_agent",
  "X-Referer": put("headers", (value) => ({ Referer: value })),
  "X-Locale": "locale",
  "X-Proxy": put("proxy_country", (value) =>
    value === "auto" || value === "none" ? undefined : String(value).toUpperCase(),
  ),
  "X-Engine": choice("render", { direct: "never", curl: "never", browser: "always", auto: "auto", default: "auto" }),
  "X-Base": null,
  ...refuse(["X-Preset"], "Set the options.", "default", "defaults"),
  "X-Retain-Images": choice("noImages", { all: "", none: "true" }),
  ...refuse(["X-Retain-Links", "X-Retain-Media"], "Use X-Remove-Selector.", "all"),
  ...refuse(["X-With-Generated-Alt"], "Images keep the alternative text of the page.", ...OFF),
  ...refuse(["X-Token-Budget", "X-Max-Tokens"], "The service returns whole pages.", ...OFF),
  ...refuse(["X-Markdown-Chunking"], "Split the markdown at its headings.", ...OFF),
  ...refuse(["X-Keep-Img-Data-Url"], "Images in data URLs aren't part of the markdown.", ...OFF),
  ...refuse(["X-Proxy-Url"], "Use X-Proxy with a country.", ...OFF),
  ...refuse(
    ["X-With-Iframe", "X-With-Shadow-Dom"],
    "Rendered pages include frames and shadow roots that are shown.",
    ...OFF,
  ),
  ...refuse(
    ["X-Respond-Timing", "X-Detach-Invisibles", "X-Remove-Overlay"],
    "Use X-Wait-For-Selector or X-Remove-Selector.",
    ...OFF,
  ),
  ...refuse(["X-With-Favicon", "X-With-Favicons"], "Use POST /v1/scrape with the format metadata.", ...OFF),
  ...refuse(["X-Instruction", "X-Json-Schema", "X-Viewport"], PAGE_ADVICE),
  ...refuse(["X-Robots-Txt"], "Single pages are requested without robots.txt. A crawl follows it.", ...OFF),
};

/** The options of a JSON body or a form. */
const MEMBERS: Rules = {
  url: "url",
  ...Object.fromEntries(Object.entries(RULES).map(([header, rule]) => [toMember(header), rule])),
  ...refuse(["html", "pdf", "file", "injectPageScript", "injectFrameScript"], PAGE_ADVICE),
};

const Engine = choice("engine", { google: "google", bing: "bing" });
/** The parameters of a search: those of the URL or of the body. */
const SEARCH_RULES: Rules = {
  q: put("query", (value, path) => as(z.string(), value, path)),
  num: whole("num_results", 1, RESULTS_MAX),
  count: whole("num_results", 1, RESULTS_MAX),
  page: whole("page", 1, SERP_PAGE_MAX),
  gl: put("country", (value) => value),
  hl: "language",
  location: "location",
  site: put("sites", toList),
  provider: Engine,
  engine: Engine,
  type: { refused: "Only web results have pages.", except: ["web"] },
};

const READ_NAMES = {
  GET: new Map([...toNames(MEMBERS), ...toNames(RULES), ["store", "DNT"]]),
  POST: new Map([...toNames(RULES), ...toNames(MEMBERS), ["store", "DNT"]]),
};

export const jinaReader = createDoor("jina", respondError);
export const jinaSearch = createDoor("jina", respondError);
for (const door of [jinaReader, jinaSearch]) door.use(authenticateAt({}));
const METHODS = ["GET", "POST"];

jinaReader.on(METHODS, "/:target{.*}", requireScope(["scrape"]), limitBody, async (c) => {
  const names = READ_NAMES[c.req.method === "POST" ? "POST" : "GET"];
  const { url: given, ...options } = await readBody(c);
  const { formats, request } = toRequest(translate(options, MEMBERS, { to: translateHeaders(c) }));
  if (formats.length === 0) throw invalidParameter(names.get("formats") ?? "", "can be no-content only in a search");
  const url = typeof given === "string" ? withScheme(given) : readTarget(c);
  const { jobId, data, meta, discard } = await submitAndWait(c, "scrape", { ...request, url }, names);
  const page = toPage(data, { url, meta, formats });
  const picture = page.screenshotUrl ?? page.pageshotUrl;
  if (meta.outcome !== "ok" && ![page.content, page.text, page.html, picture].some(Boolean))
    throw new AppError("unusable_page", toWarnings(meta)[0] ?? "The page has no content.", { jobId });
  const type = toType(c);
  if (type === "text/plain" && formats.length === 1 && picture !== undefined) return c.redirect(String(picture), 302);
  return respond(c, { data: page, usage: page.usage, jobId, text: toText(page) }, discard);
});

jinaSearch.on(METHODS, "/:query{.*}", requireScope(["serp"]), limitBody, async (c) => {
  const query = Object.entries(c.req.queries()).map(([name, all]) => [name, all.length === 1 ? all[0] : all] as const);
  const words = c.req.param("query") ?? "";
  const header = c.req.header("x-site")?.split(/,\s*/);
  const given = Object.entries({
    ...(words !== "" && { q: words }),
    ...(header && { site: header }),
    ...Object.fromEntries(query),
    ...(await readBody(c)),
  });
  const isOption = (name: string) =>
    name !== "url" && Object.hasOwn(MEMBERS, name) && !Object.hasOwn(SEARCH_RULES, name);
  const options = Object.fromEntries(given.filter(([name]) => isOption(name)));
  const { fields } = translate(Object.fromEntries(given.filter(([name]) => !isOption(name))), SEARCH_RULES);
  const page = toRequest(translate(options, MEMBERS, { to: translateHeaders(c) }));
  const { country, location = country, query: text, sites = [], ...others } = fields;
  const names = new Map([
    ...READ_NAMES[c.req.method === "POST" ? "POST" : "GET"],
    ...toNames(SEARCH_RULES),
    ["location", fields.location === undefined ? "gl" : "location"],
  ]);
  if (page.formats.length > 0) await checkPages(c, page.request, names);
  // Jina also adds an operator to the query.
  const site = (sites as string[]).map((host) => `site:${host}`).join(" OR ");
  const body = {
    num_results: RESULTS_DEFAULT,
    ...others,
    ...(text !== undefined && { query: site.includes(" ") ? `${text} (${site})` : `${text} ${site}`.trim() }),
    ...(location !== undefined && { location }),
    blocks: [],
  };
  const { jobId, data, meta } = await submitAndWait(c, "serp", body, names);
  const { organic } = data as unknown as SerpData;
  if (organic.length === 0) throw new AppError("unusable_page", "The search has no results.", { jobId });
  const results = await readResults(c, organic, { ...page, names });
  const [first] = results;
  if (meta.query_changed && first) first.warning = "The engine ignored an operator of the query.";
  const usage = { tokens: results.reduce((sum, each) => sum + each.usage.tokens, 0) };
  return respond(c, { data: results, usage, jobId, text: results.map(toResultText).join("\n\n") });
});

/**
 * Returns the URL of a page, which is the rest of the request's URL with its query. It can be percent-encoded, without a
 * scheme, or without one slash of `//`.
 */
function readTarget(c: DoorContext): unknown {
  const { pathname, search } = new URL(c.req.url);
  const path = pathname.slice("/r/".length);
  const target = (/^[^/]*%(?:3a|2f)/i.test(path) ? (c.req.param("target") ?? "") : path) + search;
  return withScheme(target.replace(/^(https?):\/*(?=[^/])/i, "$1://"));
}

async function readBody(c: DoorContext): Promise<Record<string, unknown>> {
  if (c.req.method !== "POST") return {};
  if (/^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(c.req.header("content-type") ?? "")) {
    return await c.req.parseBody().catch((cause) => {
      throw new AppError("invalid_request", "The body isn't a valid form.", { cause });
    });
  }
  await requireJson(c, async () => {});
  return await c.req.json();
}

function translateHeaders(c: DoorContext): Translation {
  const names = Object.keys(RULES).filter((name) => c.req.header(name) !== undefined);
  const to = translate(Object.fromEntries(names.map((name) => [name, c.req.header(name)])), RULES);
  const style = [...c.req.raw.headers.keys()].find((name) => /^x-(?:md-|no-gfm$)/.test(name));
  if (style !== undefined) throw invalidParameter(style, "isn't supported here. The service has one style of markdown");
  if (c.req.header("dnt") === "1") to.fields.store = false;
  return to;
}

/** Returns Jina's formats, and our request without its URL. */
function toRequest({ fields }: Translation) {
  const { formats: given = ["content"], links, images, noCache, noImages, ...options } = fields;
  const formats = (given as string[]).filter((name): name is Format => Object.hasOwn(FORMATS, name));
  const isWhole = !formats.includes("content") && formats.some((name) => name === "markdown" || name === "text");
  const ours = ["metadata", ...(links ? ["links"] : []), ...(images ? ["images"] : [])];
  const request: Record<string, unknown> = {
    render: "auto",
    ...options,
    ...(isWhole && { only_main_content: false }),
    formats: [...new Set([...formats.map((name) => FORMATS[name]), ...ours])],
  };
  const excluded = (options.exclude_selectors ?? []) as string[];
  if (noImages) request.exclude_selectors = [...excluded, "img, picture, svg"];
  const pictures = formats.filter((name) => FORMATS[name] === "screenshot");
  if (pictures.length > 1) throw invalidParameter("X-Respond-With", "must not be both screenshot and pageshot");
  if (pictures.length > 0) request.screenshot = { full_page: pictures[0] === "pageshot" };
  // Our API keeps no copies of such pages, so they are always loaded.
  const isPrivate = options.headers !== undefined || options.cookies !== undefined;
  if (noCache || isPrivate || pictures.length > 0) delete request.max_age;
  return { formats, request };
}

interface Page {
  [member: string]: unknown;
  usage: { tokens: number };
}

/** Returns a page in Jina's form. */
function toPage(
  result: Record<string, unknown>,
  { url, meta, formats }: { url: unknown; meta: JobMeta; formats: readonly Format[] },
): Page {
  const { markdown, html, text, metadata, links, images, screenshot_url: picture } = result as Partial<ScrapeData>;
  const warning = toWarnings(meta).join(" ");
  const hasContent = formats.includes("content") || formats.includes("markdown");
  return {
    title: metadata?.title ?? "",
    description: metadata?.description ?? "",
    url: metadata?.url ?? url,
    publishedTime: metadata?.published_time,
    ...(warning !== "" && { warning }),
    ...(hasContent && { content: markdown ?? "" }),
    text,
    html,
    screenshotUrl: formats.includes("screenshot") ? picture : undefined,
    pageshotUrl: formats.includes("pageshot") ? picture : undefined,
    links: links && Object.fromEntries(links.map((link) => [link.text || link.url, link.url])),
    images: images && Object.fromEntries(images.map(({ alt, url }, index) => [`Image ${index + 1}: ${alt}`, url])),
    usage: { tokens: estimateTokens(markdown ?? text ?? html ?? "") },
  };
}

/** Returns a page as text. Only the main content has a head of lines. */
function toText({ title, url, publishedTime, warning, content, text, html, links, images }: Page): string {
  const lines = [
    `Title: ${title}`,
    `URL Source: ${url}`,
    ...(publishedTime === undefined ? [] : [`Published Time: ${publishedTime}`]),
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
    `Markdown Content:\n${content}`,
  ];
  const toList = (named: unknown, mark: string) =>
    Object.entries(named ?? {}).map(([name, address]) => `- ${mark}[${name}](${address})`);
  return [
    ...(content === undefined ? [] : lines),
    ...[text, html].filter((each) => each !== undefined),
    ...(images === undefined ? [] : [`Images:\n${toList(images, "!").join("\n")}`]),
    ...(links === undefined ? [] : [`Links/Buttons:\n${toList(links, "").join("\n")}`]),
  ].join("\n\n");
}

/** Scrapes the pages of search results, unless no format was requested, and returns them in Jina's form. */
async function readResults(
  c: DoorContext,
  organic: SerpData["organic"],
  { formats, request, names }: ReturnType<typeof toRequest> & { names: Names },
): Promise<Page[]> {
  const urls = formats.length === 0 ? [] : organic.map(({ url }) => url);
  const { pageOf } = await scrapeAll(c, urls, { options: request, names });
  return organic.map(({ title, url, description }) => {
    const page = pageOf.get(url);
    const job = page?.job ?? null;
    const found = { title, url, description };
    if (formats.length === 0) return { ...found, usage: { tokens: 0 } };
    if (!page?.result || job === null)
      return { ...found, warning: job?.error?.message ?? NOT_INCLUDED, usage: { tokens: 0 } };
    return { ...toPage(page.result, { url, meta: toMeta(job), formats }), ...found };
  });
}

function toResultText({ title, url, description, ...page }: Page, index: number): string {
  const mark = `[${index + 1}]`;
  const lines = [`${mark} Title: ${title}`, `${mark} URL Source: ${url}`, `${mark} Description: ${description}`];
  if (page.warning !== undefined) lines.push(`${mark} Warning: ${page.warning}`);
  const content = page.content ?? page.text ?? page.html;
  return content === undefined ? lines.join("\n") : `${lines.join("\n")}\n\n${content}`;
}

/** Returns the media type of the response. Jina's clients get text unless they accept only another type. */
function toType(c: DoorContext): "application/json" | "text/event-stream" | "text/plain" {
  const accepted = c.req.header("accept") ?? "";
  if (/^application\/json\s*(?:;[^,]*)?$/i.test(accepted)) return "application/json";
  return accepted.includes("text/event-stream") ? "text/event-stream" : "text/plain";
}

/** Responds in the media type that the caller accepts. `text` is the answer as text. */
function respond(
  c: DoorContext,
  { data, usage, jobId, text }: { data: unknown; usage: Page["usage"]; jobId: string; text: string },
  discard = async () => {},
): Response {
  const type = toType(c);
  const json = { code: 200, status: 20_000, data, meta: { usage }, job_id: jobId };
  const other = () =>
    type === "application/json" ? JSON.stringify(json) : `event: data\ndata: ${JSON.stringify(data)}\n\n`;
  const body = type === "text/plain" ? text : other();
  return respondWithText(c, { jobId, text: body, type: `${type}; charset=utf-8` }, discard);
}

function respondError(c: DoorContext, { code, status, message, members }: DoorError): Response {
  const isTimeout = code === "target_timeout" || code === "job_timeout";
  const isPage = members.job_id !== undefined && status >= 422 && status !== 429 && status < 500;
  const shown = isTimeout ? 408 : code === "invalid_target" ? 451 : status === 502 || isPage ? 422 : status;
  const isMissing = code === "missing_api_key";
  const [number, name] = isMissing ? MISSING_KEY : (ERRORS[shown] ?? [shown * 100 + 1, "ApplicationError"]);
  const given = { data: null, code: shown, status: number, name, message, readableMessage: `${name}: ${message}` };
  return c.json({ ...given, ...members }, shown as 400);
}
