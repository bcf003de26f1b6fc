import type { Element } from "domhandler";
import { getElementsByTagName, textContent } from "domutils";
import { parseDocument } from "htmlparser2";
import { z } from "zod";
import { fromBase64 } from "../../lib/crypto";
import { SERP_RESULTS_MAX } from "../../model/limits";
import { YANDEX_API_RESULTS_MAX } from "../../model/search-limits";
import { BROWSER_PROFILES } from "../engines/browser-profile";
import { yandexLanguage, yandexRegion } from "../engines/yandex";
import { DeclaredResult } from "../results/declared";
import { SearchFailure, toFormFailure } from "./request";
import { parseApiResponse, toOrganicResults } from "./response";
import type { ApiQuery, SearchApiDefinition } from "./search-api";

/** The search types of the API by country, with the languages that each type supports for notices. */
const SEARCHES: Readonly<Record<string, { type: string; languages: readonly string[]; takesRegion: boolean }>> = {
  RU: { type: "RU", languages: ["ru", "uk", "be", "kk"], takesRegion: true },
  TR: { type: "TR", languages: ["tr"], takesRegion: true },
  KZ: { type: "KK", languages: [], takesRegion: false },
  BY: { type: "BE", languages: [], takesRegion: false },
  UZ: { type: "UZ", languages: [], takesRegion: false },
};
const INTERNATIONAL = { type: "COM", languages: ["en"], takesRegion: false };

const YandexApiResponse = z.object({ rawData: z.string() });

/**
 * The Search API of Yandex (https://yandex.cloud/en/docs/search-api/concepts/web-search). A page has up to 100 results;
 * all pages together have up to 250.
 */
export const yandexApi: SearchApiDefinition = {
  label: "Yandex Search API",
  origin: "https://searchapi.api.cloud.yandex.net",
  pageSize: SERP_RESULTS_MAX,
  lacks: () => ["images", "videos"],
  toRequest: (query, { apiKey, folderId }) => ({
    path: "/v2/web/search",
    init: {
      method: "POST",
      headers: { authorization: `Api-Key ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(toBody(query, folderId)),
    },
  }),
  read: (text, { page, count }) => {
    const { results, total } = readYandexXml(decodeXml(parseApiResponse(YandexApiResponse, text).rawData));
    const hasNext = results.length >= count && (page + 1) * count < YANDEX_API_RESULTS_MAX;
    return { organic: toOrganicResults("yandex", results), total, hasNext };
  },
};

/** Returns the body of the request. The API's numbers have 64 bits, so they are strings in JSON. */
function toBody(query: ApiQuery, folderId: string): object {
  const { type, languages, takesRegion } = SEARCHES[query.place?.country.code ?? ""] ?? INTERNATIONAL;
  const language = languages.includes(yandexLanguage(query)) ? yandexLanguage(query) : languages[0];
  return {
    query: {
      searchType: `SEARCH_TYPE_${type}`,
      queryText: [query.text, ...toDates(query)].join(" "),
      familyMode: FAMILY_MODES[query.safeSearch ?? "off"],
      page: String(query.page),
    },
    groupSpec: { groupMode: "GROUP_MODE_FLAT", groupsOnPage: String(query.count), docsInGroup: "1" },
    region: takesRegion ? yandexRegion(query.place) : undefined,
    l10n: language && `LOCALIZATION_${language.toUpperCase()}`,
    folderId,
    responseFormat: "FORMAT_XML",
    userAgent: BROWSER_PROFILES[query.device].userAgent,
  };
}

const FAMILY_MODES = {
  off: "FAMILY_MODE_NONE",
  moderate: "FAMILY_MODE_MODERATE",
  strict: "FAMILY_MODE_STRICT",
} as const;

/** Returns the operator for the time range, because the API's `period` has fewer ranges. */
function toDates({ timeRange }: ApiQuery): string[] {
  if (timeRange === undefined) return [];
  const [from, to] = [timeRange.from, timeRange.to].map((date) => date.replaceAll("-", ""));
  return [`date:${from}..${to}`];
}

function decodeXml(data: string): string {
  try {
    return new TextDecoder().decode(fromBase64(data));
  } catch {
    throw toFormFailure();
  }
}

interface YandexResults {
  results: DeclaredResult[];
  /** The total number of results that Yandex reports, or null. */
  total: number | null;
}

/** Error codes: https://yandex.cloud/en/docs/search-api/reference/error-codes. */
const NOTHING_FOUND = "15";
const TOO_MANY_A_SECOND = "55";
/** The error codes for an unknown cause and for a suspected bot. A retry of the same search may succeed. */
const TEMPORARY: ReadonlySet<string> = new Set(["20", "100"]);

/**
 * Parses a response in the format of https://yandex.cloud/en/docs/search-api/concepts/response. Throws SearchFailure if
 * it contains an error, is incomplete or has another format.
 */
function readYandexXml(xml: string): YandexResults {
  const document = parseDocument(xml, { xmlMode: true });
  const [response] = getElementsByTagName("response", document, true, 1);
  if (!response || !/<\/yandexsearch>\s*$/.test(xml)) throw toFormFailure();
  const [error] = getElementsByTagName("error", response.children, false, 1);
  if (error) return withoutResults(error.attribs.code ?? "");
  const results = getElementsByTagName("doc", response).map(toDeclaredResult);
  if (results.length === 0) throw toFormFailure();
  return { results, total: readTotal(response) };
}

function withoutResults(code: string): YandexResults {
  if (code === NOTHING_FOUND) return { results: [], total: 0 };
  const isBusy = code === TOO_MANY_A_SECOND;
  throw new SearchFailure(`returned error ${/^\d{1,3}$/.test(code) ? code : "without a code"}`, {
    retryable: isBusy || TEMPORARY.has(code),
    retryDelayMs: isBusy ? "default" : null,
  });
}

function toDeclaredResult(doc: Element): DeclaredResult {
  const passages = getElementsByTagName("passage", doc).map((passage) => textContent(passage).trim());
  return DeclaredResult.parse({
    title: textIn(doc, "title"),
    link: textIn(doc, "url"),
    // Falls back to the page's own description if no passage of the page matches the query.
    snippet: passages.join(" ").trim() || textIn(doc, "headline"),
  });
}

/** Returns the total. Prefers `found-docs` of the grouping, because it is more precise than `found`. */
function readTotal(response: Element): number | null {
  const texts = ["found-docs", "found"].flatMap((name) =>
    getElementsByTagName(name, response)
      .filter(({ attribs }) => attribs.priority === "all")
      .map((element) => textContent(element).trim()),
  );
  const total = texts.find((text) => /^\d{1,13}$/.test(text));
  return total === undefined ? null : Number(total);
}

function textIn(element: Element, name: string): string {
  const [found] = getElementsByTagName(name, element, true, 1);
  return found ? textContent(found).trim() : "";
}
