import { describe, expect, it } from "vitest";
import { parsePage } from "../../../src/html/parse/document";
import { elementsUnder } from "../../../src/html/parse/dom";
import { findAll } from "../../../src/search/results/dom";
import { proseAfter, textOf } from "../../../src/search/results/element-text";
import { isLink } from "../../../src/search/results/matchers";
import { blocksOf, listedBlocks } from "../../../src/search/results/structure";

const SNIPPET = "The cranes of the port lift forty tonnes.";

function linksIn(html: string) {
  return findAll(parsePage(html).document, isLink);
}

/** Returns the text of each link's block. */
function blocks(html: string): string[] {
  return [...blocksOf(linksIn(html)).values()].map((block) => textOf(block, 1_000));
}

function snippet(html: string): string {
  const { document } = parsePage(`<div>${html}</div>`);
  const [block] = elementsUnder(document).filter(({ name }) => name === "div");
  const [link] = findAll(document, isLink);
  if (!block || !link) throw new Error("The page has no link");
  return proseAfter(link, block);
}

describe("the block of a link", () => {
  it("is the largest element without another link", () => {
    const item = (name: string) => `<div><div><h3><a href="/${name}">${name}</a></h3></div><p>Text ${name}</p></div>`;
    expect(blocks(item("a") + item("b"))).toEqual(["a Text a", "b Text b"]);
  });

  it.each([
    ["the element of the results", (item: string) => `<div id="rso">${item}<p>Other text</p></div>`],
    ["the column of the results", (item: string) => `<div id="center_col">${item}<p>Other text</p></div>`],
    ["the list of Bing", (item: string) => `<ol>${item}<p>Other text</p></ol>`],
    ["the main element", (item: string) => `<main>${item}<p>Other text</p></main>`],
    ["the body", (item: string) => `${item}<p>Other text</p>`],
  ])("never contains %s, even if it is the only link", (_, toPage) => {
    expect(blocks(toPage('<div><a href="/a">a</a><p>Text a</p></div>'))).toEqual(["a Text a"]);
  });
});

describe("the items of the result list", () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => `<p><a href="/${at}">${at}</a></p>`).join("");
  const listed = (html: string) => listedBlocks(linksIn(html)).map((block) => textOf(block, 1_000));

  it("are the largest group of siblings", () => {
    expect(listed(`<nav>${items(3)}</nav><main>${items(4)}</main><footer>${items(3)}</footer>`)).toEqual([
      ...["0", "1", "2", "3"],
    ]);
  });

  it("are at least three", () => {
    expect(listed(`<main>${items(2)}</main>`)).toEqual([]);
    expect(listed(`<main>${items(3)}</main>`)).toHaveLength(3);
  });
});

describe("the text after a link", () => {
  it("is the longest line", () => {
    expect(snippet(`<a href="/">Cranes</a><p>Forty cranes for the whole port</p><p>${SNIPPET}</p>`)).toBe(SNIPPET);
  });

  it("joins the text of inline elements and line breaks", () => {
    const html = '<a href="/">Cranes</a><p>The <em>cranes</em> of the port<br>lift forty tonnes.</p><p>More</p>';
    expect(snippet(html)).toBe(SNIPPET);
  });

  it.each([
    ["text before the link", `<p>${SNIPPET}</p><a href="/">Cranes</a>`],
    ["another link", `<a href="/">Cranes</a><a>${SNIPPET}</a>`],
    ["an address", `<a href="/">Cranes</a><cite>${SNIPPET}</cite>`],
    ["a heading", `<a href="/">Cranes</a><h3>${SNIPPET}</h3>`],
    ["an element with the role of a heading", `<a href="/">Cranes</a><div role="heading">${SNIPPET}</div>`],
    ["a button", `<a href="/">Cranes</a><button>${SNIPPET}</button>`],
    ["the title of an image", `<a href="/">Cranes</a><span role="img">${SNIPPET}</span>`],
    ["a script", `<a href="/">Cranes</a><script>${SNIPPET}</script>`],
    ["a text field", `<a href="/">Cranes</a><textarea>${SNIPPET}</textarea>`],
    ["a line with 24 characters", `<a href="/">Cranes</a><p>${"a".repeat(24)}</p>`],
    ["the 25th line", `<a href="/">Cranes</a>${"<p>a</p>".repeat(24)}<p>${SNIPPET}</p>`],
  ])("isn't %s", (_, html) => {
    expect(snippet(html)).toBe("");
  });

  it("has at least 25 characters, and can be the 24th line after the link", () => {
    expect(snippet(`<a href="/">Cranes</a><p>${"a".repeat(25)}</p>`)).toBe("a".repeat(25));
    expect(snippet(`<h3><a href="/">Cranes</a></h3>${"<p>a</p>".repeat(22)}<p>${SNIPPET}</p>`)).toBe(SNIPPET);
  });
});
