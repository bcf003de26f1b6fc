import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { describe, expect, it } from "vitest";
import { bodyOf, parseDocument, parsePage } from "../../../src/html/parse/document";
import { elementsUnder } from "../../../src/html/parse/dom";

/** Returns the HTML of the tree with tags and text but without attributes. */
function toTags(root: ParentNode): string {
  const tag = (element: Element) => `<${element.name}>${toTags(element)}</${element.name}>`;
  return root.children.map((node) => (isTag(node) ? tag(node) : isText(node) ? node.data : "")).join("");
}

function bodyOfPage(html: string): string {
  return toTags(bodyOf(parseDocument(html)));
}

it("an attribute that an element has twice has its first value", () => {
  const [element] = elementsUnder(bodyOf(parseDocument('<p id=a title ID="b" title="c">')));
  expect(element?.attribs).toEqual({ id: "a", title: "" });
});

describe("a table", () => {
  it.each([
    [
      "closes the open cell at its end",
      "<table><tr><td>a</table><h2>b</h2>",
      "<table><tbody><tr><td>a</td></tr></tbody></table><h2>b</h2>",
    ],
    ["closes the open caption at its end", "<table><caption>a</table>b", "<table><caption>a</caption></table>b"],
    [
      "gets a section if the page has none",
      "<table><tr><th>a</tbody></table>b",
      "<table><tbody><tr><th>a</th></tr></tbody></table>b",
    ],
    [
      "gets a row if the page has none",
      "<table><td>a<thead><th>b</table>",
      "<table><tbody><tr><td>a</td></tr></tbody><thead><tr><th>b</th></tr></thead></table>",
    ],
    [
      "keeps its rows after misplaced content",
      "<table><b>a<tr><td>b</table>",
      "<b>a</b><table><tbody><tr><td>b</td></tr></tbody></table>",
    ],
    [
      "is closed by a table between its rows, but not by a table in a cell",
      "<table><tr><td><table><td>a</table>b<tr><table><td>c</table>d",
      "<table><tbody><tr><td><table><tbody><tr><td>a</td></tr></tbody></table>b</td></tr><tr></tr></tbody></table>" +
        "<table><tbody><tr><td>c</td></tr></tbody></table>d",
    ],
  ])("%s", (_, html, expected) => {
    expect(bodyOfPage(html)).toBe(expected);
  });
});

describe("an end tag of a formatting element", () => {
  it.each([
    ["ends the element around a block inside that block", "<b>a<div>b</b>c</div>", "<b>a</b><div><b>b</b>c</div>"],
    ["ends an element that contains no block", "<b><i>a</b>b", "<b><i>a</i></b>b"],
    [
      "has no effect on an element outside of the cell",
      "<b><table><tr><td>a</b>b</table>",
      "<b><table><tbody><tr><td>ab</td></tr></tbody></table></b>",
    ],
    ["has no effect on an element outside of an object", "<b><object>a</b>b</object>c", "<b><object>ab</object>c</b>"],
  ])("%s", (_, html, expected) => {
    expect(bodyOfPage(html)).toBe(expected);
  });
});

it.each([
  ["with a closed foreignObject", "<svg><foreignObject><p>a</p></foreignObject></svg>b", "b"],
  ["with an unclosed foreignObject", "<svg><foreignObject><p>a</p><p>b</p>", "<p>a</p><p>b</p>"],
  [
    "after one with a closed foreignObject",
    "<svg><foreignObject>a</foreignObject></svg><svg><foreignObject><p>b",
    "<p>b</p>",
  ],
])("leaves out a drawing %s, but not the page after it", (_, html, expected) => {
  expect(bodyOfPage(html)).toBe(expected);
});

