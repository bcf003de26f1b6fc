import { describe, expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";

const OPTIONS = { url: "https://a.example/", markdown: true, text: true };

describe.each([true, false])("with onlyMainContent %s", (onlyMainContent) => {
  it.each([
    ["nested a hundred thousand deep", `${"<div>".repeat(100_000)}deep words`],
    ["nested a thousand deep", `${"<div>".repeat(1_000)}deep words${"</div>".repeat(1_000)}`],
    ["of nested lists", `${"<ul><li>item ".repeat(1_000)}deep words`],
    ["of nested tables", `${"<table><tr><td>cell ".repeat(500)}deep words`],
    ["of nested quotes and stress", `${"<blockquote><b><i>".repeat(300)}deep words`],
    ["of tags that never close", `deep words ${"<p><font><b>x ".repeat(1_000)}`],
    ["of tags that never end", `<p>deep words</p>${"<a ".repeat(20_000)}`],
    ["of comments that never end", `<p>deep words</p>${"<!--".repeat(20_000)}`],
    ["with white space without end", `<pre>deep words${" ".repeat(200_000)}.</pre>`],
    ["with one long list", `<ul>${"<li>item</li>".repeat(5_000)}</ul><p>deep words</p>`],
    ["with many code blocks", `${"<pre>a</pre>".repeat(2_000)}<p>deep words</p>`],
    ["with spans past reason", `<table><tr><td rowspan=65534 colspan=1000>deep words</td><td>x</td></tr></table>`],
    ["with attributes that can't be written", `<a href="/x""><div>deep words</div></a><p a"b'c=1>x</p>`],
  ])("gives the words of a page %s", { timeout: 20_000 }, (_, html) => {
    const { markdown = "", text = "" } = convertHtml(html, { ...OPTIONS, onlyMainContent });
    expect(markdown).toContain("deep words");
    expect(text).toContain("deep words");
  });
});
