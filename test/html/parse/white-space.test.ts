import { expect, it } from "vitest";
import { attributeText, collapse, tidyValue } from "../../../src/html/parse/white-space";

it.each([
  ["a \t\n b", "a b"],
  [" a ", " a "],
  ["a\u00adb\u200bc\u2060d\ufeffe", "abcde"],
  ["a\u0000b\u0085c", "abc"],
  ["a\u00a0b", "a b"],
])("collapses %j to %j", (text, expected) => {
  expect(collapse(text)).toBe(expected);
});

it.each([
  ["a <b>b</b>", "a b"],
  ["a < b", "a < b"],
  [" a\nb ", "a b"],
])("reads the attribute %j as %j", (text, expected) => {
  expect(attributeText(text)).toBe(expected);
});

it.each([
  [undefined, ""],
  ["  ", ""],
  [`${"a".repeat(1_999)} b`, "a".repeat(1_999)],
  ["a".repeat(3_000), "a".repeat(2_000)],
])("tidies a value", (value, expected) => {
  expect(tidyValue(value)).toBe(expected);
});
