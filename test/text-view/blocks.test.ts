import fc from "fast-check";
import { expect, it } from "vitest";
import { readBlocks } from "../../src/text-view/blocks";
import { HOSTILE_TEXTS, markdownTexts } from "./markdown-texts";

function blocksOf(markdown: string) {
  return [...readBlocks(markdown, "markdown")].map(({ start, end, ...block }) => ({
    ...block,
    source: markdown.slice(start, end),
  }));
}

it("reads headings with their levels and plain text, also in lists, but not in quotes", () => {
  expect(
    blocksOf("# A [link](/a_(b)) and *em* \\# `x`\ntext\n\n- ### ![Picture](/p) snake_case ##\n\n> ## Quoted"),
  ).toEqual([
    { kind: "heading", level: 1, text: "A link and em # x", source: "# A [link](/a_(b)) and *em* \\# `x`\n" },
    { kind: "paragraph", source: "text\n\n" },
    { kind: "heading", level: 3, text: "Picture snake_case", source: "- ### ![Picture](/p) snake_case ##\n\n" },
    { kind: "paragraph", source: "> ## Quoted" },
  ]);
});

it("reads each item of a list, and the paragraphs of an item", () => {
  expect(blocksOf("\n- a\n  more\n  - b\n\n    c\n10. d\n> 1) e\n>\n> f")).toEqual([
    { kind: "item", source: "\n- a\n  more\n" },
    { kind: "item", source: "  - b\n\n" },
    { kind: "paragraph", source: "    c\n" },
    { kind: "item", source: "10. d\n" },
    { kind: "item", source: "> 1) e\n>\n" },
    { kind: "paragraph", source: "> f" },
  ]);
});

it("reads code to the closing fence, with the lines that a continuation repeats", () => {
  expect(blocksOf("````js\n```\n\n# a\n````\n1. ~~~\n   > b\n   ~~~\n```a``` b")).toEqual([
    { kind: "code", bodyStart: 7, bodyEnd: 16, head: "````js\n", tail: "````", source: "````js\n```\n\n# a\n````\n" },
    { kind: "code", bodyStart: 28, bodyEnd: 35, head: "   ~~~\n", tail: "   ~~~", source: "1. ~~~\n   > b\n   ~~~\n" },
    { kind: "paragraph", source: "```a``` b" },
  ]);
});

it("reads tables, with the rows that a continuation repeats", () => {
  const table = "> - | a | b |\n>   | --- | :-: |\n>   | c | d |\n>   | - | - |\n";
  expect(blocksOf(`${table}>\n> e | f`)).toEqual([
    {
      kind: "table",
      bodyStart: 32,
      bodyEnd: 62,
      head: ">   | a | b |\n>   | --- | :-: |\n",
      tail: "",
      source: `${table}>\n`,
    },
    { kind: "paragraph", source: "> e | f" },
  ]);
});

it("separates plain text only at blank lines", () => {
  expect([...readBlocks("# a\n- b\n\n```\n| c |\n| - |", "text")]).toEqual([
    { kind: "paragraph", start: 0, end: 9 },
    { kind: "paragraph", start: 9, end: 24 },
  ]);
});

it.each(["markdown", "text"] as const)("covers any %s in order", (format) => {
  fc.assert(
    fc.property(markdownTexts, (text) => {
      let end = 0;
      for (const block of readBlocks(text, format)) {
        expect(block.start).toBe(end);
        expect(block.end).toBeGreaterThan(block.start);
        if ("bodyStart" in block) expect(block.bodyStart).toBeLessThanOrEqual(block.end);
        end = block.end;
      }
      expect(end).toBe(text.length);
    }),
    { numRuns: 1_000 },
  );
});

it.each(HOSTILE_TEXTS)("reads %s in linear time", { timeout: 10_000 }, (_, text) => {
  let end = 0;
  for (const block of readBlocks(text, "markdown")) end = block.end;
  expect(end).toBe(text.length);
});

it("reads the same blocks from the start of any block", () => {
  fc.assert(
    fc.property(markdownTexts, (text) => {
      const blocks = [...readBlocks(text, "markdown")];
      for (const [at, { start }] of blocks.entries())
        expect([...readBlocks(text, "markdown", start)]).toEqual(blocks.slice(at));
    }),
    { numRuns: 300 },
  );
});
