import { describe, expect, it } from "vitest";
import type { Block } from "../../src/html/ast/blocks";
import { writeMarkdown } from "../../src/html/markdown/markdown";
import { readPdf } from "../../src/pdf/read";
import texts from "../fixtures/pdf-texts.json" with { type: "json" };
import { type PdfPage, type PdfText, widthOf, writePdf } from "../support/pdf-writer";

type Sample = (typeof texts)["en"];
const samples = Object.entries(texts) as [string, Sample][];
const DENSE = /[\u2e80-\u9fff]/;
const RTL = /[\u0590-\u08ff]/;
const LEADING = 13;

/** Breaks a text into lines of a width. Hyphenates a long word at the end of a line if `hyphenates` is true. */
function flow(
  text: string,
  {
    x,
    y,
    width,
    size = 10,
    hyphenates = false,
  }: { x: number; y: number; width: number; size?: number; hyphenates?: boolean },
): PdfText[] {
  const isDense = DENSE.test(text);
  const words = isDense ? [...text] : text.split(" ");
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    const joined = line === "" || isDense ? line + word : `${line} ${word}`;
    if (widthOf(joined, size) <= width) line = joined;
    else if (hyphenates && /^\p{L}{8,}$/u.test(word) && widthOf(`${line} ${word.slice(0, 5)}`, size) <= width) {
      lines.push(`${line} ${word.slice(0, 4)}-`);
      line = word.slice(4);
    } else {
      lines.push(line);
      line = word;
    }
  }
  lines.push(line);
  return lines.map((words, i) => ({
    text: words,
    x: RTL.test(text) ? x + width - widthOf(words, size) : x,
    y: y - i * LEADING,
    size,
  }));
}

/** Returns the share of the expected words that the text has in the same order: the longest common subsequence. */
function orderedShare(expected: string, text: string): number {
  const toWords = (words: string) =>
    words.replace(/https?:\S+/g, " ").match(/[\u2e80-\u9fff]|[^\s\p{P}\p{S}\u2e80-\u9fff]+/gu) ?? [];
  const [a, b] = [toWords(expected), toWords(text)];
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [i, other] of b.entries())
      next.push(word === other ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0));
    row = next;
  }
  // Words that shouldn't be there count as missing ones.
  return (row.at(-1) ?? 0) / Math.max(a.length, b.length);
}

async function read(pages: PdfPage[], bookmarks?: string[]): Promise<{ blocks: Block[]; markdown: string }> {
  const { blocks } = await readPdf(writePdf(pages, bookmarks), { signal: new AbortController().signal });
  return { blocks, markdown: writeMarkdown(blocks) };
}

