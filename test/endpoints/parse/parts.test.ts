import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toParts } from "../../../src/endpoints/parse/parts";
import { type PageContent, readDocument, readHtml, readPlain } from "../../../src/endpoints/parse/read-page";
import type { Block, Inline } from "../../../src/html/ast/blocks";
import { parseVisiblePage } from "../../../src/html/visible-page";
import { estimateTokens } from "../../../src/text-view/tokens";

const MANY = 10_000;

function contentOf(blocks: Block[]): PageContent {
  return readDocument(blocks, { url: null, metadata: {} });
}

function partsOf(html: string, maxTokens: number, maxParts = MANY) {
  return toParts(readHtml(parseVisiblePage(`<body>${html}</body>`), { url: null }), { maxTokens, maxParts });
}

describe("a page that is too long for one part", () => {
  const sentence = "The keeper of the lamp wrote down the height of the tide and the wind. ";

  it("is split between its blocks", () => {
    const html = Array.from({ length: 40 }, (_, at) => `<p>${at}. ${sentence.repeat(3)}</p>`).join("");
    const { parts, isTruncated } = partsOf(html, 400);
    expect(parts.length).toBeGreaterThan(4);
    expect(isTruncated).toBe(false);
    for (const part of parts) {
      expect(estimateTokens(part)).toBeLessThanOrEqual(400);
      expect(part.endsWith("the wind.")).toBe(true);
    }
  });

  it("is truncated after the maximum number of parts", () => {
    const html = `<p>${sentence.repeat(3)}</p>`.repeat(40);
    const { parts, isTruncated, text } = partsOf(html, 400, 2);
    expect(parts).toHaveLength(2);
    expect(isTruncated).toBe(true);
    expect(text.length).toBeLessThan(4 * 2 * 400 * 5);
  });

  it("isn't truncated if it exactly fills the last part", () => {
    const html = `<p>${sentence.repeat(3)}</p>`.repeat(40);
    const { parts } = partsOf(html, 400);
    expect(partsOf(html, 400, parts.length)).toMatchObject({ isTruncated: false });
    expect(partsOf(html, 400, parts.length - 1)).toMatchObject({ isTruncated: true });
  });

  it("has its facts in each part, limited to a quarter of the part", () => {
    const data = Array.from({ length: 200 }, (_, at) => ({ "@type": "Product", name: `Lamp ${at}` }));
    const html = `<title>Ledger</title><script type="application/ld+json">${JSON.stringify(data)}</script>${`<p>${sentence.repeat(3)}</p>`.repeat(40)}`;
    const { parts } = toParts(readHtml(parseVisiblePage(html), { url: null }), { maxTokens: 600, maxParts: MANY });
    const heads = parts.map((part) => part.slice(0, part.indexOf("\n\nThe page")));
    expect(new Set(heads).size).toBe(1);
    expect(heads[0]).toContain("title: Ledger");
    expect(estimateTokens(heads[0] ?? "")).toBeLessThanOrEqual(0.25 * 600 + 10);
  });

  it("has the current headings at the start of each part, and no heading at the end of a part", () => {
    const year = (name: number) =>
      `<h2>${name}</h2>${["May", "June"].map((month) => `<h3>${month}</h3>${`<p>${sentence.repeat(2)}</p>`.repeat(11)}`).join("")}`;
    const { parts } = partsOf(`<h1>Ledger</h1>${year(1843)}${year(1844)}`, 300);
    const labels = parts.map((part) => part.split("\n")[0]);
    expect(labels[0]).toBe("The page:");
    expect(labels).toContain("The page, continued under “Ledger › 1843 › May”:");
    expect(labels).toContain("The page, continued under “Ledger › 1844 › May”:");
    for (const part of parts) expect(part).not.toMatch(/\n#+ [^\n]*$/);
  });

  it("has the header of a long table in each part", () => {
    const rows = Array.from({ length: 300 }, (_, at) => `<tr><td>Part ${at}</td><td>W-${at}</td></tr>`).join("");
    const { parts } = partsOf(`<table><tr><th>Part</th><th>Code</th></tr>${rows}</table>`, 400);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part).toContain("| Part | Code |\n| --- | --- |\n| Part ");
    const found = parts.flatMap((part) => Array.from(part.matchAll(/\| W-(\d+) \|/g), ([, at]) => Number(at)));
    expect(found).toEqual(Array.from({ length: 300 }, (_, at) => at));
  });

  it("keeps a table together if it fits into one part", () => {
    const rows = Array.from({ length: 12 }, (_, at) => `<tr><td>Part ${at}</td><td>W-${at}</td></tr>`).join("");
    const table = `<table><tr><th>Part</th><th>Code</th></tr>${rows}</table>`;
    const { parts } = partsOf(`<p>${sentence.repeat(26)}</p>${table}`, 400);
    expect(parts).toHaveLength(2);
    expect(parts[1]).toContain("| Part 0 |");
    expect(parts[1]).toContain("| Part 11 |");
  });

  it("continues the numbers of a long list", () => {
    const items = Array.from({ length: 100 }, (_, at) => `<li>${sentence}item${at}</li>`).join("");
    const { parts } = partsOf(`<ol>${items}</ol>`, 400);
    const numbers = parts.flatMap((part) => Array.from(part.matchAll(/^(\d+)\. /gm), ([, at]) => Number(at)));
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
  });

  it("is split between sentences if it is one paragraph", () => {
    const { parts } = partsOf(`<p>${sentence.repeat(100)}</p>`, 300);
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(part.endsWith(".")).toBe(true);
  });

  it("is split between lines if it is plain text", () => {
    const text = Array.from({ length: 500 }, (_, at) => `line ${at} of the log`).join("\n");
    const { parts } = toParts(readPlain(text, { url: null }), { maxTokens: 300, maxParts: MANY });
    expect(parts.map((part) => part.replace(/^The page[^\n]*:\n\n/, "")).join("\n")).toBe(text);
    for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(300);
  });

  it.each([
    ["one long word", `<p>${"x".repeat(200_000)}`],
    ["punctuation that needs escapes", `<p>a ${"*_`[".repeat(20_000)}`],
    ["a link with a long URL", `<p><a href="https://a.example/${"y".repeat(7_000)}">words</a> after`],
    ["an image with a long URL", `<p><img src="https://a.example/${"y".repeat(7_000)}" alt="words"> after`],
    ["code in one line", `<pre>${"x=1;".repeat(20_000)}</pre>`],
    ["a long table cell", `<table><tr><th>a<th>b<tr><td>${"word ".repeat(10_000)}<td>c</table>`],
    ["a list item with many blocks", `<ul><li>${"<p>word word</p>".repeat(3_000)}</ul>`],
    ["nested quotes", `${"<blockquote>".repeat(15)}${"<p>word word</p>".repeat(500)}`],
    ["a very long heading", `<h1>${"word ".repeat(10_000)}</h1><p>after`],
    ["only headings", "<h2>a heading</h2>".repeat(2_000)],
    ["line breaks", `<p>a${"<br>b".repeat(20_000)}`],
    ["quotation marks", `<p>${'"'.repeat(200_000)}`],
  ])("stays within the token limit with %s", { timeout: 60_000 }, (_, html) => {
    for (const part of partsOf(html, 250).parts) expect(estimateTokens(part)).toBeLessThanOrEqual(250);
  });
});

const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(..."abcde*_|#>-`[]().é中😀".split("")) });
const words = fc.array(word, { minLength: 1, maxLength: 25 }).map((all) => all.join(" "));
const line = fc.array(
  words.map((value): Inline => ({ type: "text", value, space: true, marks: null })),
  { minLength: 1, maxLength: 4 },
);
const { block } = fc.letrec<{ block: Block; children: Block[] }>((tie) => ({
  children: fc.array(tie("block"), { minLength: 1, maxLength: 4 }),
  block: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    line.map((content): Block => ({ type: "paragraph", content })),
    fc.tuple(fc.integer({ min: 1, max: 6 }), words).map(
      ([depth, value]): Block => ({
        type: "heading",
        depth,
        content: [{ type: "text", value, space: false, marks: null }],
      }),
    ),
    words.map((value): Block => ({ type: "code", language: "", value: value.replaceAll(" ", "\n") })),
    fc
      .array(fc.tuple(line, line), { minLength: 2, maxLength: 20 })
      .map((rows): Block => ({ type: "table", alignments: ["", ""], rows })),
    fc.array(tie("children"), { minLength: 1, maxLength: 8 }).map(
      (items): Block => ({
        type: "list",
        ordered: items.length % 2 === 0,
        items: items.map((children, at) => ({ number: at + 1, checked: null, children })),
      }),
    ),
    tie("children").map((children): Block => ({ type: "quote", children })),
  ),
}));

