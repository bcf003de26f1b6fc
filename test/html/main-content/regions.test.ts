import { describe, expect, it } from "vitest";
import { readRegions } from "../../../src/html/main-content/regions";
import { bodyOf } from "../../../src/html/parse/document";
import { openPage } from "../../../src/html/visible-page";

function linesOf(html: string): string[] {
  return readRegions(bodyOf(openPage(html).document), new Set()).lines.map(({ text }) => text);
}

describe("is one line", () => {
  it.each([
    [
      "a code block with an element per line",
      "<pre><code><div>let a;</div><div>let b;</div></code></pre>",
      "let a; let b;",
    ],
    ["a code block with line numbers", "<pre><table><tr><td>1</td><td>let a;</td></tr></table></pre>", "1 let a;"],
    ["a code block with empty lines", "<pre>let a;<br><br>let b;</pre>", "let a; let b;"],
  ])("%s", (_, html, line) => {
    expect(linesOf(html)).toEqual([line]);
  });
});

describe("is split into lines", () => {
  it.each([
    ["a <pre> around paragraphs", "<pre><p>One</p><p>Two</p></pre>", ["One", "Two"]],
    ["text with empty lines", "<div>One<br><br>Two</div>", ["One", "Two"]],
  ])("%s", (_, html, lines) => {
    expect(linesOf(html)).toEqual(lines);
  });
});

it.each([
  ["a button", "<h3><button>Costs</button></h3>"],
  ["a paragraph", "<h3><p>Costs</p></h3>"],
])("reads %s in a heading as a heading", (_, html) => {
  const { lines } = readRegions(bodyOf(openPage(html).document), new Set());
  expect(lines.map(({ headingLevel }) => headingLevel)).toEqual([3]);
});

it("reads the card in a heading as text", () => {
  const { lines } = readRegions(bodyOf(openPage("<h3><section>Costs</section></h3>").document), new Set());
  expect(lines.map(({ headingLevel }) => headingLevel)).toEqual([0]);
});
