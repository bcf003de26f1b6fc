import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { readMetadata } from "../../../src/html/metadata/metadata";
import { toIsoTime } from "../../../src/html/page/dates";

function metadataOf(html: string) {
  return readMetadata(parseDocument(html), { baseUrl: "https://a.example/b/c" });
}

function jsonLd(value: unknown): string {
  return `<script type="application/ld+json">${typeof value === "string" ? value : JSON.stringify(value)}</script>`;
}

describe("metadata", () => {
  it.each([
    ["is empty for a page without metadata", "<p>a</p>", {}],
    ["has the title and language", "<html lang='de-AT'><title> a\n b </title>", { title: "a b", language: "de-AT" }],
    [
      "comes from meta elements",
      '<meta name="Description" content="d"><meta name="author" content="e"><meta name="date" content="2024-05-06">',
      { description: "d", author: "e", published_time: "2024-05-06" },
    ],
    [
      "has absolute URLs",
      '<link rel="canonical" href="/d"><link rel="shortcut icon" href="e.ico"><link rel="apple-touch-icon" href="f.png">',
      { canonical_url: "https://a.example/d", favicon: "https://a.example/b/e.ico" },
    ],
    ["leaves out URLs with other schemes", '<link rel="canonical" href="javascript:x()">', {}],
    [
      "includes the Open Graph properties",
      '<meta property="og:title" content="a"><meta property="og:site_name" content="b"><meta property="og:image:width" content="9"><meta property="og:title" content="c">',
      { title: "a", site_name: "b", open_graph: { title: "a", site_name: "b", "image:width": "9" } },
    ],
    [
      "prefers Open Graph to microdata, and microdata to meta elements",
      '<meta name="description" content="a"><meta property="og:title" content="b"><title>c</title><article itemscope><h1 itemprop="headline">d</h1><p itemprop="description">e</p></article>',
      { title: "b", description: "e", open_graph: { title: "b" } },
    ],
    [
      "reads nested microdata",
      '<div itemscope><p itemprop="author" itemscope>by <b itemprop="name">a</b></p><time itemprop="datePublished" datetime="2024-01-02">b</time></div>',
      { author: "a", published_time: "2024-01-02" },
    ],
    [
      "prefers JSON-LD to other sources",
      `<title>a</title>${jsonLd({ "@type": "NewsArticle", headline: "b", author: [{ name: "c" }, "d"], publisher: { name: "e" } })}`,
      { title: "b", author: "c, d", site_name: "e" },
    ],
    [
      "reads JSON-LD graphs, references and several types",
      jsonLd({
        "@graph": [
          { "@type": "WebPage", name: "page", dateModified: "2024-01-03" },
          { "@type": ["Thing", "BlogPosting"], headline: "a", author: { "@id": "#b" } },
          { "@type": "Person", "@id": "#b", name: "c" },
          { "@type": "WebSite", name: "d" },
        ],
      }),
      { title: "a", author: "c", modified_time: "2024-01-03", site_name: "d" },
    ],
    [
      "doesn't use the name of the organization as the title",
      `<title>a</title>${jsonLd([{ "@type": "Organization", name: "b", description: "c" }])}`,
      { title: "a" },
    ],
    [
      "removes markup from values",
      jsonLd({ "@type": "Article", headline: "a &amp; b", description: "<p>c</p>" }),
      { title: "a & b", description: "c" },
    ],
    [
      "repairs common mistakes in JSON-LD",
      jsonLd('{"@type": "Article", "headline": "a\nb", "author": {"name": "c",},};'),
      { title: "a b", author: "c" },
    ],
    [
      "describes the article, not its video or reviews",
      jsonLd(
        '[{"@type":"VideoObject","name":"v","uploadDate":"2001-01-01"},{"@type":"NewsArticle","headline":{"@value":"a"},"datePublished":"2024-05-06"},{"@type":"Review","author":"r"}]',
      ),
      { title: "a", published_time: "2024-05-06" },
    ],
    [
      "returns the first icon with a URL",
      '<link rel="icon" href="data:image/png;base64,AA=="><link rel="icon" href="/i.png">',
      { favicon: "https://a.example/i.png" },
    ],
    [
      "ignores a <base> in <noscript>",
      '<noscript><base href="https://b.example/"></noscript><link rel="icon" href="/i.png">',
      { favicon: "https://a.example/i.png" },
    ],
    ["skips invalid JSON-LD", `<title>a</title>${jsonLd("{ broken")}${jsonLd("null")}`, { title: "a" }],
    ["leaves out invalid times", '<meta name="date" content="yesterday">', {}],
    ["ignores a URL as the author", '<meta property="article:author" content="https://x.example/y">', {}],
  ])("%s", (_, html, expected) => {
    expect(metadataOf(html)).toEqual(expected);
  });

  it("has at most 2,000 characters per field", () => {
    expect(metadataOf(`<title>${"a ".repeat(5_000)}</title>`).title).toHaveLength(1_999);
  });
});

