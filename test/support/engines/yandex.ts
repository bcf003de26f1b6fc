// A stand-in for Yandex as of 2025 and 2026: /search/ on desktops and phones, and the light /search/site/.

import type { Reply } from "./exchange.ts";
import { escaped, hasNext, resultsOf, type StubResult, type StubSearch } from "./search.ts";

export const yandex = {
  textOf: (url: URL): string => url.searchParams.get("text") ?? "",
  pageOf: (url: URL): number => Number(url.searchParams.get("p") ?? 0),
  paths: ["/search/", "/search/site/"],
  serve: serveSearch,
};

function serveSearch(search: StubSearch, url: URL): Reply {
  const isLight = url.pathname === "/search/site/";
  switch (search.behavior) {
    case "blocked":
      return isLight ? lightBlockPage() : showCaptcha(url);
    case "light-blocked":
      return isLight ? lightBlockPage() : resultPage(search, isLight);
    case "full-blocked":
      return isLight ? resultPage(search, isLight) : showCaptcha(url);
    case "captcha":
      return { html: CAPTCHA };
    case "unknown":
      return { html: "<title>Yandex</title><div class='main'><p>Something new.</p></div>" };
    default:
      return resultPage(search, isLight);
  }
}

export const CAPTCHA = `<html lang="en"><head><title>Are you not a robot?</title></head><body><form method="POST" action="/checkcaptcha?key=d7">
<h1>Please confirm that you and not a robot are sending requests</h1><div class="CheckboxCaptcha"><input type="submit"></div></form></body></html>`;

function lightBlockPage(): Reply {
  return { headers: { "x-yandex-captcha": "captcha" }, html: CAPTCHA };
}

function showCaptcha(url: URL): Reply {
  const query = new URLSearchParams({ retpath: `https://yandex.com${url.pathname}${url.search}`, t: "2" });
  return { status: 302, headers: { location: `/showcaptcha?${query}`, "x-yandex-captcha": "captcha" } };
}

/** Returns the search text of a captcha URL, which contains the URL of the original search. */
export function captchaFor(url: URL): string {
  return URL.parse(url.searchParams.get("retpath") ?? "")?.searchParams.get("text") ?? "";
}

function resultPage(search: StubSearch, isLight: boolean): Reply {
  const { text } = search;
  const results = resultsOf(search);
  if (results.length === 0) {
    return {
      html: `<!doctype html><html lang="en"><head><title>${escaped(text)} — Yandex: no results found</title><style>.serp-item{margin:0}</style></head>
<body><div class="EmptySearchResults"><div>Nothing found</div></div></body></html>`,
    };
  }
  const list = isLight ? lightList(results) : search.isMobile ? mobileList(results) : desktopList(results);
  return {
    html: `<!doctype html><html lang="en"><head><title>${escaped(text)} — Yandex: 20 million results found</title></head><body><div class="main"><div class="content">
${list}${pager(search, isLight)}</div></div></body></html>`,
  };
}

function desktopList(results: StubResult[]): string {
  const items = results.map(
    ({
      number,
      title,
      url,
      snippet,
      date,
    }) => `<li class="serp-item" data-cid="${number}"><div class="Organic"><h2 class="OrganicTitle"><a class="OrganicTitle-Link" href="${escaped(url)}"><div class="Favicon"></div><div class="OrganicTitle-LinkText">${escaped(title)}</div></a></h2>
<div class="Path"><a href="${escaped(url)}"><b>site-${number}.example.com</b> › page</a></div><div class="TextContainer OrganicText"><span class="OrganicTextContentSpan">${date && `${date} — `}${escaped(snippet)}</span></div></div></li>`,
  );
  return `<ul id="search-result" class="serp-list"><li class="serp-item" data-cid="0"><div class="Organic"><h2 class="OrganicTitle"><a class="OrganicTitle-Link" href="https://yabs.yandex.ru/count/WoC"><div class="OrganicTitle-LinkText">Everything, cheap</div></a></h2><div class="OrganicText">Рекhлама</div></div></li>
${items.join("\n")}<li class="serp-item" data-fast-name="images" data-cid="99"><div><h2><a class="OrganicTitle-Link" href="https://yandex.com/images/search?text=x">Pictures</a></h2></div></li></ul>`;
}

function mobileList(results: StubResult[]): string {
  const items = results.map(
    ({
      number,
      title,
      url,
      snippet,
      date,
    }) => `<div class="serp-item" data-cid="${number}"><div class="organic"><h2><a class="organic__url" href="${escaped(url)}"><div class="organic__title">${escaped(title)}</div><div class="organic__subtitle"><b>site-${number}.example.com</b> › page</div></a></h2>
<div class="organic__text text-container">${date && `${date} — `}${escaped(snippet)}<span class="link" role="button">More</span></div></div></div>`,
  );
  return `<div class="serp-list">${items.join("\n")}</div>`;
}

function lightList(results: StubResult[]): string {
  const items = results.map(
    ({ title, url, snippet }) =>
      `<li class="b-serp-item"><h3 class="b-serp-item__title"><a class="b-serp-item__title-link" href="${escaped(url)}"><span>${escaped(title)}</span></a></h3><div class="b-serp-item__text">${escaped(snippet)}</div></li>`,
  );
  return `<ol class="b-serp-list">${items.join("\n")}</ol>`;
}

function pager(search: StubSearch, isLight: boolean): string {
  if (!hasNext(search) && search.behavior !== "repeat") return "";
  const query = new URLSearchParams({ text: search.text, p: String(search.page + 1) });
  return `<div class="pager"><a href="${escaped(`${isLight ? "/search/site/" : "/search/"}?${query}`)}">next</a></div>`;
}
