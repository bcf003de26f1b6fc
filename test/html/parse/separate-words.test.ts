import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

function textOf(html: string): string {
  const options = { url: "https://shop.example/stoves", markdown: false, text: true, onlyMainContent: false };
  return convertHtml(`<body>${html}</body>`, options).text ?? "";
}

describe("adjacent inline elements", () => {
  it.each([
    ["a brand and a name", "<h3><span>Coleman</span><span>Cascade stove</span></h3>", "Coleman Cascade stove"],
    ["elements with comments between them", "<p><span>Coleman</span><!----><b>Cascade</b></p>", "Coleman Cascade"],
    ["nested elements", "<p><a><span><i>Coleman</i></span></a><span><b>Cascade</b></span></p>", "Coleman Cascade"],
    ["a number and a name", "<p><span>12</span><span>Detroit Pistons</span></p>", "12 Detroit Pistons"],
    ["an abbreviation and a name", "<p><span>DET</span><span>Detroit Pistons</span></p>", "DET Detroit Pistons"],
  ])("are separate words: %s", (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it.each([
    ["a drop cap", "<p><span>O</span><span>nce upon a time</span></p>", "Once upon a time"],
    ["letters of a logo", "<p><span>S</span><span>Ale</span></p>", "SAle"],
    ["a word with a mark inside", "<p><span>un</span><em>believable</em></p>", "unbelievable"],
    ["parts of a price", "<p><span>$19</span><small>.99</small></p>", "$19.99"],
    ["colored code", "<pre><code><span>let</span><span>Name</span></code></pre>", "letName"],
    ["code in a text", "<p><code>get</code><code>Name</code></p>", "getName"],
    ["elements with a space", "<p><span>Coleman </span><span>Cascade</span></p>", "Coleman Cascade"],
    ["text after an element", "<p><b>Mc</b>Donald</p>", "McDonald"],
  ])("stay unchanged: %s", (_, html, text) => {
    expect(textOf(html)).toBe(text);
  });
});
