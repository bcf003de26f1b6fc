import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../writers";

function markdownOf(html: string): string {
  return toMarkdown(parseDocument(html), { baseUrl: "https://a.example/" });
}

function check(cases: [string, string, string][]): void {
  it.each(cases)("%s", (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected);
  });
}

const HEAD = "<tr><th>A</th><th>B</th></tr>";

describe("tables", () => {
  const empty = "|  |  |\n| --- | --- |\n";
  check([
    [
      "take the alignment from the first row below the header",
      '<table><tr><th align="left">A</th><th align="center">B</th></tr><tr><td align="right">1</td><td>2</td></tr></table>',
      "| A | B |\n| ---: | :---: |\n| 1 | 2 |",
    ],
    [
      "can have an empty cell in the header",
      "<table><tr><td></td><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "|  | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "have the header that <thead> marks",
      "<table><thead><tr><td>A</td><td>B</td></tr></thead><tr><td>1</td><td>2</td></tr></table>",
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "have only their first caption",
      `<table><caption>C</caption><caption>D</caption>${HEAD}</table>`,
      "C\n\n| A | B |\n| --- | --- |",
    ],
    ["can have a single row with a header cell", "<table><tr><th>A</th><td>1</td></tr></table>", `${empty}| A | 1 |`],
    [
      "lose empty rows",
      `<table>${HEAD}<tr><td></td><td> </td></tr><tr><td>1</td><td>2</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "keep cells with invalid spans",
      `<table>${HEAD}<tr><td colspan="-1">1</td><td rowspan="x">2</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ],
    ["become blocks if their role is none", `<table role="none">${HEAD}</table>`, "A\n\nB"],
    ["become blocks if their role is presentation", `<table role="presentation">${HEAD}</table>`, "A\n\nB"],
    [
      "keep a paragraph of 1,000 characters in a cell",
      `<table>${HEAD}<tr><td><p>${"a".repeat(1_000)}</p></td><td>2</td></tr></table>`,
      `| A | B |\n| --- | --- |\n| ${"a".repeat(1_000)} | 2 |`,
    ],
    [
      "become blocks if a cell has a paragraph of 1,600 characters",
      `<table>${HEAD}<tr><td><p>${"a".repeat(1_600)}</p></td><td>2</td></tr></table>`,
      `A\n\nB\n\n${"a".repeat(1_600)}\n\n2`,
    ],
    [
      "keep 1,600 characters in a cell without paragraphs",
      `<table>${HEAD}<tr><td>${"a".repeat(1_600)}</td><td>2</td></tr></table>`,
      `| A | B |\n| --- | --- |\n| ${"a".repeat(1_600)} | 2 |`,
    ],
  ]);

  it.each([
    ["50 columns for one cell", "<th colspan=60>A</th>", 50],
    ["101 columns for cells that span more than 100", "<th colspan=50>A</th>".repeat(3), 101],
  ])("have at most %s", (_, cells, columns) => {
    const [header = ""] = markdownOf(`<table><tr>${cells}</tr><tr><td>1</td><td>2</td></tr></table>`).split("\n");
    expect(header.split("|")).toHaveLength(columns + 2);
  });
});

