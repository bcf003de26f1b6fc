import { describe, expect, it } from "vitest";
import { toBlocks as pagesToBlocks } from "../../src/pdf/layout";
import type { TextRun } from "../../src/pdf/page-content";

const COUNT = 50_000;

async function toBlocks(pages: TextRun[][]) {
  return await pagesToBlocks(pages.map((runs) => ({ runs, horizontals: [], verticals: [], shapes: [] })));
}

function makeRuns(place: (i: number) => Partial<TextRun>): TextRun[] {
  return Array.from({ length: COUNT }, (_, i) => ({
    text: "words of a line",
    x: 50,
    y: 700,
    width: 80,
    size: 10,
    ...place(i),
  }));
}

// If the layout took quadratic time, these tests would take hours.
describe("the largest number of runs of a page", () => {
  it("can form one paragraph", async () => {
    const blocks = await toBlocks([makeRuns((i) => ({ y: -12 * i }))]);
    expect(blocks).toHaveLength(1);
  });

  it("can form one line", async () => {
    const blocks = await toBlocks([makeRuns((i) => ({ x: 100 * i }))]);
    expect(blocks).toHaveLength(1);
  });

  it("can have a different size each", async () => {
    const blocks = await toBlocks([makeRuns((i) => ({ size: 10 + i, y: -2 * i * (10 + i) }))]);
    expect(blocks).toHaveLength(COUNT);
  });
});

/** Returns the runs of lines of text, each below the last one. A number sets the gap to the line before, in points. */
function page(...lines: (string | [text: string, line: Partial<TextRun> & { gap?: number }])[]): TextRun[] {
  let y = 700;
  return lines.map((line) => {
    const [text, { gap = 12, ...more }] = typeof line === "string" ? [line, {}] : line;
    y -= gap;
    return { text, x: 50, y, width: 5 * text.length, size: 10, ...more };
  });
}

/** Returns the blocks as texts: `# heading`, `- item`, `1. item` or a paragraph. */
async function textsOf(...pages: TextRun[][]): Promise<string[]> {
  return (await toBlocks(pages)).flatMap((block) => {
    const wordsOf = (content: readonly { value: string }[]) => content.map(({ value }) => value).join("");
    if (block.type === "heading") return [`${"#".repeat(block.depth)} ${wordsOf(block.content)}`];
    if (block.type === "paragraph") return [wordsOf(block.content)];
    if (block.type !== "list") throw new Error(block.type);
    return block.items.map(({ number, children: [child] }) => {
      if (child?.type !== "paragraph") throw new Error("An item has another child.");
      return `${block.ordered ? `${number}.` : "-"} ${wordsOf(child.content)}`;
    });
  });
}

describe("the runs of a line", () => {
  const at = (x: number, text: string, more: Partial<TextRun> = {}): TextRun => ({
    ...{ text, x, y: 700, width: 20, size: 10 },
    ...more,
  });

  it.each<[string, TextRun[], string[]]>([
    ["are joined if they are adjacent", [at(50, "to"), at(70, "gether")], ["together"]],
    ["are joined across a gap of a fifth of the size", [at(50, "to"), at(72, "gether")], ["together"]],
    ["are separated by a wider gap", [at(50, "two"), at(72.1, "words")], ["two words"]],
    ["have one space if a run ends with one", [at(50, "two "), at(80, "words")], ["two words"]],
    ["have one space if a run begins with one", [at(50, "two"), at(80, " words")], ["two words"]],
    ["are those within half of the line's height", [at(50, "x"), at(70, "2", { y: 705 })], ["x2"]],
    ["end at a run that is farther up or down", [at(50, "one"), at(50, "Two", { y: 680 })], ["one", "Two"]],
    ["are dropped if they are only spaces", [at(50, "  ", {}), at(50, "one")], ["one"]],
  ])("%s", async (_, runs, texts) => {
    expect(await textsOf(runs)).toEqual(texts);
  });
});

it("a line has the size of its largest run, so a footnote mark doesn't change a heading", async () => {
  const mark: TextRun = { text: "1", x: 120, y: 704, width: 4, size: 8 };
  const heading: TextRun = { text: "The lighthouse", x: 50, y: 700, width: 70, size: 20 };
  expect(
    await textsOf([heading, mark, ...page(["It was built in 1899 on the rocks of the bay.", { gap: 40 }])]),
  ).toEqual(["# The lighthouse1", "It was built in 1899 on the rocks of the bay."]);
});

