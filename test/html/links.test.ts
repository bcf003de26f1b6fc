import { parseDocument } from "htmlparser2";
import { expect, it } from "vitest";
import { readLinks } from "../../src/html/links";
import { baseUrl } from "../../src/html/parse/urls";

it.each([
  ["are absolute", '<a href="d?e">a</a>', [{ url: "https://a.example/b/d?e", text: "a" }]],
  ["start from <base>", '<base href="/z/"><a href="d">a</a>', [{ url: "https://a.example/z/d", text: "a" }]],
  [
    "have their rel",
    '<a href="/d" rel="nofollow ugc">a</a>',
    [{ url: "https://a.example/d", text: "a", rel: "nofollow ugc" }],
  ],
  [
    "come once, with the first words",
    '<a href="/d"><i></i></a><a href="/e">b</a><a href="/d"> a\n c </a><a href="/d">f</a>',
    [
      { url: "https://a.example/d", text: "a c" },
      { url: "https://a.example/e", text: "b" },
    ],
  ],
  [
    "have the words of their picture",
    '<a href="/d"><img alt="a" src="e"></a>',
    [{ url: "https://a.example/d", text: "a" }],
  ],
  ["are links of maps, too", '<map><area href="/d" alt="a"></map>', [{ url: "https://a.example/d", text: "a" }]],
  ["lead to places on other pages", '<a href="/d#e">a</a>', [{ url: "https://a.example/d#e", text: "a" }]],
  ["leave out places on the page", '<a href="#e">a</a><a href="/b/c#f">b</a><a href="">c</a>', []],
  [
    "leave out what isn't the web",
    '<a href="mailto:a@b.example">a</a><a href="javascript:x()">b</a><a href="http://[">c</a>',
    [],
  ],
  [
    "have their own words where one holds another",
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
