import { describe, expect, it } from "vitest";
import { readContentFacts } from "../../../src/html/content/content-facts";
import { lineEvidence } from "../../../src/html/content/line-evidence";
import { findPosts } from "../../../src/html/content/posts";
import { chooseArticle } from "../../../src/html/main-content/choose-regions";
import { readPage } from "../../../src/html/main-content/read-page";
import { openPage } from "../../../src/html/visible-page";

/** Returns the evidence about the lines that contain a text: the names with their values. */
function evidenceOf(html: string, text: string): Map<string, number>[] {
  const { document } = openPage(html);
  const read = readPage(document, { url: "https://coast.example/", excluded: new Set() });
  const facts = readContentFacts(chooseArticle(read), findPosts(read.page));
  return read.page.lines
    .filter((line) => line.text.includes(text))
    .map((line) => {
      const found = new Map<string, number>();
      lineEvidence(line, facts, 0, (name, value) => value !== 0 && found.set(name, value));
      return found;
    });
}

it("tells lines of posts from the lines around them", () => {
  const text = "The ferry leaves from the old pier each morning and carries forty people.";
  const post = `<div class="post"><b>Anna</b><i>March 1, 2026</i><p>${text}</p></div>`;
  const html = `<h1>Ferries</h1><p>Intro.</p>${post}<p>Between.</p>${post}<p>Outro.</p>`;
  const postEvidence = (start: string) =>
    [...(evidenceOf(html, start)[0]?.keys() ?? [])].filter((name) => / posts?$/.test(name));
  expect(postEvidence("Intro")).toEqual(["before the posts"]);
  expect(postEvidence("Anna")).toEqual(["in a post", "time of a post"]);
  expect(postEvidence("The ferry")).toEqual(["in a post"]);
  expect(postEvidence("Between")).toEqual(["between posts"]);
  expect(postEvidence("Outro")).toEqual(["after the posts"]);
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