describe("toIsoTime", () => {
  it.each([
    ["2024-05-06T07:08:09+02:00", "2024-05-06T05:08:09.000Z"],
    ["2024-05-06 07:08 +0200", "2024-05-06T05:08:00.000Z"],
    ["2024-05-06T07:08:09.123Z", "2024-05-06T07:08:09.000Z"],
    ["2024-05-06T07:08:09", "2024-05-06T07:08:09"],
    ["2024-05-06", "2024-05-06"],
    ["20240506", "2024-05-06"],
    ["Mon, 06 May 2024 07:08:09 GMT", "2024-05-06T07:08:09.000Z"],
    ["May 6, 2024", "2024-05-06"],
    ["12 May 1875", "1875-05-12"],
    ["6 May 2024 07:08", "2024-05-06T07:08:00"],
    ["1714979289", "2024-05-06T07:08:09.000Z"],
    ["2024-5-6", "2024-05-06"],
    ["2024-05", "2024-05"],
    ["20240506T0708Z", "2024-05-06T07:08:00.000Z"],
    ["1714979289123", "2024-05-06T07:08:09.123Z"],
    ["2024-05-06T07:08+05:30", "2024-05-06T01:38:00.000Z"],
    ["6 May 2024 12:30 am", "2024-05-06T00:30:00"],
    ["6 May 2024 12:30 pm", "2024-05-06T12:30:00"],
    ["6 May 2024 07:08 CDT", "2024-05-06T12:08:00.000Z"],
    ["6 May 2024 07:08 EDT", "2024-05-06T11:08:00.000Z"],
    ["6 May 2024 07:08 CST", "2024-05-06T13:08:00.000Z"],
    ["6 May 2024 07:08 MST", "2024-05-06T14:08:00.000Z"],
    ["6 May 2024 07:08 MDT", "2024-05-06T13:08:00.000Z"],
    ["6 May 2024 07:08 PST", "2024-05-06T15:08:00.000Z"],
    ["1066-10-14", "1066-10-14"],
    ["0999-10-14", null],
    ["2201-01-01", null],
    ["May 6th, 2024", "2024-05-06"],
    ["6. May 2024", "2024-05-06"],
    ["Sept 6, 2024 at 7:08 PM", "2024-09-06T19:08:00"],
    ["Mon May 06 2024 07:08:09 GMT+0200 (CEST)", "2024-05-06T05:08:09.000Z"],
    ["Mon, 06 May 2024 07:08:09 EST", "2024-05-06T12:08:09.000Z"],
    ["06 May 2024 07:08 PDT", "2024-05-06T14:08:00.000Z"],
    ["06 May 2024 07:08 XYZ", "2024-05-06T07:08:00"],
    ["May 2024", null],
    ["Version 5", null],
    ["chapter 12", null],
    ["Sun 1", null],
    ["winter 2020", null],
    ["31 February 2024", null],
    ["2024-13-06", null],
    ["2024-02-31", null],
    ["03/04/2024", null],
    ["May", null],
    ["", null],
  ])("converts %j to %j", (value, expected) => {
    expect(toIsoTime(value)).toBe(expected);
  });
});