it.each([
  ["an end tag of a paragraph doesn't leave a button", "<p>a<button>b</p>c", "<p>a<button>b<p></p>c</button></p>"],
  ["an end tag of another element closes a paragraph", "<div><p>a</div>b", "<div><p>a</p></div>b"],
  ["a formula can have empty elements", "<math><mi/>x</math>", "<math><mi></mi>x</math>"],
  ["other elements can't be empty", "<b/>x", "<b>x</b>"],
  ["white space before the content is left out", " \n<p>a</p> b", "<p>a</p> b"],
  ["text before the content is kept", " x <p>a</p>", " x <p>a</p>"],
  ["white space inside an element is kept", "<p> </p>", "<p> </p>"],
  [
    "white space between table rows is left out",
    "<table> <tr><td>a</td> </tr></table>",
    "<table><tbody><tr><td>a</td></tr></tbody></table>",
  ],
  [
    "text between table rows is in front of the table",
    "<table>x<tr><td>a</table>",
    "x<table><tbody><tr><td>a</td></tr></tbody></table>",
  ],
  [
    "two drawings with lower-case names are left out",
    "<svg><foreignobject>a</foreignobject></svg><svg><foreignobject>b</foreignobject></svg>c",
    "c",
  ],
  ["a second heading closes the first one", "<h1>a<h2>b</h2>", "<h1>a</h1><h2>b</h2>"],
  ["an end tag of a heading closes any heading", "<h1>a</h3>b", "<h1>a</h1>b"],
  [
    "an item closes the one before it",
    "<ul><li>a<li>b<ul><li>c</ul></ul>",
    "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>",
  ],
  ["a term closes the description before it", "<dl><dd>a<dt>b<dd>c", "<dl><dd>a</dd><dt>b</dt><dd>c</dd></dl>"],
  [
    "an option closes the one before it",
    "<datalist><option>a<option>b",
    "<datalist><option>a</option><option>b</option></datalist>",
  ],
  ["ruby text closes the one before it", "<ruby>a<rt>b<rp>c", "<ruby>a<rt>b</rt><rp>c</rp></ruby>"],
  ["a button closes the one before it", "<button>a<button>b", "<button>a</button><button>b</button>"],
  ["an end tag of a line break is a line break", "a</br>b", "a<br></br>b"],
  ["an end tag without a start tag is left out", "a</div></b>b", "ab"],
  ["an image can be named <image>", "<image>a", "<img></img>a"],
])("%s", (_, html, expected) => {
  expect(bodyOfPage(html)).toBe(expected);
});

describe("dropped elements", () => {
  it.each([
    ["a drawing ends with the element around it", "<div><svg><g></div>a", "<div></div>a"],
    ["a drawing can contain HTML in its title", "<svg><title><b>a</b></title><text>b</text></svg>c", "c"],
    ["a drawing can contain an image", '<svg><image href="a"/><text>b</text></svg>c', "c"],
    ["a list of options ends with the table around it", "<table><tr><td><select><option>a</table>b", "b"],
    ["a script can contain another one in a comment", "<script><!--\nx('<script></script>');//--></script>a", "a"],
    ["a template ends at its end tag", "<template><table></template><p>a</p>", "<p>a</p>"],
    ["an end tag can be cut off", "<p>a</p></b x", "<p>a</p>"],
  ])("%s", (_, html, expected) => {
    expect(bodyOfPage(html).replace(/<table>.*<\/table>|<template>.*<\/template>/, "")).toBe(expected);
  });

  it("take linear time for very many nested scripts", { timeout: 60_000 }, () => {
    expect(bodyOfPage(`<script><!--${"<script></script>".repeat(100_000)}-->`)).not.toContain("script");
  });
});

it.each([
  ["a formula ends before HTML", "<math><mi>a</mi><p>b</p>", "<math><mi>a</mi></math><p>b</p>"],
  [
    "a formula can contain HTML in its text",
    "<math><mtext><p>b</mtext></math>",
    "<math><mtext><p>b</p></mtext></math>",
  ],
  ["a column group has no text", "<table><colgroup>a</table>", "a<table><colgroup></colgroup></table>"],
  ["an end tag of an item doesn't leave its list", "<ul><li><ul></li>a</ul></ul>", "<ul><li><ul>a</ul></li></ul>"],
  ["a block in a link is in front of the table", "<table><a>1<p>2</a>3</p>", "<a>1</a><p><a>2</a>3</p><table></table>"],
  ["ruby text closes the base before it", "<ruby><rb>a<rt>b</ruby>", "<ruby><rb>a</rb><rt>b</rt></ruby>"],
])("%s", (_, html, expected) => {
  expect(bodyOfPage(html)).toBe(expected);
});