describe("lists", () => {
  check([
    ["have no rules between their items", "<ul><li>a</li><hr><li>b</li></ul>", "- a\n- b"],
    ["can be menus", "<menu><li>a</li><li>b</li></menu>", "- a\n- b"],
    ["can count down", "<ol reversed><li>a</li><li>b</li></ol>", "2. a\n1. b"],
    ["can count down from a number", '<ol reversed start="9"><li>a</li><li>b</li></ol>', "9. a\n8. b"],
    ["can start at 0", '<ol start="0"><li>a</li><li>b</li></ol>', "0. a\n1. b"],
    ["can have the number 0 in the middle", '<ol><li>a</li><li value="0">b</li><li>c</li></ol>', "1. a\n0. b\n1. c"],
    ["ignore a negative number", '<ol><li>a</li><li value="-5">b</li></ol>', "1. a\n2. b"],
    ["don't count empty items", "<ol><li>a</li><li></li><li>b</li></ol>", "1. a\n2. b"],
    [
      "use the first checkbox of an item",
      "<ul><li><input type=checkbox checked><input type=checkbox> a</li></ul>",
      "- [x] a",
    ],
    ["ignore a checkbox after text", "<ul><li>a <input type=checkbox></li></ul>", "- a"],
    ["ignore other fields", "<ul><li><input type=radio checked> a</li></ul>", "- a"],
    ["can start with a list", "<ul><ul><li>a</li></ul><li>b</li></ul>", "- - a\n- b"],
    ["are implied by items without a list", "<div><li>a</li><li>b</li></div><p>c</p>", "- a\n- b\n\nc"],
    ["have at most 19 levels of quotes", `${"<blockquote>".repeat(30)}a`, `${"> ".repeat(19)}a`],
  ]);

  it("keep their structure on a page with many lists", () => {
    const html = "<ul><li>a<ul><li>b</ul></ul><p>c</p>".repeat(30);
    expect(markdownOf(html)).toBe(Array(30).fill("- a\n  - b\n\nc").join("\n\n"));
  });

  it("have a limited depth", () => {
    const line =
      markdownOf(`${"<ul><li>".repeat(30)}a`)
        .split("\n")
        .at(-1) ?? "";
    expect(line).toBe(`${"- ".repeat(19)}a`);
  });
});

describe("marks", () => {
  check([
    [
      "are left out if their style resets them",
      '<b style="font-weight: normal">a</b> <i style="font-style:normal">b</i>',
      "a b",
    ],
    ["of bold text are left out in headings", "<h2><b>A</b> <i>b</i></h2>", "## A _b_"],
    ["of deleted text can have the tag <strike> or <s>", "<p><strike>a</strike> <s>b</s></p>", "~~a~~ ~~b~~"],
    ["of superscripts are left out around links", '<p>a<sup><a href="/x">1</a></sup></p>', "a[1](https://a.example/x)"],
    ["of superscripts are left out inside links", '<a href="/x">a<sup>2</sup></a>', "[a2](https://a.example/x)"],
    ["of superscripts aren't repeated", "a<sup>b<sup>c</sup></sup>", "a<sup>bc</sup>"],
    ["of superscripts are left out at trademarks", "a<sup>TM</sup> b<sup>®</sup>", "aTM b®"],
  ]);
});

describe("text", () => {
  check([
    [
      "has escaped bars only in cells",
      `<p>a | b</p><table>${HEAD}<tr><td>a | b</td></tr></table>`,
      "a | b\n\n| A | B |\n| --- | --- |\n| a \\| b |  |",
    ],
    ["has no parentheses for empty ruby text", "<ruby>a<rt> </rt></ruby>", "a"],
    ["has quotation marks for <q>", "a <q>b</q>", "a “b”"],
    ["has no spaces after a line break", "<p>a<br> b</p>", "a\\\nb"],
    ["has separate code for separate elements", "<code>a</code> <code>b</code>", "`a` `b`"],
    ["joins adjacent code", "<code>a</code><code>b</code>", "`ab`"],
    [
      "has no empty code for empty lines in a cell",
      `<table>${HEAD}<tr><td><pre>a\n\nb</pre></td><td>2</td></tr></table>`,
      "| A | B |\n| --- | --- |\n| `a`<br>`b` | 2 |",
    ],
    ["keeps its marks at a depth of 400", `${"<div>".repeat(400)}<b>a</b><script>x</script><p>b`, "**a**\n\nb"],
    ["has no scripts, styles and templates", "a<script>b</script><style>c</style><template>d</template>", "a"],
    ["has the contents of a shadow root", '<div><template shadowrootmode="open">a</template></div>', "a"],
  ]);
});

