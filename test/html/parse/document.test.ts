import { type Element, isTag, isText, type ParentNode } from "domhandler";
import { describe, expect, it } from "vitest";
import { bodyOf, parseDocument } from "../../../src/html/parse/document";
import { elementsUnder } from "../../../src/html/parse/dom";

/** The tree as tags, without attributes. */
function written(root: ParentNode): string {
  const tag = (element: Element) => `<${element.name}>${written(element)}</${element.name}>`;
  return root.children.map((node) => (isTag(node) ? tag(node) : isText(node) ? node.data : "")).join("");
}

function bodyOfPage(html: string): string {
  return written(bodyOf(parseDocument(html)));
}

describe("a table", () => {
  it.each([
    [
      "ends the cell that is open at its end",
      "<table><tr><td>a</table><h2>b</h2>",
      "<table><tbody><tr><td>a</td></tr></tbody></table><h2>b</h2>",
    ],
    ["ends its caption", "<table><caption>a</table>b", "<table><caption>a</caption></table>b"],
    [
      "has the section that isn't written",
      "<table><tr><th>a</tbody></table>b",
      "<table><tbody><tr><th>a</th></tr></tbody></table>b",
    ],
    [
      "has the row that isn't written",
      "<table><td>a<thead><th>b</table>",
      "<table><tbody><tr><td>a</td></tr></tbody><thead><tr><th>b</th></tr></thead></table>",
    ],
    [
      "keeps its rows behind what is misplaced",
      "<table><b>a<tr><td>b</table>",
      "<b>a</b><table><tbody><tr><td>b</td></tr></tbody></table>",
    ],
    [
      "ends where another begins between its rows, not in a cell",
      "<table><tr><td><table><td>a</table>b<tr><table><td>c</table>d",
      "<table><tbody><tr><td><table><tbody><tr><td>a</td></tr></tbody></table>b</td></tr><tr></tr></tbody></table>" +
        "<table><tbody><tr><td>c</td></tr></tbody></table>d",
    ],
  ])("%s", (_, html, expected) => {
    expect(bodyOfPage(html)).toBe(expected);
  });
});

it.each([
  ["that is closed", "<svg><foreignObject><p>a</p></foreignObject></svg>b", "b"],
  ["that isn't", "<svg><foreignObject><p>a</p><p>b</p>", "<p>a</p><p>b</p>"],
  ["behind one that is", "<svg><foreignObject>a</foreignObject></svg><svg><foreignObject><p>b", "<p>b</p>"],
])("takes no more of the page than a drawing with text %s", (_, html, expected) => {
  expect(bodyOfPage(html)).toBe(expected);
});

it("has what a page of frames says to readers without them", () => {
  const html = "<frameset cols=2><frame src=a><noframes><body><p>a</p></body></noframes></frameset>";
  expect(bodyOfPage(html)).toContain("<p>a</p>");
  expect(bodyOfPage("<p>a</p><noframes>b</noframes>")).toBe("<p>a</p>");
});

it.each([
  ["elements", "<p>x"],
  ["end tags alone", "x</p>"],
])("leaves out the end of a page of more %s than fit into the memory", (_, html) => {
  const document = parseDocument(`<h1>first</h1>${html.repeat(300_000)}<h2>last`);
  const names = Array.from(elementsUnder(document), ({ name }) => name);
  expect(names.length).toBeLessThan(160_000);
  expect(names).toContain("h1");
  expect(names).not.toContain("h2");
});

it.each([
  ["titles", "<title>x</title>"],
  ["descriptions", '<meta name="description" content="x">'],
])("keeps the page of one with more %s than anybody reads", (_, html) => {
  const document = parseDocument(`<h1>first</h1>${html.repeat(300_000)}<h2>last`);
  const names = Array.from(elementsUnder(document), ({ name }) => name);
  expect(names.length).toBeLessThan(6_000);
  expect(names).toContain("h2");
});