describe.each(samples)(
  "a document in %s",
  (language, { title, heads, paragraphs, items, note, labels, values, table }) => {
    const isRtl = language === "he";
    const [first = "", second = "", third = ""] = paragraphs;
    const left = (text: string, x: number, y: number, more: Partial<PdfText> = {}): PdfText => ({
      text,
      x,
      y,
      ...more,
    });

    it("has its columns one after the other, without running heads and page numbers", async () => {
      const columns = language === "en" || language === "zh" ? 3 : 2;
      const width = columns === 3 ? 150 : 235;
      const xs = Array.from({ length: columns }, (_, i) => 50 + i * (width + 25));
      const order = isRtl ? [...xs].reverse() : xs;
      const pages = [1, 2, 3].map((page) => ({
        texts: [
          left(`${title} ${page}`, 50, 770, { size: 9 }),
          left(heads[page % 2] ?? "", 50, 730, { size: 16 }),
          ...order.flatMap((x, i) =>
            flow(`${paragraphs[i]} ${paragraphs[(i + page) % 3]}`, { x, y: 690, width, hyphenates: true }),
          ),
          left(String(page), 300, 30, { size: 9 }),
        ],
      }));
      const expected = [1, 2, 3].flatMap((page) => [
        heads[page % 2],
        ...order.map((_, i) => `${paragraphs[i]} ${paragraphs[(i + page) % 3]}`),
      ]);
      const { markdown } = await read(pages);
      expect(orderedShare(expected.join(" "), markdown)).toBeGreaterThanOrEqual(0.98);
      expect(markdown).not.toContain("|");
    });

    it("has lists with typed and drawn bullets, numbers and links", async () => {
      const x = isRtl ? 100 : 70;
      const bulletX = isRtl ? 510 : 55;
      const url = "https://example.com/plan";
      const typed = items.flatMap((item, i) => [
        left("•", bulletX, 700 - 20 * i),
        ...flow(item, { x, y: 700 - 20 * i, width: 400 }),
      ]);
      const drawn = items.flatMap((item, i) => flow(item, { x, y: 560 - 20 * i, width: 400 }));
      const numbered = items.map((item, i) => left(`${i + 1}. ${item}`, 50, 440 - 20 * i));
      const { blocks, markdown } = await read([
        {
          texts: [
            left(title, 50, 760, { size: 20 }),
            ...typed,
            ...flow(first, { x: 50, y: 630, width: 500, hyphenates: true }),
            ...drawn,
            ...flow(second, { x: 50, y: 490, width: 500 }),
            ...(isRtl ? [] : numbered),
          ],
          paths: items.map((_, i) => `${bulletX} ${562 - 20 * i} 4 4 re f`),
          links: [{ box: [x, 697, x + 400, 710], url }],
        },
      ]);
      const expected = [title, ...items, first, ...items, second, ...(isRtl ? [] : items)].join(" ");
      const isOrdered = (block: Block) => block.type === "list" && block.ordered;
      expect(orderedShare(expected, markdown.replace(/^\d\. /gm, ""))).toBeGreaterThanOrEqual(0.98);
      expect(markdown).toContain(`[${items[0]}](${url})`);
      if (isRtl) return;
      const lists = blocks.flatMap((block) => (block.type === "list" ? [block.items.length] : []));
      expect(lists).toEqual([3, 3, 3]);
      expect(blocks.filter(isOrdered)).toHaveLength(1);
    });

    it("has the values of its form fields next to their labels", async () => {
      const y = (i: number) => 650 - 40 * i;
      const { markdown } = await read([
        {
          texts: [
            left(title, 50, 760, { size: 20 }),
            ...flow(first, { x: 50, y: 730, width: 500 }),
            ...labels.map((label, i) => left(`${label}:`, isRtl ? 400 : 50, y(i))),
          ],
          fields: [
            ...values.map((value, i) => ({ box: [150, y(i) - 4, 350, y(i) + 12], name: `field${i}`, value })),
            { box: [150, y(2) - 4, 166, y(2) + 12], name: "member", value: true },
          ],
        },
      ]);
      const expected = [title, first, ...labels.flatMap((label, i) => [label, values[i] ?? ""])].join(" ");
      expect(orderedShare(expected, markdown)).toBeGreaterThanOrEqual(0.98);
      expect(markdown).toContain("☑");
    });

    it("has tables with and without rulings, and footnotes after the paragraph that continues on the next page", async () => {
      const xs = isRtl ? [450, 300, 150] : [60, 210, 360];
      const cellsAt = (top: number) =>
        table.flatMap((row, i) => row.map((cell, column) => left(cell, xs[column] ?? 0, top - 18 * i)));
      const rulings = [0, 1, 2, 3, 4].map((i) => `50 ${712 - 18 * i} m 500 ${712 - 18 * i} l S`);
      const words = first.split(" ");
      const half = Math.ceil(words.length / 2);
      const isDense = DENSE.test(first);
      const before = isDense ? first.slice(0, 40) : words.slice(0, half).join(" ");
      const after = isDense ? first.slice(40) : words.slice(half).join(" ");
      const { blocks, markdown } = await read([
        {
          texts: [
            ...cellsAt(700),
            ...flow(second, { x: 50, y: 600, width: 500 }),
            ...cellsAt(480),
            ...flow(before, { x: 50, y: 380, width: 500 }),
            ...flow(`1 ${note}`, { x: 50, y: 60, width: 500, size: 7 }),
          ],
          paths: isRtl ? rulings : [...rulings, ...[50, 200, 350, 500].map((x) => `${x} 640 m ${x} 712 l S`)],
        },
        { texts: [...flow(after, { x: 50, y: 740, width: 500 }), ...flow(third, { x: 50, y: 600, width: 500 })] },
      ]);
      const cells = table.flat().join(" ");
      const continues = /^\p{Ll}/u.test(after);
      const expected = [
        cells,
        second,
        cells,
        before,
        ...(continues ? [after, `1 ${note}`] : [`1 ${note}`, after]),
        third,
      ].join(" ");
      expect(blocks.filter(({ type }) => type === "table")).toHaveLength(2);
      expect(orderedShare(expected, markdown)).toBeGreaterThanOrEqual(0.98);
      expect(markdown).toContain(`| ${table[1]?.join(" | ")} |`);
    });

    it("has headings where its bookmarks are, and vertical text from right to left", async () => {
      const isVertical = language === "ja" || language === "zh";
      const columnsOf = (text: string, x: number) =>
        Array.from({ length: Math.ceil(text.length / 30) }, (_, i) =>
          left(text.slice(i * 30, i * 30 + 30), x - 18 * i, 700, { vertical: true }),
        );
      const page = isVertical
        ? [
            left(heads[0] ?? "", 550, 700, { vertical: true }),
            ...columnsOf(first, 500),
            left(heads[1] ?? "", 380, 700, { vertical: true }),
            ...columnsOf(second, 340),
          ]
        : [
            left(heads[0] ?? "", 50, 740),
            ...flow(first, { x: 50, y: 710, width: 500 }),
            left(heads[1] ?? "", 50, 600),
            ...flow(second, { x: 50, y: 570, width: 500 }),
          ];
      const { blocks, markdown } = await read([{ texts: page }], heads);
      expect(orderedShare([heads[0], first, heads[1], second].join(" "), markdown)).toBeGreaterThanOrEqual(0.98);
      expect(blocks.map(({ type }) => type)).toEqual(["heading", "paragraph", "heading", "paragraph"]);
    });
  },
);
