import { expect, it } from "vitest";
import { ENGINE_NAMES } from "../../../src/model/engine";
import { ENGINES, isBlockPageUrl } from "../../../src/search/engines/engines";
import { findPlace } from "../../../src/search/places/places";
import type { SearchQuery } from "../../../src/search/results/result-page";

const QUERY: SearchQuery = { text: "harbour cranes", place: findPlace("TR"), language: null, device: "desktop" };

it.each(ENGINE_NAMES)("%s accepts the URL of each of its sources as a result page", (name) => {
  const { sources, hosts, resultPages } = ENGINES[name];
  for (const { pageUrl } of sources) {
    for (const page of [0, 1]) {
      const { hostname, pathname } = new URL(pageUrl(QUERY, page, null));
      expect(hostname).toMatch(hosts);
      expect(hostname).toMatch(resultPages.host);
      expect(pathname).toMatch(resultPages.path);
    }
  }
});

it.each(ENGINE_NAMES)("%s has a source for a search with a place", (name) => {
  expect(ENGINES[name].sources.some(({ lacks }) => !lacks.includes("place"))).toBe(true);
});

it.each([
  "https://consent.google.com/m?continue=x",
  "https://consent.youtube.com/m",
  "https://accounts.google.com/signin",
  "https://www.google.com/sorry/index?q=x",
  "https://login.live.com/",
  "https://consent.bing.com/",
  "https://passport.yandex.ru/auth",
  "https://yandex.com.tr/showcaptcha?x",
  "https://yandex.ru/checkcaptcha",
])("%s is a block page", (url) => {
  expect(isBlockPageUrl(url)).toBe(true);
});

it.each([
  "https://www.google.com/maps",
  "https://www.bing.com/images",
  "https://yandex.ru/maps/",
  "https://port.example.com/sorry/",
  "https://login.example.com/",
])("%s is not a block page", (url) => {
  expect(isBlockPageUrl(url)).toBe(false);
});
