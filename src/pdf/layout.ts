import type { Block, Inline, ListItem, Table } from "../html/ast/blocks";
import { sleep } from "../lib/clock";
import type { PageContent, TextRun } from "./page-content";
import { arrangePage, type PageElement } from "./regions";
import { areRtl, LEADERS, type Row, toInline, toPlainText, toRows } from "./rows";
import type { CellGrid } from "./tables";
import { readTaggedPages, type TaggedParagraph } from "./tags";

const BULLET = /^(?:[•◦▪●○■□➢➤✓‣∙·*–—-]|[\uf000-\uf0ff]|o(?=\s))\s+(?=\S)/u;
const NUMBER = /^(\d{1,3})[.)]\s+(?=\S)/;
/** Other numbers of items and sections. They begin a paragraph, because Markdown has no lists with them. */
const LABEL = /^(?:\(?[a-z]{1,3}[.)]|\(\d{1,3}\)|\d{1,2}(?:\.\d{1,2})+\.?)\s+\S/;
/** The minimum size of a heading, as a multiple of the size of the body text. */
const HEADING_SIZE = 1.15;
/** The runs and rulings of the pages between two pauses. An ordinary page has a few hundred. */
const RUNS_PER_PAUSE = 2_000;
const MAX_HEADING_CHARS = 200;
/** The maximum length of a heading that has the size of the body text and is bold. */
const MAX_BOLD_HEADING_CHARS = 100;
const MAX_HEADING_DEPTH = 4;
/** The indentation of the items of tagged lists, in points. */
const LEVEL_WIDTH = 20;
/** The maximum size of a footnote, as a multiple of the size of the body text. */
const FOOTNOTE_SIZE = 0.92;
/** The minimum gap between two paragraphs, as a multiple of the line's size. */
const PARAGRAPH_GAP = 1.75;
/** The maximum gap between two lines of a paragraph with double spacing. */
const WIDE_GAP = 2.5;
/**
 * A line at the edge of a page is a page header, footer or page number if it repeats on at least this many pages and on a
 * third of all pages. The numbers in the line may differ.
 */
