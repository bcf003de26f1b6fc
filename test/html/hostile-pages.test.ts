import { describe, expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";

const OPTIONS = { url: "https://a.example/", markdown: true, text: true };

describe.each([true, false])("with onlyMainContent %s", (onlyMainContent) => {
  it.each([
    ["nested a hundred thousand deep", `${"<div>".repeat(100_000)}deep words`],
    ["nested a thousand deep", `${"<div>".repeat(1_000)}deep words${"</div>".repeat(1_000)}`],
    ["of nested lists", `${"<ul><li>item ".repeat(1_000)}deep words`],
    ["of nested tables", `${"<table><tr><td>cell ".repeat(500)}deep words`],
    ["of nested quotes and emphasis", `${"<blockquote><b><i>".repeat(300)}deep words`],
    ["of tags that never close", `deep words ${"<p><font><b>x ".repeat(1_000)}`],
    ["of tags that never end", `<p>deep words</p>${"<a ".repeat(20_000)}`],
    ["of comments that never end", `<p>deep words</p>${"<!--".repeat(20_000)}`],
    ["with white space without end", `<pre>deep words${" ".repeat(200_000)}.</pre>`],
    ["with one long list", `<ul>${"<li>item</li>".repeat(5_000)}</ul><p>deep words</p>`],
    ["with many code blocks", `${"<pre>a</pre>".repeat(2_000)}<p>deep words</p>`],
    ["with spans past reason", `<table><tr><td rowspan=65534 colspan=1000>deep words</td><td>x</td></tr></table>`],
    ["with attributes that can't be written", `<a href="/x""><div>deep words</div></a><p a"b'c=1>x</p>`],
  ])("gives the words of a page %s", { timeout: 60_000 }, (_, html) => {
    const { markdown = "", text = "" } = convertHtml(html, { ...OPTIONS, onlyMainContent });
    expect(markdown).toContain("deep words");
    expect(text).toContain("deep words");
  });
});

const LONG = "a".repeat(7_000);

it.each([
  ["an address too long for a link", `<a href="/${"a".repeat(9_000)}">words</a>`, 10],
  ["a base too long for one", `<base href="/${"a".repeat(9_000)}/">${"<a href=x>words</a> ".repeat(500)}`, 20_000],
  ["a long base and many links", `<base href="/${LONG}/">${"<a href=x>words</a> ".repeat(2_000)}`, 5_000_000],
  ["a link around many paragraphs", `<a href="/${LONG}">${"words<br><br>".repeat(5_000)}</a>`, 9_000_000],
  ["lines in deep quotes", `${"<blockquote>".repeat(20)}<pre>words${"\nx".repeat(400_000)}`, 9_000_000],
  [
    "cells that span many places",
    `<table>${`<tr><td rowspan=50 colspan=50>${LONG} words<td>x`.repeat(20)}</table>`,
    500_000,
  ],
  [
    "tables of such cells",
    `<table><tr><td rowspan=50 colspan=50>${LONG} words<td>x<tr><td>y</table>`.repeat(50),
    700_000,
  ],
])("doesn't repeat %s without end", (_, html, mostChars) => {
  const { markdown = "", text = "" } = convertHtml(html, { ...OPTIONS, onlyMainContent: false });
  expect(markdown).toContain("words");
  expect(markdown.length).toBeLessThan(mostChars);
  expect(text.length).toBeLessThan(mostChars);
});
