import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPart } from "../../src/text-view/cut";
import { estimateTokens, tokensOf } from "../../src/text-view/tokens";
import { HOSTILE_TEXTS, markdownTexts } from "./markdown-texts";

type Limit = { maxChars: number } | { maxTokens: number };

/** Returns all parts of a text, in order. */
function partsOf(text: string, limit: Limit, format: "markdown" | "text" = "markdown") {
  const parts: { text: string; start: number; end: number }[] = [];
  for (let start = 0; start < text.length; ) {
    const part = cutPart(text, format, { start, end: text.length, ...limit });
    parts.push({ ...part, start });
    expect(part.end).toBeGreaterThan(start);
    start = part.end;
  }
  return parts;
}

const textsOf = (text: string, limit: Limit) => partsOf(text, limit).map((part) => part.text);

describe("the parts of any text", () => {
  it.each(["markdown", "text"] as const)("are the whole %s, except for repeated heads", (format) => {
    fc.assert(
      fc.property(markdownTexts, fc.integer({ min: 1, max: 120 }), fc.boolean(), (text, max, countsTokens) => {
        const limit = countsTokens ? { maxTokens: max } : { maxChars: max };
        for (const part of partsOf(text, limit, format)) {
          const source = text.slice(part.start, part.end);
          expect(part.text).toContain(source);
          expect(part.text.isWellFormed()).toBe(true);
          // A part has at least one character, which can be larger than the limit.
          if ([...part.text].length === 1) continue;
          expect(countsTokens ? estimateTokens(part.text) : part.text.length).toBeLessThanOrEqual(max);
        }
      }),
      { numRuns: 500 },
    );
  });
});

it("cuts between blocks, and moves a heading to the text below it", () => {
  expect(textsOf("# A\n\nFirst words.\n\n## B\n\nMore words here.\n\n- one\n- two\n", { maxChars: 30 })).toEqual([
    "# A\n\nFirst words.\n\n",
    "## B\n\nMore words here.\n\n- one\n",
    "- two\n",
  ]);
});

it("cuts a block that is longer than the limit at a line, a sentence or a word", () => {
  expect(textsOf("One sentence. Another sentence.\nA line of words", { maxChars: 34 })).toEqual([
    "One sentence. Another sentence.\n",
    "A line of words",
  ]);
  expect(textsOf("One sentence. Another sentence. Words", { maxChars: 30 })).toEqual([
    "One sentence. Another ",
    "sentence. Words",
  ]);
  expect(textsOf("Long first sentence. And a second one here.", { maxChars: 30 })[0]).toBe("Long first sentence. ");
  expect(textsOf("x".repeat(7), { maxChars: 3 })).toEqual(["xxx", "xxx", "x"]);
});

it("never cuts a surrogate pair", () => {
  expect(textsOf("😀😀", { maxChars: 1 })).toEqual(["😀", "😀"]);
  expect(cutPart("a😀b", "markdown", { start: 2, end: 4 })).toEqual({ text: "😀b", end: 4 });
});

it("repeats the head of a table", () => {
  const row = (cell: string) => `| ${cell} | 1 |\n`;
  const head = `${row("Name")}| --- | --- |\n`;
  expect(textsOf(`Words.\n\n${head}${row("a")}${row("b")}${row("c")}\nEnd.`, { maxChars: 45 })).toEqual([
    `Words.\n\n${head}${row("a")}`,
    `${head}${row("b")}`,
    `${head}${row("c")}\nEnd.`,
  ]);
});

it("closes code that is cut, and repeats its fence with the language", () => {
  const code = "- item\n\n  ```js\n  let a = 1;\n  let b = 2;\n  let c = 3;\n  ```\n";
  expect(textsOf(code, { maxChars: 45 })).toEqual([
    "- item\n\n  ```js\n  let a = 1;\n  ```",
    "  ```js\n  let b = 2;\n  let c = 3;\n  ```\n",
  ]);
});

it("repeats no head that doesn't fit together with one line", () => {
  const table = `| ${"Name".repeat(10)} |\n| --- |\n| a |\n| b |\n`;
  expect(textsOf(table, { maxChars: 57 }).at(-1)).toBe("| b |\n");
  expect(textsOf(table, { maxChars: 60 }).at(-1)).toBe(table.replace("| a |\n", ""));
});

it("counts tokens as the estimate does", () => {
  const text = "The keeper of the lamp wrote down the height of the tide. ".repeat(50);
  for (const part of partsOf(text, { maxTokens: 100 }).slice(0, -1)) {
    expect(tokensOf(part.text)).toBeLessThanOrEqual(100);
    expect(tokensOf(part.text)).toBeGreaterThan(80);
  }
});

it("returns the end of a range that fits", () => {
  expect(cutPart("one two three", "text", { start: 4, end: 7, maxChars: 100 })).toEqual({ text: "two", end: 7 });
  expect(cutPart("one", "text", { start: 5, end: 3 })).toEqual({ text: "", end: 5 });
});

it.each(HOSTILE_TEXTS)("cuts %s in linear time", { timeout: 10_000 }, (_, text) => {
  const end = text.length;
  const { end: start } = cutPart(text, "markdown", { start: 0, end, maxChars: 300_000 });
  expect(cutPart(text, "markdown", { start, end, maxTokens: 100_000 }).end).toBeGreaterThan(0);
});
