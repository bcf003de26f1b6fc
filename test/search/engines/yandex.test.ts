import { describe, expect, it } from "vitest";
import { yandex } from "../../../src/search/engines/yandex";
import { findPlace } from "../../../src/search/places/places";
import type { SearchQuery } from "../../../src/search/results/result-page";
import { PAGES, withOtherClasses } from "./pages";

const lightUrl = yandex.sources[0].pageUrl;

const SEARCH = "https://yandex.ru/search/?text=x";
const QUERY: SearchQuery = { text: "портовые краны", place: null, language: null, device: "desktop" };

describe("the desktop page", () => {
  const page = yandex.readPage(PAGES.yandexDesktop, SEARCH);

  it("has the outermost items without advertisements and other answers", () => {
    expect(page.kind).toBe("results");
    expect(page.organic).toEqual([
      {
        title: "Портовые краны",
        url: "https://port.example.ru/krany",
        snippet: "31 окт. 2025 г. — Каждый из кранов поднимает сорок тонн.",
        date: "31 окт. 2025 г.",
        description: "Каждый из кранов поднимает сорок тонн.",
      },
      { title: "Порт на карте", url: "https://yandex.ru/maps/org/port/1/", snippet: "", description: "" },
      {
        title: "Музей кранов",
        url: "https://museum.example.ru/?a=1",
        snippet: "Открыт по воскресеньям.",
        description: "Открыт по воскресеньям.",
      },
    ]);
  });

  it("has the total and the URL of the next page", () => {
    expect(page.total).toBe(20_000_000);
    expect(page.next).toBe("https://yandex.ru/search/?text=x&p=1");
    expect(yandex.readPage(PAGES.yandexDesktop, `${SEARCH}&p=2`).next).toBeNull();
  });

  it("gives the results with other class names", () => {
    const { organic } = yandex.readPage(withOtherClasses(PAGES.yandexDesktop), SEARCH);
    expect(organic.map(({ url }) => url)).toEqual(
      expect.arrayContaining(["https://port.example.ru/krany", "https://museum.example.ru/?a=1"]),
    );
    expect(organic.map(({ url }) => url).join()).not.toMatch(/yabs|inner/);
  });
});

it("reads the mobile page, whose links also contain the path", () => {
  for (const html of [PAGES.yandexMobile, withOtherClasses(PAGES.yandexMobile)]) {
    const { organic, total } = yandex.readPage(html, SEARCH);
    expect(organic[0]).toMatchObject({ title: "Liman vinçleri", url: "https://liman.example.com.tr/" });
    expect(organic[0]?.snippet).toBe("Her biri kırk ton kaldırır.");
    expect(total).toBe(2_000);
  }
});

it("reads the light endpoint's page", () => {
  const url = lightUrl(QUERY, 0, null);
  const { organic, next, total } = yandex.readPage(PAGES.yandexLight, url);
  expect(organic.map(({ title, snippet }) => [title, snippet])).toEqual([
    ["The cranes of the port", "Each lifts forty tonnes."],
    ["The crane museum", ""],
  ]);
  expect(total).toBe(3_000);
  expect(next).toMatch(/^https:\/\/yandex\.com\/search\/site\/\?.*p=1$/);
});

it.each([
  ["nothing was found", "no_results", PAGES.yandexNone, SEARCH],
  ["nothing was found, with other class names", "no_results", withOtherClasses(PAGES.yandexNone), SEARCH],
  ["the page is a captcha in any language", "blocked", PAGES.yandexCaptcha, SEARCH],
  ["the URL is the captcha's", "blocked", "<p>...</p>", "https://yandex.ru/showcaptcha?cc=1"],
  ["the title is the captcha's", "blocked", "<title>Вы не робот?</title>", SEARCH],
  ["the request is rejected", "blocked", "<title>400</title><h1>Bad Request</h1>", SEARCH],
  ["the page is unknown", "unknown", "<title>Яндекс</title><p>...</p>", SEARCH],
  ["the page is empty", "unknown", "", SEARCH],
] as const)("classifies the page when %s", (_, kind, html, url) => {
  expect(yandex.readPage(html, url)).toMatchObject({ kind, organic: [], next: null });
});

