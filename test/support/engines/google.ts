// A stand-in for Google as of 2025 and 2026: https://www.google.com/search on desktops and phones, /goto and /sorry/.

import type { Reply } from "./exchange.ts";
import {
  escaped,
  hasNext,
  RESULTS_PER_PAGE,
  result,
  resultsOf,
  SITE,
  type StubResult,
  type StubSearch,
} from "./search.ts";

/** The number of the result that the link of the answered question leads to, if links have tokens. */
const ANSWER = 98;

export const google = {
  textOf: (url: URL): string => url.searchParams.get("q") ?? "",
  pageOf: (url: URL): number => Number(url.searchParams.get("start") ?? 0) / RESULTS_PER_PAGE,
  paths: ["/search"],
  serve: serveSearch,
};

function serveSearch(search: StubSearch, url: URL, headers: Record<string, string>): Reply {
  const hasConsented = /\bSOCS=/.test(headers.cookie ?? "");
  const isVerified = url.searchParams.has("sei");
  switch (search.behavior) {
    case "blocked":
      return sorry(url);
    case "plain-blocked":
      return search.isBrowser ? resultPage(search, url) : sorry(url);
    case "captcha":
      return { html: CAPTCHA };
    case "consent":
      return { html: hasConsented ? resultPage(search, url).html : CONSENT };
    case "consent-always":
      return { html: CONSENT };
    case "shell":
      return { html: shell("") };
    case "js":
      return { html: shell(rewrite(resultPage(search, url).html)) };
    case "interstitial":
      return isVerified ? resultPage(search, url) : { html: interstitial(search.text, VERIFY) };
    case "interstitial-stuck":
      return { html: interstitial(search.text, "") };
    case "none":
      return { html: nonePage(search.text) };
    case "degraded":
      return { html: degradedPage(search.text) };
    case "unknown":
      return {
        html: `<title>${escaped(search.text)}</title><div id="main"><p>Something new in place of a list.</p></div>`,
      };
    default:
      return resultPage(search, url);
  }
}

/** Returns a page of results. After the last page, returns a notice without results. */
function resultPage(search: StubSearch, url: URL): { html: string } {
  const results = resultsOf(search);
  if (results.length === 0) return { html: nonePage(search.text) };
  return { html: search.isMobile ? mobilePage(search, results) : desktopPage(search, results, url) };
}

function sorry(url: URL): Reply {
  const query = new URLSearchParams({ continue: `https://www.google.com${url.pathname}${url.search}`, q: "EgR" });
  return { status: 302, headers: { location: `/sorry/index?${query}` } };
}

/** Returns the search text of a captcha URL, which contains the URL of the original search. */
export function sorryFor(url: URL): string {
  return URL.parse(url.searchParams.get("continue") ?? "")?.searchParams.get("q") ?? "";
}

export const CAPTCHA = `<html><head><title>Sorry</title></head><body><form id="captcha-form" action="index" method="post">
<div id="recaptcha" class="g-recaptcha" data-sitekey="6Lf"></div><input type="hidden" name="q" value="EgR"></form>
<div>Our systems have detected unusual traffic from your computer network.</div></body></html>`;

const CONSENT = `<!doctype html><html lang="de"><head><title>Bevor Sie zur Google Suche weitergehen</title></head><body>
<h1>Bevor Sie zu Google weitergehen</h1><p>Wir verwenden Cookies und Daten.</p>
<form action="https://consent.google.com/save" method="POST"><input type="hidden" name="gl" value="DE"><button>Alle ablehnen</button></form></body></html>`;

/** Returns the page that Google sends to clients without scripts. */
function shell(script: string): string {
  return `<!doctype html><html lang="en"><head><title>Google Search</title></head><body>
<noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=abc"><div>Please click <a href="/httpservice/retry/enablejs?sei=abc">here</a>.</div></noscript>
<script>${script}</script></body></html>`;
}

function rewrite(html: string): string {
  const text = JSON.stringify(html).replaceAll("<", "\\u003c");
  return `addEventListener("load", () => setTimeout(() => { document.open(); document.write(${text}); document.close(); }, 50));`;
}

const VERIFY = `addEventListener("load", () => setTimeout(() => { const next = new URL(location); next.searchParams.set("sei", "abc"); location.replace(next); }, 200));`;

function interstitial(text: string, script: string): string {
  return `<!doctype html><html lang="en"><head><title>${escaped(text)} - Google Search</title><script>window.kEI = "x";</script></head><body>
<form action="/search"><input name="q" value="${escaped(text)}"></form><p>Verifying your request. If this takes long, you'll be able to continue in a few seconds.</p>
<script>${script}</script></body></html>`;
}

function nonePage(text: string): string {
  return `<!doctype html><html lang="en"><head><title>${escaped(text)} - Google Search</title></head><body>
<form action="/search"><input name="q" value="${escaped(text)}"></form><div id="main"><div id="rso"></div><div id="topstuff"><div class="mnr-c">
<p role="heading" aria-level="3">Your search - <em>${escaped(text)}</em> - did not match any documents.</p></div></div></div></body></html>`;
}

/** Returns the page that Google sends to a suspected robot instead of the results. It has the layout of 2023. */
function degradedPage(text: string): string {
  const types = ["isch", "shop", "vid"].map(
    (type) => `<a href="/search?q=${encodeURIComponent(text)}&tbm=${type}">${type}</a>`,
  );
  return nonePage(text).replace(
    '<div id="rso">',
    `${types.join("")}<div id="result-stats">About 0 results<nobr> (0.27 seconds)</nobr></div><div id="rso">`,
  );
}

