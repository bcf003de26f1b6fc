import { expect, it } from "vitest";
import { readLinks } from "../../src/html/links";
import { parseDocument } from "../../src/html/parse/document";
import { baseUrl } from "../../src/html/parse/urls";

it.each([
  ["are absolute", '<a href="d?e">a</a>', [{ url: "https://a.example/b/d?e", text: "a" }]],
  ["are resolved against <base>", '<base href="/z/"><a href="d">a</a>', [{ url: "https://a.example/z/d", text: "a" }]],
  [
    "include the rel attribute",
    '<a href="/d" rel="nofollow ugc">a</a>',
    [{ url: "https://a.example/d", text: "a", rel: "nofollow ugc" }],
  ],
  [
    "have all words of their elements",
    '<a href="/d">a <b>b</b> <i>c</i></a>',
    [{ url: "https://a.example/d", text: "a b c" }],
  ],
  [
    "are listed once, with the first text",
    '<a href="/d"><i></i></a><a href="/e">b</a><a href="/d"> a\n c </a><a href="/d">f</a>',
    [
      { url: "https://a.example/d", text: "a c" },
      { url: "https://a.example/e", text: "b" },
    ],
  ],
  [
    "have the alternative text of their image",
    '<a href="/d"><img alt="a" src="e"></a>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  [
    "include the areas of image maps",
    '<map><area href="/d" alt="a"></map>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  [
    "without text have their label",
    '<a href="/d" aria-label="a" title="b"> </a>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  [
    "without text and label have their title",
    '<a href="/d" title="a"><img alt="b"></a>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  [
    "have the first alternative text of their images",
    '<a href="/d"><img alt=""><img alt="a"><img alt="b"></a>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  [
    "have no text of scripts and styles",
    '<a href="/d">a<style>b</style></a>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  [
    "have no white space around rel",
    '<a href="/d" rel=" nofollow ">a</a>',
    [{ url: "https://a.example/d", text: "a", rel: "nofollow" }],
  ],
  ["lose an empty rel", '<a href="/d" rel=" ">a</a>', [{ url: "https://a.example/d", text: "a" }]],
  ["include the page itself", '<a href="/b/c">a</a>', [{ url: "https://a.example/b/c", text: "a" }]],
  ["keep the fragment of another page", '<a href="/d#e">a</a>', [{ url: "https://a.example/d#e", text: "a" }]],
  ["leave out fragments of the same page", '<a href="#e">a</a><a href="/b/c#f">b</a><a href="">c</a>', []],
  [
    "leave out URLs that aren't http or https",
    '<a href="mailto:a@b.example">a</a><a href="javascript:x()">b</a><a href="http://[">c</a>',
    [],
  ],
  [
    "have separate texts if one contains another",
    '<a href="/d">a <a href="/e">b</a></a>',
    [
      { url: "https://a.example/d", text: "a" },
      { url: "https://a.example/e", text: "b" },
    ],
  ],
])("links %s", (_, html, expected) => {
  const document = parseDocument(html);
  expect(readLinks(document, { baseUrl: baseUrl(document, "https://a.example/b/c") })).toEqual(expected);
});
