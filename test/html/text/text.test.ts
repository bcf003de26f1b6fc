import { expect, it } from "vitest";
import { parseDocument } from "../../../src/html/parse/document";
import { toText } from "../writers";

it.each([
  ["separates paragraphs with a blank line", "<p>a\n b</p><div>c</div>", "a b\n\nc"],
  ["writes headings without markup", "<h1>About us</h1><p>a</p>", "About us\n\na"],
  [
    "writes lists with dashes and numbers",
    "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li><p>d</p></li></ul>",
    "- a\n  1. b\n  2. c\n- d",
  ],
  [
    "writes tables as aligned rows",
    '<table><tr><th>A</th><th>B</th><th align="right">C</th></tr><tr><td>1<br>2</td><td></td><td>10</td></tr></table>',
    "A    B   C\n1 2     10",
  ],
  ["writes only the text of links", '<p><a href="/x">a</a>, <a href="mailto:b@c.example">b</a></p>', "a, b"],
  [
    "has no markdown punctuation",
    "<p><b>a</b> <i>b</i> <code>c</code> <del>d</del></p><blockquote>e</blockquote><hr><p>*</p>",
    "a b c d\n\ne\n\n*",
  ],
  ["keeps the white space of code", "<p>a</p><pre>  b\n\n    c</pre>", "a\n\n  b\n\n    c"],
  ["keeps line breaks", "<p>a<br>b<br><br>c</p>", "a\nb\n\nc"],
  ["keeps terms with their definitions", "<dl><dt>a</dt><dd>b</dd></dl><p>c</p>", "a\n  b\n\nc"],
  [
    "writes the alternative text of an image only within a sentence",
    '<p><img src="/a" alt="a"></p><p>b <img src="/c" alt="c">.</p>',
    "b c.",
  ],
  [
    "doesn't separate words at inline elements",
    "<p>un<em>believ</em>able <span>a</span><span>b</span></p>",
    "unbelievable ab",
  ],
  [
    "writes the alternative text of an image at the start or end of a line",
    '<p><img src="/a" alt="a"> b</p><p>c <img src="/d" alt="d"></p>',
    "a b\n\nc d",
  ],
  ["keeps an item that has only an image", '<ul><li><img src="/a" alt="a"></li><li>b</li></ul>', "-\n- b"],
  [
    "separates an item with several paragraphs from the items next to it",
    "<ul><li>a</li><li><p>b</p><p>c</p></li><li>d</li></ul>",
    "- a\n\n- b\n\n  c\n\n- d",
  ],
  [
    "aligns columns to at most 40 characters",
    `<table><tr><th>${"a".repeat(60)}</th><th>1</th></tr><tr><td>b</td><td>2</td></tr></table>`,
    `${"a".repeat(60)}  1\nb${" ".repeat(41)}2`,
  ],
  [
    "writes footnotes after the text",
    '<p>a<a href="#n">x</a></p><section class="footnotes"><ol><li id="n"><p>b</p><p>c</p></li></ol></section>',
    "a[1]\n\n[1] b\n\n    c",
  ],
  ["writes several definitions below their term", "<dl><dt>a</dt><dd>b</dd><dd>c</dd></dl>", "a\n  b\n  c"],
  ["doesn't indent the text after an empty definition", "<dl><dt>a</dt><dd><hr></dd></dl><p>b</p>", "a\n\nb"],
  ["writes tasks with checkboxes", "<ul><li><input type=checkbox checked>a</li></ul>", "- [x] a"],
])("%s", (_, html, expected) => {
  expect(toText(parseDocument(html), { baseUrl: "https://a.example/" })).toBe(expected);
});
