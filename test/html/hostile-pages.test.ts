import { describe, expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";

const OPTIONS = { url: "https://a.example/", markdown: true, text: true };

describe.each([true, false])("with onlyMainContent %s", (onlyMainContent) => {
  it.each([
    ["with a depth of 100,000", `${"<div>".repeat(100_000)}deep words`],
    ["with a depth of 1,000", `${"<div>".repeat(1_000)}deep words${"</div>".repeat(1_000)}`],
    ["with nested lists", `${"<ul><li>item ".repeat(1_000)}deep words`],
    ["with nested tables", `${"<table><tr><td>cell ".repeat(500)}deep words`],
    ["with nested quotes and emphasis", `${"<blockquote><b><i>".repeat(300)}deep words`],
    ["with unclosed elements", `deep words ${"<p><font><b>x ".repeat(1_000)}`],
    ["with unfinished tags", `<p>deep words</p>${"<a ".repeat(20_000)}`],
    ["with unclosed comments", `<p>deep words</p>${"<!--".repeat(20_000)}`],
    ["with many digits", `<p>deep words</p><p>${"1".repeat(200_000)}</p><p>${"1.,".repeat(70_000)}</p>`],
    ["with very long white space", `<pre>deep words${" ".repeat(200_000)}.</pre>`],
    ["with one long list", `<ul>${"<li>item</li>".repeat(5_000)}</ul><p>deep words</p>`],
    ["with a long list of links", `<p>deep words</p><ul>${"<li><a href=/a>item</a>".repeat(40_000)}</ul><p>a</p>`],
    ["with many code blocks", `${"<pre>a</pre>".repeat(2_000)}<p>deep words</p>`],
    [
      "with huge rowspan and colspan",
      `<table><tr><td rowspan=65534 colspan=1000>deep words</td><td>x</td></tr></table>`,
    ],
    ["with invalid attribute names", `<a href="/x""><div>deep words</div></a><p a"b'c=1>x</p>`],
  ])("extracts the text of a page %s", { timeout: 60_000 }, (_, html) => {
    const { markdown = "", text = "" } = convertHtml(html, { ...OPTIONS, onlyMainContent });
    // The words aren't always part of the main content of such a page.
    const expected = onlyMainContent ? /\w/ : /deep words/;
    expect(markdown).toMatch(expected);
    expect(text).toMatch(expected);
  });
});

it("reads style sheets with many unclosed blocks", { timeout: 60_000 }, () => {
  const sheet = `p { display: none }${"{".repeat(1_900_000)}}`;
  const { text } = convertHtml(`<style>${sheet}</style><p>hidden<div>words</div>`, {
    ...OPTIONS,
    onlyMainContent: false,
  });
  expect(text).toBe("words");
});

it("tries to compile an invalid selector once", { timeout: 20_000 }, () => {
  const selector = `p:first-child(x)${":not(.a)".repeat(1_000)}`;
  const { text } = convertHtml(`<style>${selector} { display: none }</style>${"<p>words".repeat(20_000)}`, {
    ...OPTIONS,
    onlyMainContent: false,
  });
  expect(text).toMatch(/^words\n/);
});

const LONG = "a".repeat(7_000);

it.each([
  ["a URL that is too long for a link", `<a href="/${"a".repeat(9_000)}">words</a>`, 10],
  [
    "a <base> that is too long for a link",
    `<base href="/${"a".repeat(9_000)}/">${"<a href=x>words</a> ".repeat(500)}`,
    20_000,
  ],
  ["a long <base> in many links", `<base href="/${LONG}/">${"<a href=x>words</a> ".repeat(2_000)}`, 5_000_000],
  ["a link around many paragraphs", `<a href="/${LONG}">${"words<br><br>".repeat(5_000)}</a>`, 9_000_000],
  ["lines in deep quotes", `${"<blockquote>".repeat(20)}<pre>words${"\nx".repeat(400_000)}`, 9_000_000],
  [
    "cells that span many rows and columns",
    `<table>${`<tr><td rowspan=50 colspan=50>${LONG} words<td>x`.repeat(20)}</table>`,
    500_000,
  ],
  [
    "cells that span many rows and columns, in many tables",
    `<table><tr><td rowspan=50 colspan=50>${LONG} words<td>x<tr><td>y</table>`.repeat(50),
    700_000,
  ],
])("limits the output for %s", (_, html, mostChars) => {
  const { markdown = "", text = "" } = convertHtml(html, { ...OPTIONS, onlyMainContent: false });
  expect(markdown).toContain("words");
  expect(markdown.length).toBeLessThan(mostChars);
  expect(text.length).toBeLessThan(mostChars);
});
