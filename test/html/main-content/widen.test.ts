import { expect, it } from "vitest";
import { chooseArticle } from "../../../src/html/main-content/choose-regions";
import { copyContent } from "../../../src/html/main-content/main-content";
import { readPage } from "../../../src/html/main-content/read-page";
import { readRegions } from "../../../src/html/main-content/regions";
import { parseDocument } from "../../../src/html/parse/document";

/** Returns a paragraph of three sentences that each contain `word` once. */
function toParagraph(word: string): string {
  const sentence = `The ${word} leaves from the old pier each morning and carries forty people with their dogs. `;
  return `<p>${sentence.repeat(3)}</p>`;
}

/** Nests content so deeply that its ancestors score much lower than its parent. */
function nest(content: string): string {
  return `${"<div>".repeat(7)}${content}<p>x</p>${"</div><span>y</span>".repeat(6)}</div>`;
}

const TABLE = `<table><tr><th>Pier</th><th>Ferry</th><th>Time</th></tr>${"<tr><td>North pier of the town</td><td>Gull</td><td>12:30</td></tr>".repeat(80)}</table>`;

/**
 * Builds a page of three parts with these numbers of paragraphs. Returns the parts that are in the main content, by
 * their words.
 */
function findParts(first: number, second: number, third: number): string[] {
  const html = `<body><div>${nest(toParagraph("ferry").repeat(first))}${TABLE}${nest(toParagraph("boat").repeat(second))}</div><div><div>${toParagraph("train").repeat(third)}</div></div></body>`;
  const page = readPage(parseDocument(html), { url: "https://coast.example/ferry.html", excluded: new Set() });
  const { lines } = readRegions(copyContent(chooseArticle(page)), new Set());
  return ["ferry", "boat", "train"].filter((word) => lines.some(({ text }) => text.includes(`The ${word} leaves`)));
}

it.each([
  ["its best region, if that has more than 60% of the prose", [7, 3, 0], ["ferry"]],
  ["the smallest region with 85% of the prose, if the best region has less than 60%", [5, 4, 1], ["ferry", "boat"]],
  ["all of it, if no smaller region has 85% of the prose", [5, 5, 2], ["ferry", "boat", "train"]],
] as const)("takes from a page %s", (_, [first, second, third], expected) => {
  expect(findParts(first, second, third)).toEqual(expected);
});