it("includes <noframes> only on a page with frames", () => {
  const html = "<frameset cols=2><frame src=a><noframes><body><p>a</p></body></noframes></frameset>";
  expect(bodyOfPage(html)).toContain("<p>a</p>");
  expect(bodyOfPage("<p>a</p><noframes>b</noframes>")).toBe("<p>a</p>");
});

it.each([
  ["elements", "<p>x"],
  ["end tags without start tags", "x</p>"],
])("refuses a page with too many %s", (_, html) => {
  expect(() => parseDocument(html.repeat(300_000))).toThrow("more than 40 million steps");
});

it.each([
  ["titles", "<title>x</title>"],
  ["descriptions", '<meta name="description" content="x">'],
])("keeps the content of a page with too many %s", (_, html) => {
  const document = parseDocument(`<h1>first</h1>${html.repeat(300_000)}<h2>last`);
  const names = Array.from(elementsUnder(document), ({ name }) => name);
  expect(names.length).toBeLessThan(6_000);
  expect(names).toContain("h2");
});

describe("<![CDATA[", () => {
  it.each([
    ["is a comment that ends at the next >", "<p>a<![CDATA[ b > c</p><p>d</p>", "<p>a c</p><p>d</p>"],
    ["is a comment without ]]>", "a<![CDATA[ b ]]> c <p>d", "a c <p>d</p>"],
    ["is text in a formula", "<math><mi><![CDATA[a > b]]></mi></math>c", "<math><mi>a > b</mi></math>c"],
    [
      "is a comment in HTML inside a formula",
      "<math><mtext><b><![CDATA[a > b]]></b></mtext></math>",
      "<math><mtext><b> b]]></b></mtext></math>",
    ],
    ["hides the end of a drawing", "<svg><style><![CDATA[ </svg> ]]></style>a</svg>b", "b"],
    ["is a comment in HTML inside a drawing", "<svg><foreignObject><p><![CDATA[>a</foreignObject></svg>b", "b"],
    ["is text in a script", "<script>// <![CDATA[\nx('</p>')// ]]></script>a", "a"],
    ["is text in an attribute", '<p title="<![CDATA[">a</p>b', "<p>a</p>b"],
  ])("%s", (_, html, expected) => {
    expect(bodyOfPage(html)).toBe(expected);
  });

  it("keeps its name in the text of a style sheet", () => {
    expect(parsePage("<style>/*<![CDATA[*/p{color:red}/*]]>*/</style>").styles.join("")).toContain("<![CDATA[");
  });

  it("takes linear time", { timeout: 60_000 }, () => {
    expect(bodyOfPage(`${"<![CDATA[>".repeat(300_000)}a`)).toBe("a");
  });
});

describe("a NUL character", () => {
  it.each([
    ["is left out of text", "a\0b<p>\0</p>", "ab<p></p>"],
    ["is replaced in a formula", "<math><mrow>a\0</mrow></math>", "<math><mrow>a\ufffd</mrow></math>"],
    ["is left out of the text in a formula", "<math><mi>a\0</mi></math>", "<math><mi>a</mi></math>"],
    ["is replaced in literal text", "<xmp>a\0</xmp>", "<xmp>a\ufffd</xmp>"],
  ])("%s", (_, html, expected) => {
    expect(bodyOfPage(html)).toBe(expected);
  });

  it("is replaced in attributes and in the title", () => {
    const document = parseDocument('<title>a\0b</title><p id="c\0d">\0');
    const [title, p] = [...elementsUnder(document)].filter(({ name }) => name === "title" || name === "p");
    expect(title && toTags(title)).toBe("a\ufffdb");
    expect(p?.attribs.id).toBe("c\ufffdd");
  });
});