const MIN_REPEATED_PAGES = 3;
const EDGE_LINES = 2;
const ENDS_SENTENCE = /[.!?:;…。！？]["'”’»)」』]*$/;

/** A bookmark of the document's outline. */
export interface Bookmark {
  title: string;
  depth: number;
}

/**
 * Converts a document to headings, paragraphs, lists and tables. Leaves out running heads and page numbers. A line with
 * the text of a bookmark is a heading of its depth. If `numbers` has the numbers of the pages, a block marks the start of
 * each page.
 */
export async function toBlocks(
  pages: readonly PageContent[],
  { bookmarks = [], numbers = null }: { bookmarks?: readonly Bookmark[]; numbers?: readonly number[] | null } = {},
): Promise<Block[]> {
  const rows = withoutRunningHeads(await mapPages(pages, toRows));
  const body = bodySize(rows.flat());
  const tagged = readTaggedPages(pages, rows);
  const elements = await mapPages(pages, (page, i) => tagged.get(page) ?? arrangePage(rows[i] ?? [], page));
  const paragraphs = toParagraphs(elements, body);
  return new BlockWriter(body, headingSizes(paragraphs, body), bookmarks).write(paragraphs, numbers);
}

/** Converts each page. Lets the isolate handle other requests after some pages. */
async function mapPages<T>(pages: readonly PageContent[], convert: (page: PageContent, i: number) => T): Promise<T[]> {
  const converted: T[] = [];
  let runs = 0;
  for (const [i, page] of pages.entries()) {
    converted.push(convert(page, i));
    runs += page.runs.length + page.horizontals.length + page.verticals.length;
    if (runs < RUNS_PER_PAUSE) continue;
    await sleep(0);
    runs = 0;
  }
  return converted;
}

interface Paragraph extends TaggedParagraph {
  /** The index of the page on which the paragraph starts. */
  page: number;
  /** The runs of each line. The lines are joined once at the end. Joining them one by one would take quadratic time. */
  lines: TextRun[][];
  /** The text of the last line. */
  ending: string;
  size: number;
  isBold: boolean;
  left: number;
  /** The end of the last line. */
  right: number;
  /** The y position of the paragraph's last line, or null if that line is on the previous page. */
  y: number | null;
}

type Part = Paragraph | { kind: "table"; page: number; cells: CellGrid };

function toParagraphs(pages: readonly (readonly (PageElement | TaggedParagraph)[])[], body: number): Part[] {
  const parts: Part[] = [];
  let last: Paragraph | null = null;
  const footnotes: Part[] = [];
  for (const [page, elements] of pages.entries()) {
    if (last) last.y = null;
    const notes: Paragraph[] = [];
    const lowest = elements.reduce(
      (low, element) =>
        element.kind === "line" && element.row.size > body * FOOTNOTE_SIZE ? Math.min(low, element.row.y) : low,
      Infinity,
    );
    for (const element of elements) {
      if (element.kind === "table") {
        parts.push(...footnotes.splice(0), { kind: "table", page, cells: element.table.cells });
        last = null;
        continue;
      }
      if (element.kind === "paragraph") {
        const paragraph = fromTag(element, page);
        if (last?.y === null && isText(last) && isText(paragraph) && continues(last, paragraph)) {
          extend(last, paragraph);
        } else {
          parts.push(...footnotes.splice(0), paragraph);
          last = paragraph;
        }
        continue;
      }
      const { row } = element;
      const line: Paragraph = {
        kind: "paragraph",
        page,
        lines: [row.chunks.flatMap(({ runs }) => runs)],
        ending: row.chunks.map(({ text }) => text).join(" "),
        size: row.size,
        isBold: row.chunks.every(({ isBold }) => isBold),
        left: row.left,
        right: row.right,
        y: row.y,
      };
      if (row.size <= body * FOOTNOTE_SIZE && row.y < lowest) {
        const note = notes.at(-1);
        if (note && continues(note, line)) extend(note, line);
        else notes.push(line);
        continue;
      }
      if (last && continues(last, line)) extend(last, line);
      else {
        // The footnotes of the previous page follow the paragraph that ends on this page.
        parts.push(...footnotes.splice(0), line);
        last = line;
      }
    }
    footnotes.push(...notes);
  }
  return [...parts, ...footnotes];
}

function fromTag(tagged: TaggedParagraph, page: number): Paragraph {
  const runs = tagged.lines.flat();
  return {
    ...tagged,
    page,
    ending: runs
      .map(({ text }) => text)
      .join(" ")
      .trim(),
    size: runs.reduce((most, { size }) => Math.max(most, size), 0),
    isBold: runs.every(({ isBold }) => isBold),
    left: tagged.level === undefined ? (runs[0]?.x ?? 0) : tagged.level * LEVEL_WIDTH,
    right: 0,
    y: Infinity,
  };
}

/** Returns false for the headings and the items of lists of a tagged page. */
function isText({ depth, level }: Paragraph): boolean {
  return !depth && level === undefined;
}

function extend(paragraph: Paragraph, line: Paragraph): void {
  paragraph.lines.push(...line.lines);
  paragraph.ending = line.ending;
  paragraph.right = line.right;
  paragraph.y = line.y;
}

function withoutRunningHeads(pages: readonly Row[][]): Row[][] {
  const counts = new Map<string, number>();
  const edges = (page: readonly Row[]) =>
    new Set([...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)].filter(({ chunks }) => chunks.length <= 3));
  const keyOf = (row: Row) =>
    row.chunks
      .map(({ text }) => text)
      .join(" ")
      .replace(/\d+/g, "#");
  for (const page of pages) {
    for (const key of new Set([...edges(page)].map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const enough = Math.max(MIN_REPEATED_PAGES, pages.length / 3);
  const others = pages.map((page) => {
    const atEdge = edges(page);
    return page.filter((row) => !(atEdge.has(row) && (counts.get(keyOf(row)) ?? 0) >= enough));
  });
  // If nothing else is there, the repeated lines are the text, for example of labels.
  return others.some((page) => page.length > 0) ? others : [...pages];
}

/** Returns the font size of the body text, which is the size of most characters. */
function bodySize(rows: readonly Row[]): number {
  const chars = new Map<number, number>();
  for (const { chunks } of rows) {
    for (const { size, text } of chunks) chars.set(round(size), (chars.get(round(size)) ?? 0) + text.length);
  }
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

/** Maps the font sizes of headings to their ranks. The largest size has rank 0. */
function headingSizes(parts: readonly Part[], body: number): ReadonlyMap<number, number> {
  const sizes = new Set<number>();
  for (const part of parts) {
    if (part.kind === "paragraph" && part.size >= body * HEADING_SIZE && part.lines.length <= 4)
      sizes.add(round(part.size));
  }
  return new Map([...sizes].sort((a, b) => b - a).map((size, rank) => [size, rank]));
}

function round(size: number): number {
  return Math.round(size * 2) / 2;
}

function continues({ size, isBold, ending, left, right, y, lines }: Paragraph, line: Paragraph): boolean {
  const text = line.ending;
  if (round(line.size) !== round(size) || BULLET.test(text) || NUMBER.test(text) || LABEL.test(text)) return false;
  if (isBold !== line.isBold && (isBold ? lines.length < 3 : true)) return false;
  // The entries of a table of contents.
  if (LEADERS.test(ending)) return false;
  // A sentence may continue at the top of the next page.
  if (y === null) return /^\p{Ll}/u.test(text) && !ENDS_SENTENCE.test(ending);
  const gap = y - (line.y ?? y);
  // The next column begins higher on the page.
  if (gap < -size * 3 && /^\p{Ll}/u.test(text) && !ENDS_SENTENCE.test(ending)) return true;
  if (lines.length > 1 && line.left > left + size && ENDS_SENTENCE.test(ending)) return false;
  if (gap <= 0 || gap > WIDE_GAP * size) return false;
  // In text with double spacing, a full line continues in the next one.
  const isFull =
    !/^\p{Lu}/u.test(text) &&
    line.right <= right + size / 2 &&
    Math.abs(line.left - left) <= size &&
    !ENDS_SENTENCE.test(ending);
  return gap <= PARAGRAPH_GAP * size || isFull;
}

/** Writes the parts of a document as blocks. */
class BlockWriter {
  readonly #body: number;
  readonly #sizes: ReadonlyMap<number, number>;
  readonly #bookmarks: ReadonlyMap<string, number>;
  readonly #blocks: Block[] = [];
  /** The items of the current list that can contain the next one, the outermost first. */
  #open: { left: number; items: ListItem[]; ordered: boolean }[] = [];

  constructor(body: number, sizes: ReadonlyMap<number, number>, bookmarks: readonly Bookmark[]) {
    this.#body = body;
    this.#sizes = sizes;
    this.#bookmarks = new Map(bookmarks.map(({ title, depth }) => [plain(title), depth]));
  }

  write(parts: readonly Part[], numbers: readonly number[] | null): Block[] {
    let marked = 0;
    const markPages = (until: number) => {
      if (numbers === null || until <= marked) return;
      this.#open = [];
      for (const number of numbers.slice(marked, until)) this.#blocks.push({ type: "page", number });
      marked = until;
    };
    for (const part of parts) {
      markPages(part.page + 1);
      if (part.kind === "table") {
        this.#open = [];
        this.#blocks.push(toTable(part.cells));
      } else this.#add(part);
    }
    // A document without text has no markers.
    if (this.#blocks.length > 0 && numbers !== null) markPages(numbers.length);
    return this.#blocks;
  }

  #add(paragraph: Paragraph): void {
    const content = toInline(paragraph.lines);
    const text = toPlainText(content);
    if (text === "") return;
    const depth = this.#depthOf(paragraph, text);
    if (depth !== null) {
      this.#open = [];
      this.#blocks.push({ type: "heading", depth: Math.min(depth, MAX_HEADING_DEPTH), content });
      return;
    }
    const bullet = BULLET.exec(text);
    const number = NUMBER.exec(text);
    if (bullet) this.#addItem({ ordered: false, number: 1 }, cut(content, bullet[0].length), paragraph.left);
    else if (number)
      this.#addItem({ ordered: true, number: Number(number[1]) }, cut(content, number[0].length), paragraph.left);
    else if (paragraph.level !== undefined) this.#addItem({ ordered: false, number: 1 }, content, paragraph.left);
    else {
      this.#open = [];
      this.#blocks.push({ type: "paragraph", content });
    }
  }

  /** Returns the depth of a heading, or null for other paragraphs. */
  #depthOf({ size, isBold, lines, depth, level }: Paragraph, text: string): number | null {
    if (text.length > MAX_HEADING_CHARS || level !== undefined) return null;
    if (depth !== undefined) return depth;
    const bookmark = this.#bookmarks.get(plain(text));
    if (bookmark !== undefined) return bookmark;
    const rank = this.#sizes.get(round(size));
    if (rank !== undefined && size >= this.#body * HEADING_SIZE) return rank + 1;
    const isBoldHeading =
      isBold &&
      size >= this.#body * 0.98 &&
      lines.length <= 2 &&
      text.length <= MAX_BOLD_HEADING_CHARS &&
      /\p{L}/u.test(text) &&
      !/[.,;:!]$/.test(text) &&
      !BULLET.test(text);
    return isBoldHeading ? this.#sizes.size + 1 : null;
  }

  #addItem({ ordered, number }: { ordered: boolean; number: number }, content: Inline[], left: number): void {
    const item: ListItem = { number, checked: null, children: [{ type: "paragraph", content }] };
    const isOuter = (list: { left: number } | undefined) => list !== undefined && list.left > left + 3;
    while (isOuter(this.#open.at(-1))) this.#open.pop();
    const last = this.#open.at(-1);
    if (last && last.ordered === ordered && Math.abs(last.left - left) <= 6) {
      last.items.push(item);
      return;
    }
    const items = [item];
    const parent = last && left > last.left + 6 ? last.items.at(-1) : undefined;
    if (parent) parent.children.push({ type: "list", ordered, items });
    else {
      this.#open = [];
      this.#blocks.push({ type: "list", ordered, items });
    }
    this.#open.push({ left, items, ordered });
  }
}

/** Returns the content after its first characters. */
function cut(content: Inline[], chars: number): Inline[] {
  const [first, ...others] = content;
  if (!first) return [];
  if (first.value.length <= chars)
    return cut(
      others.map((piece, i) => (i === 0 ? { ...piece, space: false } : piece)),
      chars - first.value.length - (others[0]?.space ? 1 : 0),
    );
  return [{ ...first, value: first.value.slice(chars) }, ...others];
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\s\p{P}]+/gu, "")
    .toLowerCase();
}

function toTable(cells: CellGrid): Table {
  const rows = cells.map((row) =>
    row.map((chunks) => {
      const lines: { y: number; size: number; runs: TextRun[] }[] = [];
      for (const { y, size, runs } of [...chunks].sort((a, b) => b.y - a.y || a.left - b.left)) {
        const line = lines.at(-1);
        if (line && line.y - y < size / 2) line.runs.push(...runs);
        else lines.push({ y, size, runs: [...runs] });
      }
      return toInline(lines.map(({ runs }) => runs.sort((a, b) => a.x - b.x)));
    }),
  );
  if (areRtl(cells.flat(2))) for (const row of rows) row.reverse();
  return { type: "table", alignments: (rows[0] ?? []).map(() => ""), rows };
}
