// A stand-in for Bing as of 2025 and 2026: https://www.bing.com/search on desktops and phones, and as a feed.

import type { Reply } from "./exchange.ts";
import { escaped, hasNext, RESULTS_PER_PAGE, resultsOf, type StubResult, type StubSearch } from "./search.ts";

export const bing = {
  textOf: (url: URL): string => url.searchParams.get("q") ?? "",
  /**
   * Bing ignores `first` if FORM is missing, and returns the first page instead of a later page. The feed doesn't need
   * FORM.
   */
  pageOf: (url: URL): number => {
    const isPaged = /^PERE\d*$/.test(url.searchParams.get("FORM") ?? "") || url.searchParams.get("format") === "rss";
    return isPaged ? Math.floor((Number(url.searchParams.get("first") ?? 1) - 1) / RESULTS_PER_PAGE) : 0;
  },
  paths: ["/search"],
  serve: serveSearch,
};

function serveSearch(search: StubSearch, url: URL): Reply {
  const isFeed = url.searchParams.get("format") === "rss";
  switch (search.behavior) {
    case "blocked":
      return { html: CAPTCHA };
    case "captcha":
    case "off-topic":
      if (isFeed) return feed({ ...search, behavior: "" });
      return search.behavior === "captcha" ? { html: CAPTCHA } : resultPage(search);
    case "challenge":
      if (isFeed) return feed({ ...search, behavior: "" });
      return search.isBrowser ? { status: 403, html: CHALLENGE } : { html: CAPTCHA };
    case "plain-captcha":
      return search.isBrowser || isFeed ? resultPage(search) : { html: CAPTCHA };
    case "plain-off-topic":
      return resultPage({ ...search, behavior: search.isBrowser ? "" : "off-topic" });
    case "none":
      return isFeed ? feed(search) : { html: nonePage(search.text) };
    case "unknown":
      return {
        html: `<title>${escaped(search.text)} - Search</title><div id="b_content"><p>Something new.</p></div>`,
      };
    default:
      return isFeed ? feed(search) : resultPage(search);
  }
}

const CAPTCHA = `<!doctype html><html lang="en"><head><title>Search</title><style>#b_results > .b_algo { padding: 1px }</style></head><body>
<div class="captcha"><div class="captcha_header">One last step</div><div class="captcha_text">Please solve the challenge below to continue</div>
<div id="turnstile-widget"></div></div></body></html>`;

/** The challenge page of a bot protection. */
const CHALLENGE = `<!doctype html><html><head><title>Just a moment...</title></head><body>
<script>window._cf_chl_opt={cvId:"3",cType:"managed",cRay:"8f0"};</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f0"></script></body></html>`;

function nonePage(text: string): string {
  return `<!doctype html><html lang="en"><head><title>${escaped(text)} - Search</title></head><body><ol id="b_results">
<li class="b_no"><h1>There are no results for <strong>${escaped(text)}</strong></h1></li></ol></body></html>`;
}

function resultPage(search: StubSearch): Reply {
  const results = resultsOf(search);
  if (results.length === 0) return { html: nonePage(search.text) };
  const items = results.map((found) => {
    const item = search.isMobile ? mobileItem(found) : desktopItem(found);
    return search.behavior === "half-renamed" && found.number % 2 === 0 ? item.replace("b_algo", "x1") : item;
  });
  return {
    html: `<!doctype html><html lang="en"><head><title>${escaped(search.text)} - Search</title></head><body>
<div id="bnp_container"><button id="bnp_btn_accept">Accept</button></div><div id="b_content"><div id="b_tween"><span class="sb_count">About 55,900 results</span></div>
<ol id="b_results"><li class="b_ad"><ul><li><h2><a href="https://www.bing.com/aclick?ld=e8">Everything, cheap</a></h2></li></ul></li>
${items.join("\n")}
<li class="b_ans b_vidAns"><h2><a href="/videos/search?q=x">Videos</a></h2><div class="b_algo"><h2><a href="https://video.example.com/">A film of it</a></h2></div></li>
<li class="b_msg"><p>Some results have been removed.</p></li>${pager(search)}</ol>
<div id="b_context"><li class="b_algo"><h2><a href="https://side.example.com/">At the side</a></h2></li></div></div></body></html>`,
  };
}

function desktopItem({ number, title, url, snippet, date }: StubResult): string {
  return `<li class="b_algo"><div class="b_tpcn"><a class="tilk" href="${escaped(hrefOf(number, url))}"><div class="tptt">Site ${number}</div><cite>https://site-${number}.example.com</cite></a></div>
<h2><a href="${escaped(hrefOf(number, url))}">${escaped(title)}</a></h2><div class="b_caption"><p class="b_lineclamp2"><span class="algoSlug_icon">WEB</span>${date && `<span class="news_dt">${date}</span> · `}${escaped(snippet)}</p></div></li>`;
}

function mobileItem({ number, title, url, snippet, date }: StubResult): string {
  return `<li class="b_algo"><div class="b_algoheader"><a href="${escaped(hrefOf(number, url))}"><h2>${escaped(title)}</h2></a></div>
<div class="b_caption"><p class="b_lineclamp3">${date && `${date} · `}${escaped(snippet)}</p></div></li>`;
}

/** Returns Bing's redirect URL for odd-numbered results, and the plain URL for even-numbered results. */
function hrefOf(number: number, url: string): string {
  if (number % 2 === 0) return url;
  return `https://www.bing.com/ck/a?!&&p=0af&ptn=3&u=a1${Buffer.from(url).toString("base64url")}&ntb=1`;
}

function pager(search: StubSearch): string {
  if (!hasNext(search) && search.behavior !== "repeat") return "";
  const [page, form] = [search.page + 1, search.page > 0 ? `PERE${search.page}` : "PERE"];
  const query = new URLSearchParams({ q: search.text, first: String(page * RESULTS_PER_PAGE + 1), FORM: form });
  const href = escaped(`/search?${query}`);
  return `<li class="b_pag"><nav><a class="sb_pagS">${page}</a><a href="${href}">${page + 1}</a><a class="sb_pagN" href="${href}">Next</a></nav></li>`;
}

function feed(search: StubSearch): Reply {
  const items = resultsOf(search).map(
    ({ title, url, snippet }) =>
      `<item><title>${escaped(title)}</title><link>${escaped(url)}</link><description>${escaped(snippet)}</description><pubDate>Fri, 31 Oct 2025 08:00:00 GMT</pubDate></item>`,
  );
  return {
    headers: { "content-type": "text/xml; charset=utf-8" },
    html: `<?xml version="1.0" encoding="utf-8" ?><rss version="2.0"><channel><title>Bing: ${escaped(search.text)}</title><link>https://www.bing.com/search</link>${items.join("")}</channel></rss>`,
  };
}