/** Adds a unique number to each string in the blocks, so that the tests can find the string in the parts. */
function numbered(blocks: Block[]): { blocks: Block[]; count: number } {
  let count = 0;
  const next = () => `⟦${count++}⟧`;
  const number = (own: Block): Block => {
    switch (own.type) {
      case "paragraph":
        return { ...own, content: own.content.map((inline) => ({ ...inline, value: `${next()} ${inline.value}` })) };
      case "code":
        return { ...own, value: `${next()}\n${own.value}` };
      case "list":
        return { ...own, items: own.items.map((item) => ({ ...item, children: item.children.map(number) })) };
      case "quote":
        return { ...own, children: own.children.map(number) };
      case "table": {
        const [header = [], ...rows] = own.rows;
        const cells = (row: Inline[][]) =>
          row.map((cell) => cell.map((inline) => ({ ...inline, value: `${next()} ${inline.value}` })));
        return { ...own, rows: [header, ...rows.map(cells)] };
      }
      default:
        return own;
    }
  };
  return { blocks: blocks.map(number), count };
}

describe("any page", () => {
  it("has no part above the limit, and has every block once, in order", () => {
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 150, max: 2_000 }),
        (all, maxTokens) => {
          const { blocks, count } = numbered(all);
          const { parts, isTruncated } = toParts(contentOf(blocks), { maxTokens, maxParts: MANY });
          expect(isTruncated).toBe(false);
          for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(maxTokens);
          const found = parts.flatMap((part) => Array.from(part.matchAll(/⟦(\d+)⟧/g), ([, at]) => Number(at)));
          expect(found).toEqual(Array.from({ length: count }, (_, at) => at));
        },
      ),
      { numRuns: 40 },
    );
  });
});

it("truncates plain text after the maximum number of parts", () => {
  const content = readPlain("The keeper wrote a line.\n".repeat(400), { url: null });
  const { parts, isTruncated } = toParts(content, { maxTokens: 300, maxParts: 3 });
  expect([parts.length, isTruncated]).toEqual([3, true]);
});

it("has the text of the parts both as plain text and as Markdown", () => {
  const { text } = partsOf("<p>A <b>bold</b> word</p>", 1_000);
  expect(text).toContain("A bold word");
  expect(text).toContain("A **bold** word");
});
