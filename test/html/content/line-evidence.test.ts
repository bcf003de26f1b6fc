import { describe, expect, it } from "vitest";
import { lineEvidence } from "../../../src/html/content/line-evidence";
import { allOf, factsOf } from "../../../src/html/content/page-content";
import { chooseArticle, readPage } from "../../../src/html/main-content/choose-regions";
import { openPage } from "../../../src/html/visible-page";

/** Returns the evidence about the lines that contain a text: the names with their values. */
function evidenceOf(html: string, text: string): Map<string, number>[] {
  const { document } = openPage(html);
  const read = readPage(document, { url: "https://coast.example/", excluded: new Set() });
  const facts = factsOf(read, chooseArticle(read), allOf(read));
  return read.page.lines
    .filter((line) => line.text.includes(text))
    .map((line) => {
      const found = new Map<string, number>();
      lineEvidence(line, facts, 0, (name, value) => value !== 0 && found.set(name, value));
      return found;
    });
}

describe("a line that repeats earlier words", () => {
  const post = "The ferry leaves from the old pier each morning and carries forty people.";

  it("is the quote, not the quoted post", () => {
    const html = `<h1>Ferries</h1><p>${post}</p><p>Thanks.</p><blockquote>Anna wrote: ${post}</blockquote>`;
    const [first, quote] = evidenceOf(html, post);
    expect(first?.has("repeats earlier words")).toBe(false);
    expect(quote?.get("repeats earlier words")).toBeCloseTo(13 / 15, 5);
  });

  it("has at least ten words, because entries of a list share their labels", () => {
    const entry = "<li>Delivery on Wednesday, March 25 at noon</li>";
    for (const found of evidenceOf(`<h1>Lamps</h1><ul>${entry.repeat(5)}</ul>`, "Delivery"))
      expect(found.has("repeats earlier words")).toBe(false);
  });
});

describe("the topics of headings", () => {
  const html = `<h1>Customer reviews of lamps</h1><p>A lamp.</p><h2>Related products</h2><p>A buoy.</p>
    <h3>Shipping</h3><p>A parcel.</p><h2>The island</h2><p>A house.</p>`;
  const below = (text: string) =>
    [...(evidenceOf(html, text)[0]?.keys() ?? [])].filter((name) => name.includes("heading about"));

  it.each([
    ["A lamp.", []],
    ["Related products", ["heading about related"]],
    ["A buoy.", ["below a heading about related"]],
    ["A parcel.", ["below a heading about related", "below a heading about shop"]],
    ["A house.", []],
  ])("of the line '%s'", (text, names) => {
    expect(below(text)).toEqual(names);
  });
});
