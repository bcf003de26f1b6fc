import type { Block, Inline, ListItem } from "../html/ast/blocks";

/** A run of text with its position on the page. Sizes and positions are in points. `y` increases upward. */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  /** True for the last run of a line. */
  endsLine: boolean;
}

interface Line {
  text: string;
  x: number;
  y: number;
  size: number;
}

/**
 * A line to which more runs can be added. The texts of its runs are joined once at the end. Joining them one by one
 * would take quadratic time, because the end of the text is checked after each run.
 */
interface OpenLine extends Omit<Line, "text"> {
  texts: string[];
  /** The x position of the end of the last run. */
  end: number;
}

const BULLET = /^(?:[•◦▪●○‣∙·*–-])\s+(?=\S)/u;
const NUMBER = /^(\d{1,3})[.)]\s+(?=\S)/;
/** The minimum size of a heading, as a multiple of the size of the body text. */
const HEADING_SIZE = 1.15;
const MAX_HEADING_CHARS = 200;
const MAX_HEADING_DEPTH = 4;
/** The minimum gap between two paragraphs, as a multiple of the line's size. */
const PARAGRAPH_GAP = 1.75;
/**
 * A line at the edge of a page is a running head or page number if it repeats on at least this many pages and on a
 * third of all pages. The numbers in the line may differ.
 */
const MIN_REPEATED_PAGES = 3;
const EDGE_LINES = 2;

/**
 * Converts a document to headings, paragraphs and lists. Leaves out running heads and page numbers. If `numbers` has the
 * numbers of the pages, a block marks the start of each page.
 */
export function toBlocks(pages: readonly (readonly TextRun[])[], numbers: readonly number[] | null = null): Block[] {
  const lines = withoutRunningHeads(pages.map(toLines));
  const body = bodySize(lines.flat());
  const sizes = headingSizes(lines.flat(), body);
  const blocks: Block[] = [];
  let marked = 0;
  const markPages = (until: number) => {
    for (const number of numbers?.slice(marked, until) ?? []) blocks.push({ type: "page", number });
    marked = until;
  };
  for (const paragraph of toParagraphs(lines)) {
    if (marked <= paragraph.page) markPages(paragraph.page + 1);
    append(blocks, paragraph, sizes);
  }
  // A document without text has no markers.
  if (blocks.length > 0) markPages(pages.length);
  return blocks;
}

interface Paragraph {
  /** The lines are joined once at the end. Joining them one by one would take quadratic time. */
  lines: string[];
  size: number;
  /** The index of the page on which the paragraph starts. */
  page: number;
  /** The y position of the paragraph's last line, or null if that line is on the previous page. */
  y: number | null;
}

function toParagraphs(pages: readonly Line[][]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const [index, page] of pages.entries()) {
    const before = paragraphs.at(-1);
    if (before) before.y = null;
    for (const line of page) {
      const last = paragraphs.at(-1);
      if (last && continues(last, line)) {
        last.lines.push(line.text);
        last.y = line.y;
      } else paragraphs.push({ lines: [line.text], size: line.size, page: index, y: line.y });
    }
  }
  return paragraphs;
}

function toLines(runs: readonly TextRun[]): Line[] {
  const lines: Line[] = [];
  let line: OpenLine | null = null;
  for (const run of runs) {
    if (run.text !== "") {
      if (line && Math.abs(line.y - run.y) > line.size / 2) line = push(lines, line);
      if (!line) line = { texts: [run.text], x: run.x, y: run.y, size: run.size, end: run.x + run.width };
      else {
        const isApart =
          run.x - line.end > run.size / 5 && !/\s$/.test(line.texts.at(-1) ?? "") && !/^\s/.test(run.text);
        if (isApart) line.texts.push(" ");
        line.texts.push(run.text);
        line.size = Math.max(line.size, run.size);
        line.end = run.x + run.width;
      }
    }
    if (run.endsLine && line) line = push(lines, line);
  }
  if (line) push(lines, line);
  return lines;
}

