import { describe, expect, it } from "vitest";
import { bing } from "../../../src/search/engines/bing";
import { BROWSER_PROFILES } from "../../../src/search/engines/browser-profile";
import { ENGINES, isBlockPageUrl } from "../../../src/search/engines/engines";
import { yandexDomain, yandexLanguage, yandexRegion } from "../../../src/search/engines/yandex";
import { findPlace } from "../../../src/search/places/places";
import { readTarget } from "../../../src/search/results/links";

describe("Yandex", () => {
  it.each([
    ["TR", "yandex.com.tr"],
    ["RU", "yandex.ru"],
    ["KZ", "yandex.kz"],
    ["BY", "yandex.by"],
    ["UZ", "yandex.uz"],
    ["DE", "yandex.com"],
  ])("in the country %s has the domain %s", (country, domain) => {
    expect(yandexDomain(findPlace(country))).toBe(domain);
  });

  it.each(
    Object.entries({
      ...{ AR: "93", AT: "113", AU: "211", BE: "114", BR: "94", BY: "149", CA: "95", CH: "126", DE: "96", DK: "203" },
      ...{ ES: "204", FI: "123", FR: "124", GB: "102", IE: "10063", IN: "994", IT: "205", JP: "137", KR: "135" },
      ...{ KZ: "159", MX: "20271", NL: "118", NO: "119", PL: "120", RU: "225", SE: "127", SG: "10105", TR: "983" },
      ...{ UA: "187", US: "84", UZ: "171", ZA: "10021" },
    }),
  )("has the number of the region %s: %s", (country, region) => {
    const place = findPlace(country);
    expect(yandexRegion(place && { ...place, city: null })).toBe(region);
  });

  it("has no region for other countries, or without a place", () => {
    expect(yandexDomain(null)).toBe("yandex.com");
    expect(yandexRegion(findPlace("PT"))).toBeUndefined();
    expect(yandexRegion(null)).toBeUndefined();
  });

  it.each("ru en be fr de id kk tt tr uk".split(" "))("has the language %s", (language) => {
    expect(yandexLanguage({ language, place: null })).toBe(language);
    expect(yandexLanguage({ language: `${language}-XX`, place: null })).toBe(language);
  });

  it("uses the language of the country, or English, instead of an unknown language", () => {
    expect(yandexLanguage({ language: "pl", place: findPlace("DE") })).toBe("de");
    expect(yandexLanguage({ language: "pl", place: findPlace("PL") })).toBe("en");
    expect(yandexLanguage({ language: null, place: null })).toBe("en");
  });
});

describe("a URL of a block page", () => {
  it.each([
    "https://consent.google.com/ml",
    "https://sorry.google.com/",
    "https://ipv4.google.com/sorry",
    "https://ipv6.google.com/",
    "https://accounts.google.com/signin",
    "https://consent.youtube.com/m",
    "https://www.google.com/sorry/index",
    "https://www.google.com/sorry",
    "https://consent.bing.com/",
    "https://sorry.bing.com/",
    "https://ipv4.bing.com/",
    "https://accounts.bing.com/",
    "https://login.live.com/",
    "https://account.live.com/",
    "https://login.microsoft.com/",
    "https://account.microsoft.com/",
    "https://consent.yandex.ru/",
    "https://sorry.yandex.com/",
    "https://ipv6.yandex.ru/",
    "https://accounts.yandex.ru/",
    "https://passport.yandex.ru/",
    "https://yandex.ru/showcaptcha?a",
    "https://yandex.ru/checkcaptcha",
  ])("is recognized: %s", (url) => {
    expect(isBlockPageUrl(url)).toBe(true);
  });

  it.each([
    "https://www.google.com/search?q=x",
    "https://www.google.com/sorryness",
    "https://port.example/sorry",
    "https://port.example/showcaptcha",
    "https://live.com/",
    "https://login.live.com.example/",
    "https://yandex.ru/showcaptchas",
    "https://my.consent.example/",
  ])("isn't recognized: %s", (url) => {
    expect(isBlockPageUrl(url)).toBe(false);
  });
});

it.each(["/aclk?a", "/aclick?a", "/alink?a", "/aclk/x"])("Bing: %s is an ad", (path) => {
  expect(readTarget(bing.page.links, `https://www.bing.com${path}`, "https://www.bing.com/search?q=x")).toBeNull();
});

it("the browser of a phone has a touch screen and a narrow window", () => {
  expect(BROWSER_PROFILES.mobile).toMatchObject({ isMobile: true, viewport: { width: 412, height: 915 } });
  expect(BROWSER_PROFILES.desktop).toMatchObject({ isMobile: false, viewport: { width: 1280, height: 800 } });
});

it("the sources of each engine are tried in a fixed order", () => {
  const sourcesOf = ({ sources, apis }: (typeof ENGINES)["google"]) => [
    ...sources.map(({ name, lacks }) => (lacks.includes("place") ? `${name} without a place` : name)),
    ...apis,
  ];
  expect(Object.fromEntries(Object.entries(ENGINES).map(([name, engine]) => [name, sourcesOf(engine)]))).toEqual({
    google: ["browser", "serper", "serpapi"],
    bing: ["plain", "browser", "rss", "serpapi"],
    yandex: ["light without a place", "browser", "yandex_api", "serpapi"],
  });
});
