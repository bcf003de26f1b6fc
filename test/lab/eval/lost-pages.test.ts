import { expect, it } from "vitest";
import { findLostPages, isEmptyByMistake } from "../../../lab/eval/lost-pages";

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

it.each([
  ["an empty output of a page with text", `<p>${words(200)}</p>`, "", true],
  ["nine words of a page with text", `<p>${words(100)}</p><div>${words(100)}</div>`, words(9), true],
  ["ten words of a page with text", `<p>${words(200)}</p>`, words(10), false],
  ["an empty output of a short page", `<p>${words(199)}</p>`, "", false],
  [
    "an empty output of a page whose text isn't displayed",
    `<script>${words(500)}</script><noscript>${words(500)}`,
    "",
    false,
  ],
  ["an empty output of a page with text after a CDATA mark", `<![CDATA[ x ><p>${words(200)}</p>`, "", true],
])("%s is recognized", (_, html, output, expected) => {
  expect(isEmptyByMistake(html, output)).toBe(expected);
});

it("a page is lost if its recall is less than half of the peer's", () => {
  const recalls = new Map([
    ["lost", 0.44],
    ["half", 0.45],
    ["lost by both", 0],
    ["unknown to the peer", 0],
  ]);
  const peer = new Map([
    ["lost", 0.9],
    ["half", 0.9],
    ["lost by both", 0],
  ]);
  expect(findLostPages(recalls, peer)).toEqual(["lost"]);
});