describe("links", () => {
  check([
    [
      "around a heading become the heading's text",
      '<a href="/x"><p>a</p><h3>B</h3></a>',
      "a\n\n### [B](https://a.example/x)",
    ],
    [
      "around paragraphs become the text of the first one",
      '<a href="/x"><p>a</p><p>b</p></a>',
      "[a](https://a.example/x)\n\nb",
    ],
    [
      "around paragraphs become the text of the first one with an image",
      '<a href="/x"><p></p><p><img src="/i" alt="i"></p><p>b</p></a>',
      "[![i](https://a.example/i)](https://a.example/x)\n\nb",
    ],
    [
      "around blocks contain no other links",
      '<a href="/x"><h3>A</h3><div>b <a href="/y">c</a></div></a><p><a href="/z">d</a></p>',
      "### [A](https://a.example/x)\n\nb c\n\n[d](https://a.example/z)",
    ],
    ["in links are left out", '<a href="/x">a <span><a href="/y">b</a></span></a>', "[a b](https://a.example/x)"],
    [
      "have no title that repeats their text",
      '<a href="/x" title="A B">a <b>b</b></a>',
      "[a **b**](https://a.example/x)",
    ],
    ["have a title", '<a href="/x" title="c">a</a>', '[a](https://a.example/x "c")'],
    [
      "with an image are kept in headings",
      '<h2>A <a href="/x"><img src="/b" alt="b"></a></h2>',
      "## A [![b](https://a.example/b)](https://a.example/x)",
    ],
    ["with the text # are kept outside of headings", '<p>a <a href="/x">#</a></p>', "a [#](https://a.example/x)"],
  ]);
});

describe("footnotes", () => {
  const list = (back: string) => `<ol class="footnotes"><li id="n">b ${back}</li></ol>`;
  const expected = "a[^1]\n\n[^1]: b";
  check([
    ["are found by a link with a path", `<p>a<a href="/c#n">1</a></p>${list("")}`, expected],
    [
      "are in a section with the role doc-endnotes",
      '<p>a<a href="#n">1</a></p><section role="doc-endnotes"><ol><li id="n">b</li></ol></section>',
      expected,
    ],
    [
      "are in a section with the attribute data-footnotes",
      '<p>a<a href="#n">1</a></p><section data-footnotes><ol><li id="n">b</li></ol></section>',
      expected,
    ],
    ["lose a link back with an arrow", `<p>a<a href="#n">1</a></p>${list('<a href="#r">↑</a>')}`, expected],
    [
      "lose a link back by its role",
      `<p>a<a href="#n">1</a></p>${list('<a role="doc-backlink" href="#r">back</a>')}`,
      expected,
    ],
    [
      "lose a link back by its class",
      `<p>a<a href="#n">1</a></p>${list('<a class="reversefootnote" href="#r">back</a>')}`,
      expected,
    ],
    ["are items with an id", '<p>a</p><ol class="footnotes"><li id="n"><p id="m">b</p></li></ol>', "a\n\n[^1]: b"],
    [
      "have no text if the item is empty",
      '<p>a<a href="#n">1</a></p><ol class="footnotes"><li id="n"></li></ol>',
      "a[^1]",
    ],
    ["aren't paragraphs with the class footnotes", '<p>a</p><p class="footnotes">b</p>', "a\n\nb"],
    [
      "are numbered in their order",
      '<p>a<a href="#m">x</a></p><ol class="footnotes"><li id="n">b<li id="m">c</ol>',
      "a[^2]\n\n[^1]: b\n\n[^2]: c",
    ],
    [
      "aren't the chapters of a table of contents",
      '<p id="toc"><a href="#one">1</a></p><section id="one"><h2>b</h2><p>c <a href="#toc">top</a></p></section>',
      "[1](https://a.example/#one)\n\n## b\n\nc [top](https://a.example/#toc)",
    ],
    ["aren't links if they're not on the page", '<p>a<sup><a href="#cite_note-1">[1]</a></sup></p>', "a[1]"],
  ]);
});

