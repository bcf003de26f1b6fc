import { expect, it } from "vitest";
import { readLinks } from "../../../src/html/links";
import { readMetadata } from "../../../src/html/metadata/metadata";
import { parseDocument } from "../../../src/html/parse/document";
import { toMarkdown, toText } from "../writers";

const BASE = { baseUrl: "https://a.example/" };

it.each([
  ["with a depth of 30,000", `${"<div>".repeat(30_000)}deep words`],
  ["with nested lists", `${"<ul><li>item ".repeat(10_000)}deep words`],
  ["with nested tables", `${"<table><tr><td>cell ".repeat(10_000)}deep words`],
  ["with nested quotes and emphasis", `${"<blockquote><b><i>".repeat(10_000)}deep words`],
  ["with unclosed links", `${"<a href=x><div>y ".repeat(10_000)}deep words`],
  ["with nested code", `${"<code>x<br>".repeat(10_000)}deep words`],
  ["with nested superscripts and subscripts", `${"<sup>x<sub>y".repeat(10_000)}deep words`],
  ["with very long white space", `<pre>deep words${" ".repeat(500_000)}.</pre>`],
  [
    "with huge rowspan and colspan",
    `<table>${"<tr><td rowspan=65534 colspan=1000>deep words<td>x".repeat(1_000)}</table>`,
  ],
  [
    "with one row of many cells",
    `<table><tr>${"<td>a".repeat(5_000)}${"<tr><td>deep words<td>b".repeat(10_000)}</table>`,
  ],
  ["with many asterisks", `<p>deep words ${"*".repeat(300_000)}`],
  ["with many bare URLs", `<p>deep words ${"www.".repeat(100_000)}*`],
  ["with many line breaks", `<p>deep words${"<br>a".repeat(60_000)}`],
  ["with a huge source set", `<p>deep words<img srcset="${"a".repeat(500_000)} b b">`],
])("takes linear time for a page %s", { timeout: 60_000 }, (_, html) => {
  const document = parseDocument(html);
  for (const convert of [toMarkdown, toText]) expect(convert(document, BASE)).toContain("deep words");
  expect(readMetadata(document, BASE)).toEqual({});
  readLinks(document, BASE);
});

it.each([toMarkdown, toText])("doesn't change the tree", (convert) => {
  const html = "<ul><li>a<div><b>b<p>c</p></b></div></ul><table><tr><td>d<td><pre>e</pre></table>";
  const document = parseDocument(html);
  const first = convert(document, BASE);
  expect(convert(document, BASE)).toBe(first);
});
