import { z } from "zod";
import { YANDEX_API_RESULTS_MAX } from "../../model/limits";
import { CLIENTS } from "../client";
import { yandexLanguage, yandexRegion } from "../locale";
import { ask } from "./ask";
import { toFormFailure } from "./failure";
import { toOrganic } from "./found";
import { parseAnswer } from "./json";
import type { ApiPage, ApiQuery, ApiSettings } from "./search-api";
import { readYandexXml } from "./yandex-xml";

const ORIGIN = "https://searchapi.api.cloud.yandex.net";

export interface YandexApiSettings extends ApiSettings {
  folderId: string;
}

/** By country: Yandex's own searches, and the languages that each can give its notices in. */
const SEARCHES: Readonly<Record<string, { type: string; languages: readonly string[]; takesRegion: boolean }>> = {
  RU: { type: "RU", languages: ["ru", "uk", "be", "kk"], takesRegion: true },
  TR: { type: "TR", languages: ["tr"], takesRegion: true },
  KZ: { type: "KK", languages: [], takesRegion: false },
  BY: { type: "BE", languages: [], takesRegion: false },
  UZ: { type: "UZ", languages: [], takesRegion: false },
};
const INTERNATIONAL = { type: "COM", languages: ["en"], takesRegion: false };

const Answer = z.object({ rawData: z.string() });

/**
 * Yandex by its Search API (https://yandex.cloud/en/docs/search-api/concepts/web-search): up to 100 results a page, 250
 * in all.
 */
export function searchYandexApi(query: ApiQuery, settings: YandexApiSettings, signal: AbortSignal): Promise<ApiPage> {
  const { origin, apiKey, patience } = settings;
  return ask({
    provider: "Yandex Search API",
    url: `${origin ?? ORIGIN}/v2/web/search`,
    init: {
      method: "POST",
      headers: { authorization: `Api-Key ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(toBody(query, settings.folderId)),
    },
    patience,
    signal,
    read: (answer) => readYandexApi(query, answer, patience.pauseMs),
  });
}

/** Numbers are 64 bits wide, and so are texts in JSON. */
function toBody(query: ApiQuery, folderId: string): object {
  const { type, languages, takesRegion } = SEARCHES[query.place?.country.code ?? ""] ?? INTERNATIONAL;
  const language = languages.includes(yandexLanguage(query)) ? yandexLanguage(query) : languages[0];
  return {
    query: {
      searchType: `SEARCH_TYPE_${type}`,
      queryText: query.text,
      familyMode: "FAMILY_MODE_NONE",
      page: String(query.page),
    },
    groupSpec: { groupMode: "GROUP_MODE_FLAT", groupsOnPage: String(query.count), docsInGroup: "1" },
    region: takesRegion ? yandexRegion(query.place) : undefined,
    l10n: language && `LOCALIZATION_${language.toUpperCase()}`,
    folderId,
    responseFormat: "FORMAT_XML",
    userAgent: CLIENTS[query.device].userAgent,
  };
}

function readYandexApi({ page, count }: ApiQuery, answer: string, usualPauseMs: number): ApiPage {
  const { results, total } = readYandexXml(fromBase64(parseAnswer(Answer, answer).rawData), usualPauseMs);
  const isFull = results.length >= count;
  return {
    organic: toOrganic("yandex", results),
    total,
    hasNext: isFull && (page + 1) * count < YANDEX_API_RESULTS_MAX,
  };
}

function fromBase64(data: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
  } catch {
    throw toFormFailure();
  }
}
