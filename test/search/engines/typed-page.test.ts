import { expect, it } from "vitest";
import type { EngineName } from "../../../src/model/engine";
import { ENGINES } from "../../../src/search/engines/engines";
import { readTypedPage } from "../../../src/search/engines/typed-page";

function read(engine: EngineName, html: string, url: string) {
  const type = /images|udm=2/.test(url) ? "images" : /video|udm=7/.test(url) ? "videos" : "news";
  return readTypedPage(ENGINES[engine], html, { type, url, status: 200 });
}

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
  const page = read(engine, `<body>${html}`, url);
  expect(page).toMatchObject({ kind: "results", organic: [result] });
});

const story = (title: string, more = "") =>
  `<div><a href="https://port.example/${title}"><h3>${title}</h3><p>Port News</p></a>${more}</div>`;

it.each([
  ["an ad with a label", `<div><span>Sponsored</span>${story("ad")}</div>`],
  ["an ad with a click address", `<div>${story("ad", '<a href="/aclk?sa=L">Prices</a>')}</div>`],
  ["an ad of Bing", `<li class="b_ad">${story("ad")}</li>`],
  ["a question", `<div data-q="Why?">${story("answer")}</div>`],
  ["a hidden card", `<div style="display: none">${story("hidden")}</div>`],
  ["a link of the engine", '<a href="https://support.google.com/x"><h3>Help</h3></a>'],
  ["a script", '<a href="javascript:alert(1)"><h3>Script</h3></a>'],
])("never returns %s as a result", (_, html) => {
  const page = `<div>${story("one")}${html}${story("two")}</div>`;
  const { organic } = read("google", page, "https://www.google.com/search?q=x&tbm=nws");
  expect(organic.map(({ title }) => title)).toEqual(["one", "two"]);
});

it("never returns web results as pictures", () => {
  expect(read("google", story("one") + story("two"), "https://www.google.com/search?q=x&udm=2").kind).toBe("unknown");
});

it("returns whole addresses of results, and no address of a picture that isn't one", () => {
  const long = `https://port.example/${"p".repeat(2_000)}`;
  const pictures = ["javascript:alert(1)", "data:image/png;base64,AAAA", "", `${long}.jpg`];
  const items = pictures.map((turl, index) => ({ purl: `${long}?${index}`, turl, t: "A crane" }));
  const none = { purl: "", t: "No address" };
  const html = [...items, none].map((item) => `<a m="${json(item)}"></a>`).join("");
  const { organic } = read("bing", html, "https://www.bing.com/images/search?q=x");
  expect(organic.map(({ url }) => url)).toEqual(items.map(({ purl }) => purl));
  expect(organic.map(({ extra }) => extra?.thumbnail)).toEqual([undefined, undefined, undefined, `${long}.jpg`]);
});

it("never returns an unknown page as an empty result", () => {
  const url = "https://www.google.com/search?q=x&tbm=nws";
  expect(read("google", "<p>Something new", url).kind).toBe("unknown");
  expect(read("google", '<form id="captcha-form"></form>', url).kind).toBe("blocked");
});

it("reads hostile pages in linear time", { timeout: 30_000 }, () => {
  const nested = `${"<div data-lpage='https://port.example/'><span>a".repeat(2_000)}`;
  const titles = `<div>${"<h3><a href='https://port.example/'>a</a></h3><i>b".repeat(2_000)}`;
  const deep = `<div a="${json({})}" b='${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}'>`;
  const many = Array.from({ length: 50_000 }, (_, index) => ({ purl: "https://port.example/", t: `Crane ${index}` }));
  const crowded = `<div data-state="${json({ items: many })}">`;
  for (const html of [nested, titles, deep, crowded]) {
    for (const parameter of ["udm=2", "udm=7"]) read("google", html, `https://www.google.com/search?q=x&${parameter}`);
  }
});
