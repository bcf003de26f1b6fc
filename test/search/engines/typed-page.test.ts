import { expect, it } from "vitest";
import type { EngineName } from "../../../src/model/engine";
import { ENGINES } from "../../../src/search/engines/engines";
import { readTypedPage } from "../../../src/search/engines/typed-page";

const json = (value: object) => JSON.stringify(value).replaceAll('"', "&quot;");

it.each<[string, EngineName, string, string, object]>([
  [
    "Google's news",
    "google",
    "https://www.google.com/search?q=x&tbm=nws",
    `<div><a href="https://port.example/1"><div><span>Port News</span></div><div role="heading" aria-level="3">A crane falls</div><div>The crane fell into the harbor at night, and no one was hurt.</div><div><span>3 hours ago</span></div></a></div>`,
    {
      title: "A crane falls",
      url: "https://port.example/1",
      date: "3 hours ago",
      snippet: "",
      extra: { source: "Port News" },
    },
  ],
  [
    "Google's videos",
    "google",
    "https://www.google.com/search?q=x&udm=7",
    `<div><a href="https://www.youtube.com/watch?v=1"><h3>Cranes</h3><cite>YouTube</cite></a><div><span>12:05</span><span>Oct 31, 2025</span></div></div>`,
    { title: "Cranes", date: "Oct 31, 2025", extra: { source: "YouTube", duration: "12:05" } },
  ],
  [
    "Google's images",
    "google",
    "https://www.google.com/search?q=x&udm=2",
    `<div data-lpage="https://port.example/p"><img alt="A red crane" src="data:"></div>`,
    { title: "A red crane", url: "https://port.example/p", extra: { source: "port.example" } },
  ],
  [
    "Bing's news",
    "bing",
    "https://www.bing.com/news/search?q=x",
    `<div url="https://port.example/1" data-title="A crane falls" data-author="Port News"><a href="https://port.example/1">A crane falls</a></div>`,
    { title: "A crane falls", url: "https://port.example/1", extra: { source: "Port News" } },
  ],
  [
    "Bing's images",
    "bing",
    "https://www.bing.com/images/search?q=x",
    `<a m="${json({ purl: "https://port.example/p", murl: "https://port.example/p.jpg", turl: "https://tse.example/1", t: "A <b>crane</b>" })}"></a>`,
    { title: "A crane", url: "https://port.example/p", extra: { thumbnail: "https://tse.example/1" } },
  ],
  [
    "Bing's videos",
    "bing",
    "https://www.bing.com/videos/search?q=x",
    `<div vrhm="${json({ murl: "https://film.example/1", vt: "Cranes", du: "3:21" })}"></div>`,
    { title: "Cranes", url: "https://film.example/1", extra: { source: "film.example", duration: "3:21" } },
  ],
  [
    "Yandex's images",
    "yandex",
    "https://yandex.com/images/search?text=x",
    `<div data-state="${json({ list: { items: [{ snippet: { url: "https://port.example/p", title: "A crane", domain: "port.example" }, thumb: { url: "//im.example/1" } }] } })}"></div>`,
    {
      title: "A crane",
      url: "https://port.example/p",
      extra: { source: "port.example", thumbnail: "https://im.example/1" },
    },
  ],
])("reads %s", (_, engine, url, html, result) => {
  const page = readTypedPage(ENGINES[engine], `<body>${html}`, url, { status: 200 });
  expect(page).toMatchObject({ kind: "results", organic: [result] });
});

it("returns whole addresses of results, and no address of a picture that isn't one", () => {
  const long = `https://port.example/${"p".repeat(2_000)}`;
  const pictures = ["javascript:alert(1)", "data:image/png;base64,AAAA", "", `${long}.jpg`];
  const items = pictures.map((turl, index) => ({ purl: `${long}?${index}`, turl, t: "A crane" }));
  const none = { purl: "", t: "No address" };
  const html = [...items, none].map((item) => `<a m="${json(item)}"></a>`).join("");
  const { organic } = readTypedPage(ENGINES.bing, html, "https://www.bing.com/images/search?q=x", {});
  expect(organic.map(({ url }) => url)).toEqual(items.map(({ purl }) => purl));
  expect(organic.map(({ extra }) => extra?.thumbnail)).toEqual([undefined, undefined, undefined, `${long}.jpg`]);
});

it("never returns an unknown page as an empty result", () => {
  const url = "https://www.google.com/search?q=x&tbm=nws";
  expect(readTypedPage(ENGINES.google, "<p>Something new", url, {}).kind).toBe("unknown");
  expect(readTypedPage(ENGINES.google, '<form id="captcha-form"></form>', url, {}).kind).toBe("blocked");
});

it("reads hostile pages in linear time", () => {
  const nested = `${"<div data-lpage='https://port.example/'><span>a".repeat(2_000)}`;
  const titles = `<div>${"<h3><a href='https://port.example/'>a</a></h3><i>b".repeat(2_000)}`;
  const deep = `<div a="${json({})}" b='${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}'>`;
  const many = Array.from({ length: 50_000 }, (_, index) => ({ purl: "https://port.example/", t: `Crane ${index}` }));
  const crowded = `<div data-state="${json({ items: many })}">`;
  for (const html of [nested, titles, deep, crowded]) {
    const startedAt = performance.now();
    readTypedPage(ENGINES.google, html, "https://www.google.com/search?q=x&udm=2", {});
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  }
});
