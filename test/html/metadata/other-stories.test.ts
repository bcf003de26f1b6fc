import { describe, expect, it } from "vitest";
import { readMetadata } from "../../../src/html/metadata/metadata";
import { parseDocument } from "../../../src/html/parse/document";

const TEXT = `<p>${"The keepers close the old pier in winter, because the planks are wet and the wind is strong. ".repeat(3)}</p>`;
const URL = "https://gazette.example/news/old-pier-is-closed";
const TITLE = "The old pier is closed until spring";
const HEAD = `<title>${TITLE} – The Harbor Gazette</title><meta property="og:title" content="${TITLE} – The Harbor Gazette">`;
const BYLINE = '<p class="byline">By Ada Keeper</p><time datetime="2024-05-06">May 6, 2024</time>';
const teaser = (day: string, title = "A new ferry for Leba") =>
  `<a href="/news/ferry"><h3>${title}</h3></a><span class="by">By Bea Sailor</span><time datetime="${day}">${day}</time>`;
const cards = (tag: string) =>
  `<div class="row">${["2023-01-01", "2023-02-02", "2023-03-03"].map((day) => `<${tag} class="card">${teaser(day)}</${tag}>`).join("")}</div>`;
const ARTICLE = `<article><h1>${TITLE}</h1>${BYLINE}${TEXT}${TEXT}</article>`;
const UNDATED = `<article><h1>${TITLE}</h1>${TEXT}${TEXT}</article>`;

function metadataOf(html: string) {
  const { title, author, published_time } = readMetadata(parseDocument(html), { baseUrl: URL });
  return { title, author, published_time };
}

const OWN = { title: TITLE, author: "Ada Keeper", published_time: "2024-05-06" };
const NONE = { title: TITLE, author: undefined, published_time: undefined };

describe("the title, the author and the date", () => {
  it.each([
    ["cards above it", `<main>${cards("div")}${ARTICLE}</main>`, OWN],
    ["cards above it, without facts of its own", `<main>${cards("article")}${UNDATED}</main>`, NONE],
    [
      "a card above it, without facts of its own",
      `<article class="hero">${teaser("2023-01-01")}</article>${UNDATED}`,
      NONE,
    ],
    ["a list above it, without facts of its own", `<ul>${cards("li")}</ul>${UNDATED}`, NONE],
    [
      "cards below a short text",
      `<article><h1>${TITLE}</h1><p>It opens again in March.</p></article>${cards("div")}`,
      NONE,
    ],
    ["a sidebar", `${UNDATED}<aside>${teaser("2023-01-01")}</aside>`, NONE],
    ["a sidebar above it", `<aside>${teaser("2023-01-01")}</aside>${UNDATED}`, NONE],
    ["related stories", `${UNDATED}<section><h2>Related stories</h2>${cards("div")}</section>`, NONE],
    [
      "an article that scrolling appended",
      `<article><h1>${TITLE}</h1><p>It opens again in March.</p></article><article><h1>Ferries</h1>${BYLINE}${TEXT}</article>`,
      NONE,
    ],
    [
      "an appended article with <meta> elements",
      `${UNDATED}<article><meta property="article:published_time" content="2023-01-01"><h1>Ferries</h1>${BYLINE}${TEXT}</article>`,
      NONE,
    ],
    [
      "the microdata of a card above it",
      `<article itemscope itemtype="https://schema.org/Article"><h3 itemprop="headline">Ferries</h3><b itemprop="author">Bea Sailor</b><time itemprop="datePublished" datetime="2023-01-01"></time></article>${UNDATED}`,
      NONE,
    ],
    [
      "the site's name in <h1>",
      `<header><h1><a href="/">The Harbor Gazette</a></h1></header><main><h2>${TITLE}</h2>${BYLINE}${TEXT}</main>`,
      OWN,
    ],
    [
      "the site's logo in <h1>",
      `<h1 class="logo"><a href="/"><img src="/logo.svg" alt="The Harbor Gazette"></a></h1><h2>${TITLE}</h2>${BYLINE}${TEXT}`,
      OWN,
    ],
    [
      "the site's name in <h1> without a link",
      `<h1 class="site-title">The Harbor Gazette</h1><article><h2>${TITLE}</h2>${BYLINE}${TEXT}</article>`,
      OWN,
    ],
    ["headings that repeat the title's words", `<h1>The Harbor Gazette: news of the pier</h1>${ARTICLE}`, OWN],
    ["no heading", `<article>${BYLINE}${TEXT}</article>`, { ...OWN, author: undefined }],
  ])("aren't those of %s", (_, html, expected) => {
    expect(metadataOf(`<head>${HEAD}</head><body>${html}</body>`)).toEqual(expected);
  });
});
