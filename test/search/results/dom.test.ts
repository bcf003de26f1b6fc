import { parseDocument } from "htmlparser2";
import { expect, it } from "vitest";
import { findAll, linkIn } from "../../../src/search/results/dom";
import { firstText, textOf } from "../../../src/search/results/element-text";
import { isButton, isLink, toMatcher } from "../../../src/search/results/matchers";

const bodyOf = (html: string) => findAll(parseDocument(`<body>${html}</body>`), toMatcher("body"))[0] as never;
const read = (html: string, maxChars = 100) => textOf(bodyOf(html), maxChars);

it.each([
  ["inline elements", "a<b>b</b>c", "abc"],
  ["a block", "a<div>b</div>c", "a b c"],
  ["a line break", "a<br>b", "a b"],
  ["scripts, styles and templates", "a<script>x</script><style>y</style><template>z</template>b", "ab"],
  ["white space", " a \n\t b ", "a b"],
])("reads the text around %s", (_, html, text) => {
  expect(read(html)).toBe(text);
});

it("cuts the text, and leaves out elements to skip", () => {
  expect(read("<p>abc</p><p>def</p>", 5)).toBe("abc d");
  expect(textOf(bodyOf("a<i>b</i>c"), 9, toMatcher("i"))).toBe("ac");
});

it("finds the link in a title, or the link around it", () => {
  const titleOf = (html: string) => findAll(bodyOf(html), toMatcher("h3"))[0] as never;
  const hrefOf = (html: string) => linkIn(titleOf(html))?.attribs.href ?? null;
  expect(hrefOf('<h3>a <a href="/1">b</a><a href="/2">c</a></h3>')).toBe("/1");
  expect(hrefOf('<a href="/3"><div><h3>a</h3></div></a>')).toBe("/3");
  expect(hrefOf("<a><h3>a</h3></a>")).toBeNull();
});

it.each([
  ["<button>a</button>", true],
  ['<div role="button">a</div>', true],
  ['<div role="img">a</div>', true],
  ['<div role="imgs">a</div>', false],
  ["<div>a</div>", false],
])("in %s is a button: %s", (html, expected) => {
  expect(findAll(bodyOf(html), isButton).length > 0).toBe(expected);
});

it("prefers text without links, in the order of the matchers", () => {
  const matchers = ["i", "b"].map(toMatcher);
  const first = (html: string) => firstText(bodyOf(html), matchers, 100, () => false);
  expect(first("<b>one</b><i>two</i>")).toBe("two");
  expect(first('<b>one</b><i><a href="/">two</a></i>')).toBe("one");
  expect(first('<b> </b><i><a href="/">two</a></i>')).toBe("two");
  expect(first("<u>three</u>")).toBe("");
});

it("returns at most the requested number of elements", () => {
  expect(findAll(bodyOf('<a href="/">a</a><a>b</a><a href="/">c</a>'), isLink)).toHaveLength(2);
  expect(findAll(bodyOf('<a href="/">a</a><a href="/">c</a>'), isLink, 1)).toHaveLength(1);
});
