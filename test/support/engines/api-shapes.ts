// The documented request parameters of the search APIs. The APIs reject other requests with status 400.
import type { ApiCall } from "./exchange.ts";

type Json = Record<string, unknown>;
type Check = (value: unknown, all: Json) => boolean;

/**
 * Returns the rule that a request breaks, or null if the request is valid. For SerpApi, `body` has the URL's
 * parameters.
 */
export function brokenRule({ api, method, headers, body }: Pick<ApiCall, "api" | "method" | "headers" | "body">) {
  if (method !== (api === "serpapi" ? "GET" : "POST")) return "method: not allowed";
  if (api !== "serpapi" && !headers["content-type"]?.startsWith("application/json"))
    return "content-type: must be JSON";
  if (!isObject(body)) return "body: must be a JSON object";
  if (api === "serper") return findInvalidMember(body, SERPER, ["q"]);
  if (api === "yandex_api") return findInvalidMember(body, YANDEX, ["query", "folderId"]);
  const parameters = { google: SERPAPI_GOOGLE, bing: SERPAPI_BING, yandex: SERPAPI_YANDEX }[String(body.engine)];
  if (parameters === undefined) return "engine: unsupported";
  return findInvalidMember(body, { ...SERPAPI, ...parameters }, ["api_key", body.engine === "yandex" ? "text" : "q"]);
}

const text: Check = (value) => typeof value === "string" && value !== "";
const longest =
  (max: number): Check =>
  (value) =>
    text(value, {}) && String(value).length <= max;
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(String(value));
/** Accepts an integer in this range, as a number or a string of digits. */
const between =
  (min: number, max: number): Check =>
  (value) =>
    /^\d+$/.test(String(value)) && Number(value) >= min && Number(value) <= max;
const form =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value);
const part =
  (checks: Record<string, Check>, required: string[] = []): Check =>
  (value) =>
    isObject(value) && findInvalidMember(value, checks, required) === null;

/** https://yandex.cloud/en/docs/search-api/concepts/web-search */
const YANDEX: Record<string, Check> = {
  query: part(
    {
      searchType: oneOf(...["RU", "TR", "COM", "KK", "BE", "UZ"].map((name) => `SEARCH_TYPE_${name}`)),
      queryText: longest(400),
      familyMode: oneOf("FAMILY_MODE_MODERATE", "FAMILY_MODE_NONE", "FAMILY_MODE_STRICT"),
      page: between(0, 1_000),
      fixTypoMode: oneOf("FIX_TYPO_MODE_ON", "FIX_TYPO_MODE_OFF"),
    },
    ["searchType", "queryText"],
  ),
  groupSpec: part({
    groupMode: oneOf("GROUP_MODE_DEEP", "GROUP_MODE_FLAT"),
    groupsOnPage: between(1, 100),
    docsInGroup: between(1, 3),
  }),
  maxPassages: between(1, 5),
  // Only the Russian and Turkish search types support `region`.
  region: (value, all) => form(/^\d{1,100}$/)(value, all) && /_(?:RU|TR)$/.test(typeOf(all)),
  l10n: (value, all) =>
    oneOf(
      ...(
        { SEARCH_TYPE_RU: ["RU", "BE", "KK", "UK"], SEARCH_TYPE_TR: ["TR"], SEARCH_TYPE_COM: ["EN"] }[typeOf(all)] ?? []
      ).map((name) => `LOCALIZATION_${name}`),
    )(value, all),
  folderId: longest(50),
  responseFormat: oneOf("FORMAT_XML", "FORMAT_HTML"),
  userAgent: longest(300),
};

function typeOf({ query }: Json): string {
  return isObject(query) ? String(query.searchType) : "";
}

/** https://serper.dev/playground */
const SERPER: Record<string, Check> = {
  q: longest(2_048),
  gl: form(/^[a-z]{2}$/),
  hl: form(/^[a-z]{2,3}(-[a-z0-9]{2,4})?$/),
  location: text,
  page: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  num: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 100,
  autocorrect: (value) => typeof value === "boolean",
  tbs: text,
};

/** https://serpapi.com/search-api, /bing-search-api and /yandex-search-api */
const SERPAPI: Record<string, Check> = {
  engine: text,
  api_key: text,
  device: oneOf("desktop", "mobile", "tablet"),
  no_cache: oneOf("true", "false"),
};
const SERPAPI_GOOGLE: Record<string, Check> = {
  tbm: oneOf("nws", "isch", "vid"),
  tbs: text,
  safe: oneOf("active", "off"),
  q: text,
  // SerpApi calls Great Britain `uk`.
  gl: (value, all) => form(/^[a-z]{2}$/)(value, all) && value !== "gb",
  hl: form(/^[a-z]{2,3}(-[a-z0-9]{2,4})?$/),
  location: (value, all) => text(value, all) && !("uule" in all),
  start: between(0, 1_000),
  ijn: between(0, 100),
};
const SERPAPI_BING: Record<string, Check> = {
  q: text,
  mkt: (value, all) => form(/^[a-z]{2,3}-[A-Z]{2}$/i)(value, all) && !("cc" in all),
  cc: form(/^[a-z]{2}$/i),
  location: text,
  safeSearch: oneOf("Off", "Moderate", "Strict"),
  filters: text,
  first: between(1, 1_000),
};
const SERPAPI_YANDEX: Record<string, Check> = {
  text,
  yandex_domain: form(/^yandex\.(?:com|ru|com\.tr|kz|by|uz)$/),
  lang: form(/^[a-z]{2}$/),
  lr: (value, all) => form(/^\d+$/)(value, all) && /\.(?:ru|com\.tr)$/.test(String(all.yandex_domain)),
  p: between(0, 100),
};

function findInvalidMember(body: Json, checks: Record<string, Check>, required: string[]): string | null {
  for (const name of required) if (!(name in body)) return `${name}: missing`;
  for (const [name, value] of Object.entries(body)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return `${name}: unknown`;
    if (!check(value, body)) return `${name}: invalid`;
  }
  return null;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