describe("a paragraph", () => {
  it("has the lines up to a gap of 1.75 times the size", async () => {
    expect(await textsOf(page("one", ["two", { gap: 17.5 }], ["Three", { gap: 17.6 }]))).toEqual(["one two", "Three"]);
  });

  it("has its lines from top to bottom, even if the document has them in another order", async () => {
    expect(await textsOf(page("three", ["one", { gap: -24 }], "two"))).toEqual(["one two three"]);
  });

  it("ends before a line of another size", async () => {
    const text = "the body of the text has the most characters";
    expect(await textsOf(page(text, ["a footnote", { size: 8 }], ["is here", { size: 8.2 }]))).toEqual([
      text,
      "a footnote is here",
    ]);
  });

  it.each([
    ["one", "two", ["one two"]],
    ["one.", "two", ["one.", "two"]],
    ["one”", "two", ["one” two"]],
    ["one.”", "two", ["one.”", "two"]],
    ["one", "Two", ["one", "Two"]],
    ["one", "2 words", ["one", "2 words"]],
  ])("continues on the next page if the sentence does: %s | %s", async (first, second, texts) => {
    expect(await textsOf(page(first), page(second))).toEqual(texts);
  });

  it.each([
    ["hyphen-", "ated", "hyphenated"],
    ["soft\u00ad", "ware", "software"],
    ["Baden-", "Baden", "Baden- Baden"],
    ["1990-", "to", "1990- to"],
    ["a -", "b", "a - b"],
  ])("joins words that are hyphenated at the end of a line: %s %s", async (first, second, text) => {
    expect(await textsOf(page(first, second))).toEqual([text]);
  });
});

describe("a heading", () => {
  const body = "The body of the text has the most characters, so its size is the usual one.";

  it("is at least 1.15 times as large as the body, and the largest has the lowest depth", async () => {
    const large = (text: string, size: number): [string, Partial<TextRun> & { gap: number }] => [
      text,
      { size, gap: 40 },
    ];
    const lines = [large("A", 30), large("B", 25), large("C", 20), large("D", 17), large("E", 14), large("F", 11.5)];
    expect(await textsOf(page(...lines, [body, { gap: 40 }]))).toEqual([
      "# A",
      "## B",
      "### C",
      "#### D",
      "#### E",
      "#### F",
      body,
    ]);
    expect(await textsOf(page(large("Nearly", 11.2), [body, { gap: 40 }]))).toEqual(["Nearly", body]);
  });

  it.each([
    [200, `# ${"x".repeat(200)}`],
    [201, "x".repeat(201)],
  ])("has at most 200 characters: %i", async (length, text) => {
    const long = body.repeat(10);
    expect(await textsOf(page(["x".repeat(length), { size: 20 }], [long, { gap: 40 }]))).toEqual([text, long]);
  });
});

describe("a list", () => {
  it("has an item for each bullet or number, and its items can have several lines", async () => {
    expect(await textsOf(page("• one", "and more", "– two", "3. three", "4) four", "Text"))).toEqual([
      "- one and more",
      "- two",
      "3. three",
      "4. four Text",
    ]);
    expect((await toBlocks([page("• one", "• two", "1. three", "2. four")])).map(({ type }) => type)).toEqual([
      "list",
      "list",
    ]);
  });

  it.each(["•one", "1.5 liters", "1234. words", "2024) words", "•"])("doesn't begin with '%s'", async (text) => {
    expect((await toBlocks([page(text)])).map(({ type }) => type)).toEqual(["paragraph"]);
  });
});

describe("running heads and page numbers", () => {
  const middle = ["First line here.", "Second line here.", "Third line here.", "Fourth line here.", "Fifth line here."];
  const bookOf = (pages: number) =>
    Array.from({ length: pages }, (_, at) =>
      page(
        "The Journal",
        ...middle.map((text): [string, { gap: number }] => [`Page ${"abcdefghijkl"[at]}: ${text}`, { gap: 40 }]),
        [`Page ${at + 1} of 9`, { gap: 40 }],
      ),
    );

  it("are left out if they are on at least three pages, even if their numbers differ", async () => {
    const texts = await textsOf(...bookOf(3));
    expect(texts).toHaveLength(15);
    expect(texts.filter((text) => /Journal| of 9/.test(text))).toEqual([]);
  });

  it("are kept if the pages have no other text", async () => {
    expect(await textsOf(page("Label"), page("Label"), page("Label"))).toHaveLength(3);
  });

  it("are kept on two pages", async () => {
    expect((await textsOf(...bookOf(2))).filter((text) => /Journal| of 9/.test(text))).toHaveLength(4);
  });

  it("are kept on less than a third of the pages", async () => {
    const pages = bookOf(12).map((runs, at) => (at < 3 ? runs : runs.slice(1)));
    expect((await textsOf(...pages)).filter((text) => text === "The Journal")).toHaveLength(3);
  });

  it("are only the first two and the last two lines of a page", async () => {
    const repeated = Array.from({ length: 3 }, (_, at) => {
      const own = ["a", "b", "c", "d"].map((name): [string, { gap: number }] => [
        `${name}${"xyz"[at]} of page`,
        { gap: 40 },
      ]);
      return page(...own.slice(0, 2), ["The same line", { gap: 40 }], ...own.slice(2));
    });
    expect((await textsOf(...repeated)).filter((text) => text === "The same line")).toHaveLength(3);
    const second = repeated.map((runs) => runs.slice(1));
    expect((await textsOf(...second)).filter((text) => text === "The same line")).toHaveLength(0);
  });
});
