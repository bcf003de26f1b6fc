import { describe, expect, it } from "vitest";
import { readItems } from "../../../src/html/page/microdata";
import { parsePage } from "../../../src/html/parse/document";
import { findHiddenNodes } from "../../../src/html/visibility/hidden-nodes";

function itemsOf(html: string): unknown {
  const page = parsePage(html);
  const hidden = findHiddenNodes(page);
  const items = readItems(page.document, { syntax: "microdata", toUrl: (url) => `https://a.example${url}`, hidden });
  return JSON.parse(JSON.stringify(items));
}

const item = (html: string) => `<div itemscope>${html}</div>`;

describe("a microdata value", () => {
  it.each([
    ["is the text of an element", '<b itemprop="p"> a\n b </b>', "a b"],
    ["has spaces between blocks and at line breaks", '<div itemprop="p"><p>a</p><p>b<br>c</p></div>', "a b c"],
    ["is the content attribute", '<b itemprop="p" content="a">b</b>', "a"],
    ["is the content of a <meta>", '<meta itemprop="p" content="a">', "a"],
    ["is the URL of a link", '<a itemprop="p" href="/a">b</a>', "https://a.example/a"],
    ["is the URL of an image", '<img itemprop="p" src="/a">', "https://a.example/a"],
    ["is the URL of a <link>", '<link itemprop="p" href="/a">', "https://a.example/a"],
    ["is the value of <data>", '<data itemprop="p" value="a">b</data>', "a"],
    ["is the value of <meter>", '<meter itemprop="p" value="4">b</meter>', "4"],
    ["is the time of <time>", '<time itemprop="p" datetime="2024-05-06">May</time>', "2024-05-06"],
    ["is the text of <time> without a time", '<time itemprop="p">May</time>', "May"],
    ["leaves out hidden text", '<b itemprop="p">a<i hidden>b</i></b>', "a"],
    ["leaves out scripts", '<b itemprop="p">a<script>b</script></b>', "a"],
  ])("%s", (_, html, expected) => {
    expect(itemsOf(item(html))).toEqual([{ p: expected }]);
  });
});

describe("a microdata item", () => {
  it.each([
    [
      "has the last part of its type",
      '<div itemscope itemtype=" https://schema.org/Offer https://b.example/c"><b itemprop="p">a</b></div>',
      [{ "@type": "Offer", p: "a" }],
    ],
    [
      "can have several values of a property",
      item('<b itemprop="p">a</b><b itemprop="p">b</b><b itemprop="p">c</b>'),
      [{ p: ["a", "b", "c"] }],
    ],
    ["can have several properties with one value", item('<b itemprop="p q">a</b>'), [{ p: "a", q: "a" }]],
    [
      "can be the value of a property",
      item('<div itemprop="p" itemscope><b itemprop="q">a</b></div><b itemprop="r">b</b>'),
      [{ p: { q: "a" }, r: "b" }],
    ],
    [
      "inside another one is a separate item without a property",
      item(`<b itemprop="p">a</b>${item('<b itemprop="q">b</b>')}`),
      [{ p: "a" }, { q: "b" }],
    ],
    ["without properties is left out", '<div itemscope itemtype="https://schema.org/Offer">a</div>', []],
    [
      "has no empty values",
      item('<b itemprop="p"></b><div itemprop="q" itemscope></div><b itemprop="r">a</b>'),
      [{ r: "a" }],
    ],
    ["has no hidden properties", item('<b itemprop="p">a</b><b itemprop="q" hidden>b</b>'), [{ p: "a" }]],
    ["is left out if it's hidden", '<div itemscope hidden><b itemprop="p">a</b></div>', []],
  ])("%s", (_, html, expected) => {
    expect(itemsOf(html)).toEqual(expected);
  });
});
