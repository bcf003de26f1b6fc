import { describe, expect, it } from "vitest";
import { bingMarket } from "../../../src/search/engines/bing";
import { googleLanguage } from "../../../src/search/engines/google";
import { yandexLanguage } from "../../../src/search/engines/yandex";
import { acceptLanguage } from "../../../src/search/places/locale";
import { findPlace } from "../../../src/search/places/places";
import type { SearchQuery } from "../../../src/search/results/result-page";

describe("the language parameters", () => {
  const toQuery = (language: string | null, location?: string): SearchQuery => ({
    text: "x",
    place: location ? findPlace(location) : null,
    language,
    device: "desktop",
  });

  it.each([
    ["tr", "tr", "tr-TR", "tr", "tr", "tr-TR,tr;q=0.9"],
    ["en-US", "en", "en-US", "en", "en", "en-US,en;q=0.9"],
    ["zh", "zh-CN", "zh-CN", "zh-Hans", "en", "zh-CN,zh;q=0.9"],
    ["zh-TW", "zh-TW", "zh-TW", "zh-Hant", "en", "zh-TW,zh;q=0.9"],
    ["pt", "pt-BR", "pt-BR", "pt-BR", "en", "pt-BR,pt;q=0.9"],
    ["pt-PT", "pt-PT", "pt-PT", "pt-PT", "en", "pt-PT,pt;q=0.9"],
    ["he", "iw", "he-IL", "he", "en", "he-IL,he;q=0.9"],
    ["nb", "no", "nb-NO", "nb", "en", "nb-NO,nb;q=0.9"],
    ["es-419", "es-419", undefined, "es", "en", "es"],
  ])("%s: hl=%s, mkt=%s, setlang=%s, lang=%s, %s", (tag, hl, mkt, setlang, lang, header) => {
    const query = toQuery(tag);
    expect(googleLanguage(query)).toBe(hl);
    expect(bingMarket(query)).toMatchObject({ market: mkt, language: setlang });
    expect(yandexLanguage(query)).toBe(lang);
    expect(acceptLanguage(query)).toBe(header);
  });

  it("use the country's language if the search has none, else English", () => {
    expect(googleLanguage(toQuery(null, "Germany"))).toBe("de");
    expect(acceptLanguage(toQuery(null, "Austria"))).toBe("de-AT,de;q=0.9");
    expect(bingMarket(toQuery(null, "India"))).toEqual({ market: "en-IN", country: "IN", language: "en" });
    expect(yandexLanguage(toQuery("xx", "Kazakhstan"))).toBe("ru");
    expect(googleLanguage(toQuery(null))).toBe("en");
    expect(bingMarket(toQuery("es-419"))).toEqual({ market: undefined, country: undefined, language: "es" });
    expect(bingMarket(toQuery(null))).toEqual({ market: undefined, country: undefined, language: undefined });
  });
});
