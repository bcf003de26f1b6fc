import { expect, it } from "vitest";
import { suggest } from "../../src/lib/suggest";

const NAMES = ["url", "formats", "js_render", "wait_for", "only_main_content"];

it.each([
  ["js_rendr", "js_render"],
  ["onlyMainContent", "only_main_content"],
  ["WAIT-FOR", "wait_for"],
  ["format", "formats"],
  ["uri", "url"],
  ["xy", null],
  ["", null],
  ["proxy", null],
  ["x".repeat(1_000_000), null],
])("%s is similar to %s", (word, expected) => {
  expect(suggest(word, NAMES)).toBe(expected);
});

it("suggests nothing without candidates", () => {
  expect(suggest("url", [])).toBeNull();
});
