import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { readMetadata } from "../../../src/html/metadata/metadata";

function metadataOf(html: string) {
  return readMetadata(parseDocument(html), { baseUrl: "https://a.example/b/c" });
}

function jsonLd(value: unknown): string {
  return `<script type="application/ld+json">${typeof value === "string" ? value : JSON.stringify(value)}</script>`;
}

describe("each field comes from its meta elements", () => {
  const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
  const [time, later] = ["2024-05-06", "2024-05-07"];

  it.each([
    ["title", ["twitter:title", "dc.title"]],
    ["description", ["description", "twitter:description", "dc.description"]],
    ["language", ["content-language", "dc.language"]],
    ["author", ["article:author", "author", "dc.creator"]],
    ["site_name", ["application-name"]],
  ])("%s from %j, in this order", (field, names) => {
    for (const [at, name] of names.entries()) {
      const elements = names.slice(at).map((one) => meta(one, `the ${one}`));
      expect(metadataOf(elements.toReversed().join(""))).toEqual({ [field]: `the ${name}` });
    }
  });

  it.each([
    [
      "published_time",
      ["article:published_time", "date", "pubdate", "publish-date", "parsely-pub-date", "dc.date", "dcterms.created"],
    ],
    ["modified_time", ["article:modified_time", "last-modified", "dcterms.modified"]],
  ])("%s from %j, in this order", (field, names) => {
    for (const [at, name] of names.entries()) {
      const elements = names.slice(at).map((one) => meta(one, one === name ? time : later));
      expect(metadataOf(elements.toReversed().join(""))).toEqual({ [field]: time });
    }
  });

  it("from Open Graph", () => {
    const html = `${meta("og:locale", "de_AT")}${meta("og:updated_time", time)}${meta("og:url", "/d")}`;
    expect(metadataOf(html)).toEqual({
      language: "de_AT",
      modified_time: time,
      canonical_url: "https://a.example/d",
      open_graph: { locale: "de_AT", updated_time: time, url: "/d" },
    });
  });

  it("with http-equiv instead of a name", () => {
    expect(metadataOf('<meta http-equiv="Content-Language" content="de">')).toEqual({ language: "de" });
  });

  it.each([
    ["language", `<html lang="en">${meta("content-language", "de")}`, "en"],
    ["title", `${meta("twitter:title", "a")}<title>b</title>`, "a"],
    ["published_time", `${meta("date", "soon")}${meta("pubdate", time)}`, time],
    ["author", `${meta("author", " ")}${meta("author", "b")}${meta("author", "c")}`, "b"],
    ["author", `<meta property="article:author" content="b">${meta("author", "c")}`, "b"],
    ["canonical_url", `<link rel="canonical" href="/d"><link rel="canonical" href="/e">`, "https://a.example/d"],
    ["title", "<svg><title>a</title></svg><title>b</title><title>c</title>", "b"],
    ["language", '<html xml:lang="de">', "de"],
    [
      "favicon",
      '<link rel="apple-touch-icon" href="/1"><link rel="apple-touch-icon" href="/2">',
      "https://a.example/1",
    ],
    ["favicon", '<link rel="Shortcut ICON" href="/1"><link rel="icon" href="/2">', "https://a.example/1"],
  ] as const)("and from the first value that counts: %s of %s", (field, html, expected) => {
    expect(metadataOf(html)[field]).toBe(expected);
  });
});