it.each([
  "Ой!",
  "Ой",
  "Oops!",
  "Вы не робот",
  "Are you not a robot?",
  "Verification",
  "Robot musunuz?",
  "400",
  "403",
  "429",
])("treats the title %s as a block page", (title) => {
  expect(yandex.readPage(`<title>${title}</title>`, SEARCH).kind).toBe("blocked");
  expect(yandex.readPage(`<title>${title} and boats</title>`, SEARCH).kind).toBe("unknown");
});

it.each([
  "ничего не нашлось",
  "ничего не найдено",
  "ничего не нашли",
  "слово нигде не встречается",
  "nothing found",
  "nothing was found",
  "no results found",
  "hiçbir şey bulunamadı",
  "hiçbir sonuç bulunamadı",
  "sonuç bulunamadı",
  "нічого не знайдено",
  "нічога не знойдзена",
  "ештеңе табылмады",
])("treats the title %s as a page without results", (title) => {
  expect(yandex.readPage(`<title>Яндекс: ${title}</title>`, SEARCH)).toMatchObject({ kind: "no_results", total: 0 });
});

it.each(["misspell__message", "b-error-message", "message__text"])("finds the notice of no results in .%s", (name) => {
  expect(yandex.readPage(`<p class="${name}">Nothing found</p>`, SEARCH).kind).toBe("no_results");
  expect(yandex.readPage(`<p class="${name}">Corrected</p>`, SEARCH).kind).toBe("unknown");
});

it.each([
  '<div class="CheckboxCaptcha">',
  '<div class="AdvancedCaptcha">',
  '<div class="SmartCaptcha">',
  '<form id="captcha-form">',
  '<form action="/checkcaptcha?a">',
  '<form action="/showcaptcha">',
  '<a href="https://yandex.ru/support/smart-captcha/">',
])("treats a page with %s as a block page", (html) => {
  expect(yandex.readPage(html, SEARCH).kind).toBe("blocked");
});

it.each([403, 429])("treats status %i as a block page", (status) => {
  expect(yandex.readPage("", SEARCH, { status }).kind).toBe("blocked");
});

it("treats the captcha's header as a block page", () => {
  const headers = new Headers({ "x-yandex-captcha": "captcha" });
  expect(yandex.readPage("", SEARCH, { headers }).kind).toBe("blocked");
});

describe("the search URL", () => {
  it("has the country's domain and region, or the city's", () => {
    const urlOf = (location: string) => yandex.searchUrl({ ...QUERY, place: findPlace(location) }, 0);
    expect(urlOf("TR")).toMatch(/^https:\/\/yandex\.com\.tr\/search\/\?text=.*&lr=983&lang=tr$/);
    expect(urlOf("Istanbul")).toContain("lr=11508");
    expect(urlOf("Izmir")).toContain("lr=983");
    expect(urlOf("Moscow, Russia")).toMatch(/^https:\/\/yandex\.ru\/.*lr=213&lang=ru$/);
    expect(urlOf("Germany")).toMatch(/^https:\/\/yandex\.com\/.*lr=96&lang=de$/);
    expect(urlOf("Kenya")).toMatch(/^https:\/\/yandex\.com\/search\/\?text=[^&]*&lang=en$/);
  });

  it("counts pages from 0", () => {
    expect(yandex.searchUrl(QUERY, 0)).not.toContain("p=");
    expect(yandex.searchUrl(QUERY, 2)).toMatch(/&p=2$/);
    expect(lightUrl(QUERY, 0, null)).toMatch(/searchid=\d{7}&.*&p=0$/);
  });
});