function push(lines: Line[], { texts, x, y, size }: OpenLine): null {
  const tidy = texts.join("").replace(/\s+/g, " ").trim();
  if (tidy !== "") lines.push({ text: tidy, x, y, size });
  return null;
}

function withoutRunningHeads(pages: readonly Line[][]): Line[][] {
  const counts = new Map<string, number>();
  const edges = (page: readonly Line[]) => new Set([...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)]);
  const keyOf = (line: Line) => line.text.replace(/\d+/g, "#");
  for (const page of pages) {
    for (const key of new Set([...edges(page)].map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const enough = Math.max(MIN_REPEATED_PAGES, pages.length / 3);
  return pages.map((page) => {
    const atEdge = edges(page);
    return page.filter((line) => !(atEdge.has(line) && (counts.get(keyOf(line)) ?? 0) >= enough));
  });
}

/** Returns the font size of the body text, which is the size of most characters. */
function bodySize(lines: readonly Line[]): number {
  const chars = new Map<number, number>();
  for (const { size, text } of lines) chars.set(round(size), (chars.get(round(size)) ?? 0) + text.length);
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

/** Maps the font sizes of headings to their ranks. The largest size has rank 0. */
function headingSizes(lines: readonly Line[], body: number): ReadonlyMap<number, number> {
  const larger = lines.filter((line) => line.size >= body * HEADING_SIZE && line.text.length <= MAX_HEADING_CHARS);
  const sizes = [...new Set(larger.map((line) => round(line.size)))].sort((a, b) => b - a);
  return new Map(sizes.map((size, rank) => [size, rank]));
}

function round(size: number): number {
  return Math.round(size * 2) / 2;
}

function continues({ lines, size, y }: Paragraph, line: Line): boolean {
  if (round(line.size) !== round(size) || BULLET.test(line.text) || NUMBER.test(line.text)) return false;
  // A sentence may continue at the top of the next page.
  if (y === null) return /^\p{Ll}/u.test(line.text) && !/[.!?:;…。]["'”’»)]*$/.test(lines.at(-1) ?? "");
  const gap = y - line.y;
  return gap > 0 && gap <= PARAGRAPH_GAP * size;
}

/** Joins the lines of a paragraph, and the words that were hyphenated at the end of a line. */
function joinLines(lines: readonly string[]): string {
  const texts = lines.map((line, i) => {
    const next = lines[i + 1];
    if (next === undefined) return line;
    // Before a capital letter, the hyphen belongs to the word.
    return /\p{L}[-\u00ad]$/u.test(line) && /^\p{Ll}/u.test(next) ? line.slice(0, -1) : `${line} `;
  });
  return texts.join("");
}

function append(blocks: Block[], { lines, size }: Paragraph, sizes: ReadonlyMap<number, number>): void {
  const text = joinLines(lines);
  const level = sizes.get(round(size));
  if (level !== undefined && text.length <= MAX_HEADING_CHARS) {
    blocks.push({ type: "heading", depth: Math.min(level + 1, MAX_HEADING_DEPTH), content: words(text) });
    return;
  }
  const bullet = BULLET.exec(text);
  const number = NUMBER.exec(text);
  if (bullet) appendItem(blocks, { ordered: false, number: 1 }, text.slice(bullet[0].length));
  else if (number) appendItem(blocks, { ordered: true, number: Number(number[1]) }, text.slice(number[0].length));
  else blocks.push({ type: "paragraph", content: words(text) });
}

function appendItem(blocks: Block[], { ordered, number }: { ordered: boolean; number: number }, text: string): void {
  const item: ListItem = { number, checked: null, children: [{ type: "paragraph", content: words(text) }] };
  const last = blocks.at(-1);
  if (last?.type === "list" && last.ordered === ordered) last.items.push(item);
  else blocks.push({ type: "list", ordered, items: [item] });
}

function words(text: string): Inline[] {
  return [{ type: "text", value: text, space: false, marks: null }];
}
