import { describe, expect, it } from "vitest";
import { parseKey, suggestKey } from "../../src/lib/keyboard";

describe("a key", () => {
  it.each([
    ["a", "a", 0, "a"],
    ["A", "A", 0, "A"],
    ["+", "+", 0, "+"],
    ["ñ", "ñ", 0, "ñ"],
    ["Space", " ", 0, " "],
    ["ArrowDown", "ArrowDown", 0, undefined],
    ["Shift+a", "A", 8, "A"],
    ["Control+a", "a", 2, undefined],
    ["Control++", "+", 2, undefined],
    ["Control+Shift+Tab", "Tab", 10, undefined],
  ])("%s is %j with the modifiers %i, and enters %j", (text, key, modifiers, entered) => {
    const { text: actual, ...press } = parseKey(text) ?? {};
    expect([press, actual]).toMatchObject([{ key, modifiers }, entered]);
  });

  it.each(["", "Shift+", "Control+", "Hyper+a", "ab", "Enter+a", "control+a"])("doesn't exist: %j", (text) => {
    expect(parseKey(text)).toBeNull();
  });

  it.each([
    ["ctrl-a", "Control+a"],
    ["CMD+Up", "Meta+ArrowUp"],
    ["esc", "Escape"],
    ["entr", "Enter"],
    ["shift+tab", "Shift+Tab"],
    ["something else", null],
  ])("%s was probably meant to be %s", (text, key) => {
    expect(suggestKey(text)).toBe(key);
  });
});
