import { describe, expect, it } from "vitest";
import { findPlace } from "../../../src/search/places/places";
import { CITIES, COUNTRIES } from "../../../src/search/places/tables";

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
    ["Munich, BY, Germany", "DE Munich"],
    ["Munich, NRW, Germany", "DE"],
  ])("%j is %s", (location, expected) => {
    expect(found(location)).toBe(expected);
  });

  it.each(["Zzyzxqw", "", " ", ",", "Istanbul, Zzyzxqw", "T", "ZZ", "constructor"])("%j is not a place", (location) => {
    expect(findPlace(location)).toBeNull();
  });

  it("is found for every country and every city in the tables", () => {
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
