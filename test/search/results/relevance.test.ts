import { expect, it } from "vitest";
import { isOffTopic } from "../../../src/search/results/relevance";
import type { ResultPage } from "../../../src/search/results/result-page";

function pageOf(titles: readonly string[], host = "example.com"): ResultPage {
  const organic = titles.map((title, index) => ({
    title,
    url: `https://${host}/${index}`,
    snippet: "",
    description: "",
  }));
  return { kind: "results", organic, total: null, next: null };
}

const CHINESE = ["如何评价新手机？", "知乎热门问题", "百度知道 - 全球领先", "手机官网"];
const LOGIN = ["Sign in to your account", "Reset a password", "What is an account?", "Create an account"];
const CRANES = ["Harbour cranes for hire", "A crane in the port", "Cranes, old and new"];

it.each([
  ["harbour crane hire", CHINESE],
  ["harbour crane hire", LOGIN],
  ["account managers in Hamburg port", LOGIN],
  ["account xylophone", LOGIN],
  ["港口起重机", CHINESE],
  ["портовые краны аренда", LOGIN],
  ["cat", ["Our location", "Education in the port", "Vocations"]],
])("for %j, a page is off topic with the titles %j", (query, titles) => {
  expect(isOffTopic(query, pageOf(titles))).toBe(true);
});

it.each([
  ["harbour crane hire", CRANES],
  ["cranes", CRANES],
  ["what is the crane for", CRANES],
  ["harbour cranes rotterdam", CRANES],
  ["新手机官网", CHINESE],
  ["site:example.com", LOGIN],
  ["site:example.com account", LOGIN],
  ["-password sign account", LOGIN],
  ["is it", CRANES],
  ["kräne häfen", ["Krane und Hafen", "Hafen", "Krane"]],
  ["ｈａｒｂｏｕｒ ｃｒａｎｅ", CRANES],
  ["straße grün", ["Strasse, grun", "Strasse", "Grun"]],
  ["ışık kaynağı", ["isik kaynagi", "isik", "kaynagi"]],
  ["портовые краны", ["Портовый кран", "Кран в порту", "Краны: аренда"]],
  ["limanlarda vinçler", ["Liman vinci", "Vinçler ve limanlar", "Vinç kiralama"]],
])("for %j, a page is on topic with the titles %j", (query, titles) => {
  expect(isOffTopic(query, pageOf(titles))).toBe(false);
});

it.each([
  ["at least half of four words", "harbour crane xylophone quartz", false],
  ["fewer than half of five words", "harbour crane xylophone quartz zither", true],
])("needs %s of the query in the results", (_, query, expected) => {
  expect(isOffTopic(query, pageOf(CRANES))).toBe(expected);
});

it("compares three results, but not two", () => {
  expect(isOffTopic("quartz zither", pageOf(CRANES.slice(0, 3)))).toBe(true);
  expect(isOffTopic("quartz zither", pageOf(CRANES.slice(0, 2)))).toBe(false);
});

it("finds words in URLs", () => {
  expect(isOffTopic("harbour cranes", pageOf(["One", "Two", "Three"], "harbourcranes.example"))).toBe(false);
});

it("never reports two results or a corrected spelling as off topic", () => {
  expect(isOffTopic("harbour crane hire", pageOf(LOGIN.slice(0, 2)))).toBe(false);
  expect(isOffTopic("harbour crane hire", { ...pageOf(LOGIN), isCorrected: true })).toBe(false);
});