describe("JSON-LD", () => {
  it.each([
    ["has a headline before a name", { "@type": "Article", headline: "a", name: "b" }, { title: "a" }],
    ["has a name", { "@type": "Product", name: "b" }, { title: "b" }],
    ["can have a full URL as its type", { "@type": "https://schema.org/Article", name: "a" }, { title: "a" }],
    ["can have a language node", { "@type": "Article", inLanguage: { alternateName: "de" } }, { language: "de" }],
    ["can have a creator", { "@type": "Article", creator: "a" }, { author: "a" }],
    ["names each author once", { "@type": "Article", author: ["a", { name: "a" }, "b"] }, { author: "a, b" }],
    ["has no empty author", { "@type": "Article", author: [" ", { name: "" }, "b"] }, { author: "b" }],
    ["has no URL as an author", { "@type": "Article", author: ["https://x.example/", "b"] }, { author: "b" }],
    [
      "can have the date of its creation",
      { "@type": "Article", dateCreated: "2024-05-06" },
      { published_time: "2024-05-06" },
    ],
    [
      "can name its site in isPartOf",
      { "@type": "Article", isPartOf: { name: "a" }, publisher: { name: "b" } },
      { site_name: "a" },
    ],
    [
      "names its site before its publisher",
      [
        { "@type": "Article", publisher: { name: "b" } },
        { "@type": "WebSite", name: "a" },
      ],
      { site_name: "a" },
    ],
    [
      "can be the main entity of a page",
      { "@type": "WebPage", mainEntity: { "@type": "Question", name: "a" } },
      { title: "a" },
    ],
    ["can have several texts", { "@type": "Article", headline: [{}, "a", "b"] }, { title: "a" }],
    ...(
      "Article NewsArticle BlogPosting SocialMediaPosting Report Recipe Product ProductGroup Event MusicEvent HowTo " +
      "Question Book Course Movie PodcastEpisode SoftwareApplication Dataset Message Review VideoObject"
    )
      .split(" ")
      .map((type): [string, unknown, object] => [
        `can describe a ${type}`,
        { "@type": type, name: "a" },
        { title: "a" },
      ]),
    ...["Organization", "Reporter", "RecipeBook", "Bookmark", "Courses", "Place"].map(
      (type): [string, unknown, object] => [`doesn't describe a ${type}`, { "@type": type, name: "a" }, {}],
    ),
    ["can describe a video", { "@type": "VideoObject", name: "a" }, { title: "a" }],
    [
      "describes the subject before the page",
      [
        { "@type": "WebPage", name: "a" },
        { "@type": "Recipe", name: "b" },
      ],
      { title: "b" },
    ],
    ["can be in a comment", '<!-- {"@type": "Article", "name": "a"} -->', { title: "a" }],
    ["can be in a CDATA section", '/*<![CDATA[*/ {"@type": "Article", "name": "a"} /*]]>*/', { title: "a" }],
  ])("%s", (_, value, expected) => {
    expect(metadataOf(jsonLd(value))).toEqual(expected);
  });

  it("has the language before the page's attribute", () => {
    expect(metadataOf(`<html lang="en">${jsonLd({ "@type": "Article", inLanguage: "de" })}`).language).toBe("de");
  });
});

describe("microdata", () => {
  it.each([
    ["has the first value of each property", '<b itemprop="author">a</b><b itemprop="author">b</b>', { author: "a" }],
    [
      "has the publisher",
      '<b itemprop="publisher" itemscope><i itemprop="url">x</i><i itemprop="name">a</i></b>',
      { site_name: "a" },
    ],
    ["has no name of an item without a name", '<b itemprop="author" itemscope>by a</b>', {}],
    ["has the language", '<meta itemprop="inLanguage" content="de">', { language: "de" }],
    ["has the content before the text", '<b itemprop="author" content="a">b</b>', { author: "a" }],
    [
      "can have several names for a value",
      '<time itemprop="datePublished dateModified" datetime="2024-05-06">May</time>',
      { published_time: "2024-05-06", modified_time: "2024-05-06" },
    ],
    [
      "ranks below the published time",
      '<meta property="article:published_time" content="2024-05-06"><b itemprop="datePublished">2024-05-07</b>',
      { published_time: "2024-05-06" },
    ],
    [
      "ranks above the author's meta element",
      '<meta name="author" content="a"><b itemprop="author">b</b>',
      { author: "b" },
    ],
  ])("%s", (_, html, expected) => {
    expect(metadataOf(html)).toEqual(expected);
  });
});

describe("the title, the author and the dates of a page with several articles", () => {
  const article = (title: string, author: string, day: string) => ({
    "@type": "NewsArticle",
    headline: title,
    author,
    datePublished: day,
  });
  const own = article("The old pier is closed", "Ada Keeper", "2024-05-06");
  const other = article("A new ferry for Leba", "Bea Sailor", "2023-01-02");
  const item = ({ headline, author, datePublished }: typeof own) =>
    `<article itemscope itemtype="https://schema.org/NewsArticle"><h2 itemprop="headline">${headline}</h2><b itemprop="author">${author}</b><time itemprop="datePublished">${datePublished}</time></article>`;

  it.each([
    ["JSON-LD", jsonLd([other, own])],
    ["separate JSON-LD scripts", `${jsonLd(other)}${jsonLd(own)}`],
    ["microdata", `${item(other)}${item(own)}`],
  ])("are those of the page in %s", (_, html) => {
    expect(metadataOf(`<title>The old pier is closed | Coast News</title>${html}`)).toEqual({
      title: "The old pier is closed",
      author: "Ada Keeper",
      published_time: "2024-05-06",
    });
  });

  it.each([
    ["JSON-LD", jsonLd([other, own])],
    ["microdata", `${item(other)}${item(own)}`],
  ])("aren't those of the articles that a list declares in %s", (_, html) => {
    expect(metadataOf(`<title>News of the coast</title>${html}`)).toEqual({ title: "News of the coast" });
  });
});
