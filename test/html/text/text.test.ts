import { parseDocument } from "htmlparser2";
import { expect, it } from "vitest";
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
  ["writes tasks with checkboxes", "<ul><li><input type=checkbox checked>a</li></ul>", "- [x] a"],
])("%s", (_, html, expected) => {
  expect(toText(parseDocument(html), { baseUrl: "https://a.example/" })).toBe(expected);
});
