import { describe, expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";

/** Returns the texts of the elements that match the selector. */
function select(html: string, selector: string): string[] {
  const { text = "" } = convertHtml(html, {
    url: "https://example.com/",
    markdown: false,
    text: true,
    onlyMainContent: false,
    includeSelectors: [selector],
  });
  return text.split("\n\n");
}

describe("selectors match the tree of a browser", () => {
  it.each([
    ["counts a script", "<p>a</p><script></script><p>b</p><p>c</p>", "p:nth-child(3)", ["b"]],
    ["counts a drawing", "<p>a</p><svg><path/></svg><p>b</p>", "p:nth-child(3)", ["b"]],
    ["counts a form field", "<p>a</p><select><option>x</select><p>b</p>", "p:nth-child(3)", ["b"]],
    ["counts from the end", "<p>a</p><p>b</p><style>p{}</style>", "p:nth-last-child(2)", ["b"]],
    ["counts elements of one type", "<i>a</i><script></script><p>b</p><p>c</p>", "p:nth-of-type(2)", ["c"]],
    ["finds the element after a style sheet", "<p>a</p><style></style><p>b</p>", "style + p", ["b"]],
    [
      "finds no element directly after another one",
      "<h2>x</h2><script></script><p>a</p><p>b</p>",
      "h2 + p, p + p",
      ["b"],
    ],
    [
      "finds the elements after a field",
      '<p>a</p><textarea class="t"></textarea><p>b</p><p>c</p>',
      ".t ~ p",
      ["b", "c"],
    ],
    ["finds elements with a frame", "<p>a</p><p>b<iframe src=about:blank></iframe></p>", "p:has(iframe[src])", ["b"]],
    ["finds elements without a drawing", "<p>a</p><p>b<svg></svg></p>", "p:not(:has(svg))", ["a"]],
    ["finds the first child", "<div><script></script><p>a</p></div><div><p>b</p></div>", "p:first-child", ["b"]],
    ["counts metadata in the body", "<p>a</p><meta itemprop=x><link rel=y><p>b</p>", "p:nth-child(4)", ["b"]],
    [
      "counts structured data in the body",
      '<p>a</p><script type="application/ld+json">{}</script><p>b</p>',
      "p:nth-child(3)",
      ["b"],
    ],
    [
      "doesn't count the elements of the head",
      "<head><title>t</title><script></script><style></style>\n<noscript><style></style></noscript>\n<meta name=x></head><body><p>a</p><p>b</p>",
      "body > p:nth-child(1)",
      ["a"],
    ],
    [
      "counts a drawing in front of a table",
      "<p>x</p><table><svg></svg><tr><td>a</table>",
      "table:nth-child(3)",
      ["a"],
    ],
    ["counts a script in a table", "<table><script></script><tr><td>a</table>", "tbody:nth-child(2)", ["a"]],
    [
      "follows elements that the parser moves",
      "<a>x<div><script></script><p>a</p></a><p>b</p></div>",
      "p:nth-child(2)",
      ["a", "b"],
    ],
  ])("%s", (_, html, selector, expected) => {
    expect(select(html, selector)).toEqual(expected);
  });

  it("excludes elements in the same way", () => {
    const { text } = convertHtml("<p>a</p><script></script><p>b</p><p>c</p>", {
      url: "https://example.com/",
      markdown: false,
      text: true,
      onlyMainContent: false,
      excludeSelectors: ["p:nth-child(3)", "script"],
    });
    expect(text).toBe("a\n\nc");
  });

  it("handles very many scripts between siblings", { timeout: 60_000 }, () => {
    expect(select(`<p>a</p>${"<script></script>".repeat(30_000)}<p>b</p>`, "script + p")).toEqual(["b"]);
  });
});
