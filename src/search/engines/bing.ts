import { COUNTRY_CODE, isTraditionalChinese, languageOf, type SearchLocale, toLanguageParts } from "../places/locale";
import { withParameters } from "../results/links";
import type { SearchQuery } from "../results/result-page";
import { BING_HOST, BING_RESULTS_PER_PAGE, readBingFeed, readBingLink, readBingPage } from "./bing-page";
import type { Cookie, SearchEngine } from "./search-engine";

const SEARCH_URL = "https://www.bing.com/search";

/** The definition of Bing. Its RSS feed has about ten results per page, in almost the same order as the pages. */
export const bing: SearchEngine = {
  label: "Bing",
  hosts: BING_HOST,
  resultPages: { host: /^(?:[a-z]+\.)?bing\.com$/, path: /^\/search\/?$/ },
  blockPages: {
    host: /^(?:consent|sorry|ipv[46]|accounts)\.bing\.|^(?:login|account)\.(?:live|microsoft)\.com$/,
    path: null,
  },
  interstitial: null,
  servesOffTopic: true,
  sources: [
    { name: "plain", takesPlace: true, pageUrl: toPageUrl, readPage: readBingPage },
    { name: "browser", takesPlace: true, pageUrl: toPageUrl, readPage: readBingPage },
    { name: "rss", takesPlace: true, pageUrl: toFeedUrl, readPage: readBingFeed },
  ],
  apis: ["serpapi"],
  queryParameter: "q",
  baseUrl: SEARCH_URL,
  readySelector: "#b_results > li, .captcha, #turnstile-widget, .cf-turnstile",
  cookies: toCookies,
  searchUrl: toSearchUrl,
  readPage: readBingPage,
  readLink: readBingLink,
};

function toSearchUrl(query: SearchQuery, page: number): string {
  const { market, country, language } = bingMarket(query);
  return withParameters(SEARCH_URL, {
    q: query.text,
    mkt: market,
    cc: country,
    setlang: language,
    adlt: "off",
    // Without these parameters, Bing returns the first page again.
    first: page > 0 ? String(page * BING_RESULTS_PER_PAGE + 1) : undefined,
    FORM: page > 0 ? `PERE${page > 1 ? page - 1 : ""}` : undefined,
    pq: page > 0 ? query.text : undefined,
  });
}

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
