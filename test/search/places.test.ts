import { describe, expect, it } from "vitest";
import { CITIES } from "../../src/search/cities";
import { CLIENTS, cookiesOf, requestHeaders } from "../../src/search/client";
import { COUNTRIES } from "../../src/search/countries";
import type { Query } from "../../src/search/engine";
import { acceptLanguage, bingMarket, googleLanguage, yandexLanguage } from "../../src/search/locale";
import { findPlace } from "../../src/search/places";
import { toUule } from "../../src/search/uule";

function found(location: string): string | null {
  const place = findPlace(location);
  return place && [place.country.code, place.city?.names[0]].filter(Boolean).join(" ");
}

describe("a place", () => {
  it.each([
    ["TR", "TR"],
    ["tr", "TR"],
    ["Turkey", "TR"],
    ["Türkiye", "TR"],
    ["turkiye", "TR"],
    ["United States", "US"],
    ["the United States of America", "US"],
    ["USA", "US"],
    ["U.S.A.", "US"],
    ["uk", "GB"],
    ["England", "GB"],
    ["South Korea", "KR"],
    ["Côte d'Ivoire", "CI"],
    ["Cote d’Ivoire", "CI"],
    ["Ivory Coast", "CI"],
    ["Bosnia & Herzegovina", "BA"],
    ["Czech Republic", "CZ"],
    ["The Netherlands", "NL"],
    ["Georgia", "GE"],
    ["Istanbul", "TR Istanbul"],
    ["İstanbul", "TR Istanbul"],
    ["ISTANBUL", "TR Istanbul"],
    ["Istanbul, Turkey", "TR Istanbul"],
    ["istanbul,tr", "TR Istanbul"],
    ["Kadıköy, Istanbul, Turkey", "TR"],
    ["Istanbul, Istanbul, Turkiye", "TR Istanbul"],
    ["Izmir", "TR Izmir"],
    ["Balıkesir", "TR Balikesir"],
    ["München", "DE Munich"],
    ["New York, NY, USA", "US New York"],
    ["São Paulo, Brazil", "BR Sao Paulo"],
    ["St. Petersburg", "RU Saint Petersburg"],
    ["Singapore", "SG Singapore"],
    ["London, Canada", "CA"],
    ["Zzyzxqw, Germany", "DE"],
    ["Turkey,", "TR"],
  ])("%j is %s", (location, expected) => {
    expect(found(location)).toBe(expected);
  });

  it.each(["Zzyzxqw", "", " ", ",", "Istanbul, Zzyzxqw", "T", "ZZ", "constructor"])("%j is nowhere", (location) => {
    expect(findPlace(location)).toBeNull();
  });

  it("has every country of the code list, and its cities are in them", () => {
    expect(COUNTRIES.length).toBeGreaterThan(240);
    expect(new Set(COUNTRIES.map(({ code }) => code)).size).toBe(COUNTRIES.length);
    for (const { code, names, languages } of COUNTRIES) {
      expect(code).toMatch(/^[A-Z]{2}$/);
      expect(found(code)).toMatch(new RegExp(`^${code}`));
      for (const name of names) expect(found(name)).toMatch(new RegExp(`^${code}`));
      for (const language of languages) expect(Intl.getCanonicalLocales(language)).toEqual([language]);
    }
    for (const { country, names, google } of CITIES) {
      for (const name of names) expect(found(`${name}, ${country}`)).toBe(`${country} ${names[0]}`);
      expect(google ?? "").toMatch(/^(?:[\w' .-]+(?:,[\w' .-]+)+)?$/);
    }
  });
});

describe("a place in Google's code", () => {
  it("is the message that others write", () => {
    expect(toUule("Istanbul,Istanbul,Turkiye")).toBe("w+CAIQICIZSXN0YW5idWwsSXN0YW5idWwsVHVya2l5ZQ");
  });

  it("says its length in bytes, also past 127", () => {
    const bytes = Uint8Array.from(atob(toUule("ü".repeat(100)).slice(2)), (char) => char.charCodeAt(0));
    expect([...bytes.slice(0, 7)]).toEqual([8, 2, 16, 32, 34, 200, 1]);
    expect(new TextDecoder().decode(bytes.slice(7))).toBe("ü".repeat(100));
  });
});

describe("a language", () => {
  const asked = (language: string | null, location?: string): Query => ({
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
    const query = asked(tag);
    expect(googleLanguage(query)).toBe(hl);
    expect(bingMarket(query)).toMatchObject({ market: mkt, language: setlang });
    expect(yandexLanguage(query)).toBe(lang);
    expect(acceptLanguage(query)).toBe(header);
  });

  it("is the country's where none is asked for, and English where neither is", () => {
    expect(googleLanguage(asked(null, "Germany"))).toBe("de");
    expect(acceptLanguage(asked(null, "Austria"))).toBe("de-AT,de;q=0.9");
    expect(bingMarket(asked(null, "India"))).toEqual({ market: "en-IN", country: "IN", language: "en" });
    expect(yandexLanguage(asked("xx", "Kazakhstan"))).toBe("ru");
    expect(googleLanguage(asked(null))).toBe("en");
    expect(bingMarket(asked("es-419"))).toEqual({ market: undefined, country: undefined, language: "es" });
    expect(bingMarket(asked(null))).toEqual({ market: undefined, country: undefined, language: undefined });
  });
});

describe("the client", () => {
  const query: Query = { text: "x", place: findPlace("TR"), language: null, device: "mobile" };

  it("says what it is, and in what language it reads", () => {
    expect(requestHeaders("yandex", query)).toEqual({
      "user-agent": CLIENTS.mobile.userAgent,
      accept: expect.stringContaining("text/html"),
      "accept-language": "tr-TR,tr;q=0.9",
    });
    expect(CLIENTS.mobile.userAgent).toMatch(/Android.* Mobile /);
    expect(CLIENTS.desktop.userAgent).not.toContain("Mobile");
  });

  it("has answered Google's cookie question, and chosen Bing's market", () => {
    expect(cookiesOf("google", query)).toMatch(/^SOCS=\w+; CONSENT=PENDING\+\d+$/);
    expect(cookiesOf("bing", query)).toBe("_EDGE_S=mkt=tr-tr&ui=tr; _EDGE_CD=m=tr-tr&u=tr");
    expect(cookiesOf("bing", { ...query, place: null })).toBe("");
  });
});

it.each([
  ["Los Angeles, CA", "US", "Los Angeles"],
  ["Chicago, IL", "US", "Chicago"],
  ["Atlanta, Georgia", "US", null],
  ["Austin, Texas", "US", null],
  ["Nowhereville, Texas", "US", undefined],
  ["Portland, Maine, USA", "US", undefined],
  ["Tbilisi, Georgia", "GE", null],
  ["Toronto, CA", "CA", null],
  ["Haifa, IL", "IL", null],
])("finds %s in %s", (location, country, city) => {
  const place = findPlace(location);
  expect(place?.country.code).toBe(country);
  if (city === undefined) expect(place?.city).toBeNull();
  if (typeof city === "string") expect(place?.city?.names[0]).toBe(city);
});