describe("the footnotes of a generator become definitions", () => {
  it.each([
    [
      "Substack",
      '<p>a<a class="footnote-anchor" id="r" href="#n">1</a></p><div class="footnote"><a id="n" href="#r">1</a><div><p>b</p></div></div>',
    ],
    [
      "Ghost and markdown-it",
      '<p>a<sup><a href="#n" id="r">[1]</a></sup></p><hr><section class="footnotes"><ol><li id="n"><p>b <a href="#r">↩︎</a></p></li></ol></section>',
    ],
    [
      "WordPress",
      '<p>a<sup data-fn="n" class="fn"><a id="r" href="#n">1</a></sup></p><ol class="wp-block-footnotes"><li id="n">b <a href="#r" aria-label="Jump to footnote reference 1">↩︎</a></li></ol>',
    ],
    [
      "Easy Footnotes",
      '<p>a<span id="r"></span><span><a href="#n" title="b"><sup>1</sup></a></span></p><ol><li><span id="n"></span>b<a class="easy-footnote-to-top" href="#r"></a></li></ol>',
    ],
    [
      "kramdown, Hugo and Bigfoot",
      '<p>a<sup id="r:1"><a href="#n:1" rel="footnote">1</a></sup></p><div><ol><li id="n:1"><p>b <a href="#r:1" title="return to article">↩</a></p></li></ol></div>',
    ],
    [
      "Pandoc",
      '<p>a<a href="#n" id="r" role="doc-noteref"><sup>1</sup></a></p><section role="doc-endnotes"><hr><ol><li id="n"><p>b<a href="#r" role="doc-backlink">↩︎</a></p></li></ol></section>',
    ],
    [
      "LaTeXML",
      '<p>a<span class="ltx_note ltx_role_footnote"><sup>1</sup><span><span><sup>1</sup><span class="ltx_tag">1</span>b</span></span></span></p>',
    ],
    [
      "TeX4ht",
      '<p>a<span><a href="#n" id="r"><sup>1</sup></a></span></p><div><p><span><a href="#r" id="n"><sup>1</sup></a></span><span>b</span></p></div>',
    ],
    [
      "Google Docs",
      '<p>a<sup><a href="#n" id="r">[1]</a></sup></p><hr><div><p><a href="#r" id="n">[1]</a><span>&nbsp;b</span></p></div>',
    ],
    [
      "Word",
      '<p>a<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a></p><div><hr><div id="ftn1"><p><a href="#_ftnref1" name="_ftn1">[1]</a> b</p></div></div>',
    ],
    ["EPUB", '<p>a<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>1. b</p></aside>'],
    [
      "Docutils",
      '<p>a<a href="#n" id="r" role="doc-noteref"><span>[</span>1<span>]</span></a></p><aside id="n" role="doc-footnote"><span><span>[</span><a role="doc-backlink" href="#r">1</a><span>]</span></span><p>b</p></aside>',
    ],
    [
      "old Docutils",
      '<p>a<a href="#n" id="r">1</a></p><dl><dt id="n"><span><a href="#r">1</a></span></dt><dd><p>b</p></dd></dl>',
    ],
    [
      "Wikipedia",
      '<p>a<sup id="r-0"><a href="#n"><span>[</span>1<span>]</span></a></sup></p><ol><li id="n"><span>^ <a href="#r-0"><sup><i>a</i></sup></a> <a href="#r-1"><sup><i>b</i></sup></a></span> <span>b</span></li></ol><p id="r-1"></p>',
    ],
    ["a page with symbols", '<p>a<a href="#n" id="r">*</a></p><p id="n"><a href="#r">*</a> b</p>'],
  ])("%s", (_, html) => {
    expect(markdownOf(html)).toBe("a[^1]\n\n[^1]: b");
  });
});
