import { DAY_MS } from "../../model/limits";
import { COUNTRY_CODE, isTraditionalChinese, languageOf, type SearchLocale, toLanguageParts } from "../places/locale";
import { withParameters } from "../results/links";
import type { SearchQuery, TimeRange } from "../results/result-page";
import { BING, BING_HOST, BING_RESULTS_PER_PAGE, readBingFeed, readBingPage } from "./bing-page";
import type { Cookie, OtherType, SearchEngine } from "./search-engine";

const SEARCH_URL = "https://www.bing.com/search";

/** The definition of Bing. Its RSS feed has about ten results per page, in almost the same order as the pages. */
export const bing: SearchEngine = {
  label: "Bing",
  hosts: BING_HOST,
  resultPages: { host: /^(?:[a-z]+\.)?bing\.com$/, path: /^\/(?:(?:news|images|videos)\/)?search\/?$/ },
  blockPages: {
    host: /^(?:consent|sorry|ipv[46]|accounts)\.bing\.|^(?:login|account)\.(?:live|microsoft)\.com$/,
    path: null,
  },
  interstitial: null,
  servesOffTopic: true,
  sources: [
    { name: "plain", lacks: [], pageUrl: toPageUrl, readPage: readBingPage },
    { name: "browser", lacks: [], pageUrl: toPageUrl, readPage: readBingPage },
    { name: "rss", lacks: ["time_range", "news", "images", "videos"], pageUrl: toFeedUrl, readPage: readBingFeed },
  ],
  apis: ["serpapi"],
  types: {
    news: { maxResults: 10, timeRanges: ["day", "week", "month"] },
    images: { maxResults: 35, timeRanges: ["day", "week", "month", "year"] },
    videos: { maxResults: 35, timeRanges: ["day", "week", "month", "year"] },
  },
  or: "OR",
  queryParameter: "q",
  baseUrl: SEARCH_URL,
  readySelector: "#b_results > li, .captcha, #turnstile-widget, .cf-turnstile",
  cookies: toCookies,
  searchUrl: toSearchUrl,
  readPage: readBingPage,
  page: BING,
};

function toSearchUrl(query: SearchQuery, page: number): string {
  const { market, country, language } = bingMarket(query);
  const { type = "web", timeRange, safeSearch = "off" } = query;
  return withParameters(type === "web" ? SEARCH_URL : SEARCH_URL.replace("search", `${type}/search`), {
    q: query.text,
    mkt: market,
    cc: country,
    setlang: language,
    adlt: safeSearch,
    filters: type === "web" ? timeRange && bingTime(timeRange) : undefined,
    qft: timeRange?.unit && type !== "web" ? TYPE_TIMES[type](timeRange.unit) : undefined,
    // Without these parameters, Bing returns the first page again.
    first: page > 0 ? String(page * BING_RESULTS_PER_PAGE + 1) : undefined,
    FORM: page > 0 ? `PERE${page > 1 ? page - 1 : ""}` : undefined,
    pq: page > 0 ? query.text : undefined,
  });
}

/** Returns the `filters` parameter. It counts days since 1970, and has no earlier days. */
export function bingTime({ unit, from, to }: TimeRange): string {
  const days = [from, to].map((date) => Math.max(0, Date.parse(date) / DAY_MS));
  return `ex1:"${unit === null || unit === "year" ? `ez5_${days.join("_")}` : CODES[unit]}"`;
}

const CODES = { day: "ez1", week: "ez2", month: "ez3" } as const;

type TimeUnit = NonNullable<TimeRange["unit"]>;
const MINUTES: { readonly [U in TimeUnit]: number } = { day: 1_440, week: 10_080, month: 43_200, year: 525_600 };
const INTERVALS: { readonly [U in TimeUnit]?: string } = { day: "7", week: "8", month: "9" };

/** Returns the `qft` parameter for each type. */
const TYPE_TIMES: { readonly [T in OtherType]: (unit: TimeUnit) => string } = {
  news: (unit) => `interval="${INTERVALS[unit]}"`,
  images: (unit) => `+filterui:age-lt${MINUTES[unit]}`,
  videos: (unit) => `+filterui:videoage-lt${MINUTES[unit]}`,
};

/** Returns the URL of a page. Prefers the previous page's link, because Bing's pages differ in length. */
function toPageUrl(query: SearchQuery, page: number, next: string | null): string {
  return next ?? toSearchUrl(query, page);
}

function toFeedUrl(query: SearchQuery, page: number): string {
  return withParameters(toSearchUrl(query, page), { format: "rss" });
}

function toCookies(query: SearchQuery): Cookie[] {
  const { market, language } = bingMarket(query);
  if (!market) return [];
  const tag = market.toLowerCase();
  const ui = language?.toLowerCase() ?? tag;
  return [
    { name: "_EDGE_S", value: `mkt=${tag}&ui=${ui}` },
    { name: "_EDGE_CD", value: `m=${tag}&u=${ui}` },
  ];
}

interface BingMarket {
  /** The `mkt` parameter: one of the country's languages and the country, such as tr-TR. */
  market: string | undefined;
  /** The `cc` parameter: an ISO country code. */
  country: string | undefined;
  /** The `setlang` parameter: the language of dates, counts and notices. */
  language: string | undefined;
}

/** Returns Bing's parameters. Bing ignores unknown markets, so `market` has a language of the country. */
export function bingMarket(locale: SearchLocale): BingMarket {
  const country = locale.place?.country;
  const requested = locale.language ? toLanguageParts(locale.language) : null;
  const code = country?.code ?? (COUNTRY_CODE.test(requested?.region ?? "") ? requested?.region : undefined);
  const own = country?.languages.map(toLanguageParts);
  const spoken = own ? (own.find(({ language }) => language === requested?.language) ?? own[0]) : requested;
  return {
    market: spoken && code ? `${spoken.language}-${code}` : undefined,
    country: code,
    language: interfaceLanguage(languageOf(locale)),
  };
}

function interfaceLanguage(tag: string | null): string | undefined {
  if (tag === null) return undefined;
  const parts = toLanguageParts(tag);
  if (parts.language === "zh") return isTraditionalChinese(parts) ? "zh-Hant" : "zh-Hans";
  return parts.language === "pt" ? (parts.region === "PT" ? "pt-PT" : "pt-BR") : parts.language;
}
