import { expect, it } from "vitest";
import { diffPage } from "../../../lab/eval/page-diff";

it.each([
  [
    "nothing if the texts have the same lines in another order",
    "One two three four.\nTitle",
    "Title\nOne two three four.",
    [],
  ],
  [
    "nothing if only the line breaks, the case and the punctuation differ",
    "One two three.\nFour five six.",
    "one, two, three four five six",
    [],
  ],
  ["a missing line", "A first line here.\nA second line there.", "A first line here.", ["- A second line there."]],
  [
    "an additional line",
    "A first line here.",
    "A first line here.\nSubscribe to the newsletter",
    ["+ Subscribe to the newsletter"],
  ],
  [
    "the missing words of a line",
    "The quick brown fox, as always, jumps over the dog.",
    "The quick brown fox\njumps over the dog.",
    ["~ The quick brown fox, [as always], jumps over the dog."],
  ],
  [
    "the words of a line that aren't expected",
    "The quick brown fox jumps over it.",
    "The quick brown fox jumps over it. Share this",
    ["+ The quick brown fox jumps over it. [Share this]"],
  ],
  ["all expected lines if there is no output", "One line.\n\nTwo lines.", "", ["- One line.", "- Two lines."]],
])("the differences of a page are %s", (_, expected, output, differences) => {
  expect(diffPage(expected, output)).toEqual(differences);
});