function desktopPage(search: StubSearch, results: StubResult[], url: URL): string {
  const { text, page } = search;
  const stats =
    url.searchParams.get("udm") === "14"
      ? ""
      : `<div id="result-stats">About 12,400 results<nobr> (0.31s)</nobr></div>`;
  return `<!doctype html><html lang="en"><head><title>${escaped(text)} - Google Search</title></head><body id="gsr">
<noscript><meta http-equiv="refresh" content="0;url=/httpservice/retry/enablejs?sei=x"></noscript>
<form action="/search"><input name="q" value="${escaped(text)}"></form><div id="main"><div id="cnt">${stats}
<div id="tads"><div data-text-ad="1"><a href="https://ads.example.com/"><div role="heading" aria-level="3">Everything, cheap</div></a></div>
<div data-text-ad="1"><a href="https://ads.example.net/"><h3>Everything, cheaper</h3></a></div></div>
<div id="center_col"><div id="search"><div id="rso">
${results.map((found) => desktopResult(search, found)).join("\n")}
<div class="MjjYud" data-initq="x"><div class="related-question-pair" data-q="Why?"><div role="button" aria-expanded="false" aria-controls="fold1">Why?</div>
<div id="fold1"><div class="tF2Cxc"><a href="${escaped(hrefOf(search, ANSWER, "https://answers.example.net/why#:~:text=why"))}"><h3>Why?</h3></a><div class="VwiC3b">Because it is so.</div></div></div></div></div>
<div class="MjjYud"><div class="sHEJob"><a href="https://www.youtube.com/watch?v=1"><div role="heading" aria-level="3">A film of it</div></a></div></div>
</div></div></div>
<div id="botstuff"><a href="/search?q=another+search">another search</a></div>${pager(search, page)}</div></div></body></html>`;
}

function desktopResult(search: StubSearch, { number, title, url, snippet, date }: StubResult): string {
  const stamp = date === "" ? "" : `<span><span>${date}</span> — </span>`;
  return `<div class="MjjYud"><div data-rpos="${number}"><div class="wHYlTd Ww4FFb tF2Cxc"><div class="yuRUbf">
<a jsname="UWckNb" class="zReHs" href="${escaped(hrefOf(search, number, url))}"><h3 class="LC20lb">${escaped(title)}</h3><div><span>Site ${number}</span><cite role="text">https://site-${number}.example.com<span> › page</span></cite></div></a></div>
<div data-sncf="1"><div class="VwiC3b">${stamp}<span>${escaped(snippet)}</span></div></div></div></div></div>`;
}

/** The mobile page has no link to the next page, because it loads more results while the user scrolls. */
function mobilePage(search: StubSearch, results: StubResult[]): string {
  const blocks = results.map(
    ({ number, title, url, snippet, date }) => `<div class="MjjYud"><div data-snc="a${number}">
<div><a class="cz3goc" href="${escaped(hrefOf(search, number, url))}"><div><span>Site ${number}</span><span role="text">https://site-${number}.example.com</span><div role="heading" aria-level="3">${escaped(title)}</div></div></a></div>
<div data-sncf="1"><div class="VwiC3b">${date && `<span>${date} — </span>`}${escaped(snippet)}</div></div></div></div>`,
  );
  return `<!doctype html><html lang="en"><head><title>${escaped(search.text)} - Google Search</title></head><body><div id="main"><div id="cnt"><div id="rso">
${blocks.join("\n")}<div class="MjjYud"><a href="https://www.youtube.com/watch?v=1"><div role="heading" aria-level="3">A film of it</div></a></div></div></div></div></body></html>`;
}

function pager(search: StubSearch, page: number): string {
  if (!hasNext(search)) return "";
  const text = search.behavior === "dropped" ? search.text.replace(SITE, "").trim() : search.text;
  const href = `/search?${new URLSearchParams({ q: text, start: String((page + 1) * RESULTS_PER_PAGE), udm: "14" })}`;
  return `<table><tr><td><a href="${escaped(href)}">${page + 2}</a></td><td><a id="pnnext" href="${escaped(href)}">Next</a></td></tr></table>`;
}

/**
 * Returns a result's link. With the behavior `goto`, all links contain a token instead of the URL. With `dead-goto`,
 * the third and the seventh link of a page fail. With `flaky-goto`, the first request for a link fails.
 */
function hrefOf({ behavior, text }: StubSearch, number: number, url: string): string {
  if (!/^(?:dead-|flaky-)?goto$/.test(behavior)) return url;
  const token = Buffer.from(JSON.stringify({ behavior, number, text })).toString("base64url");
  return `/goto?url=CAES${token}`;
}

interface Token {
  behavior: string;
  number: number;
  text: string;
}

/** Reads the token in a link. Returns null if the link has no valid token. */
export function readToken(url: URL): Token | null {
  const token = url.searchParams.get("url") ?? "";
  if (!token.startsWith("CAES")) return null;
  try {
    return JSON.parse(Buffer.from(token.slice(4), "base64url").toString());
  } catch {
    return null;
  }
}

/** Responds to a request for a link with this token. `times` is the number of earlier requests for the token. */
export function followToken({ behavior, number, text }: Token, method: string, times: number): Reply {
  if (method !== "GET") return { html: "" };
  const place = number % RESULTS_PER_PAGE;
  if (behavior === "dead-goto" && place === 3) return { status: 404 };
  if (behavior === "dead-goto" && place === 7)
    return { status: 302, headers: { location: "https://www.google.com/sorry/index?q=EgR" } };
  if (behavior === "flaky-goto" && times === 0) return { status: 503 };
  return { status: 302, headers: { location: result(text, number).url } };
}
