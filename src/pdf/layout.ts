import type { Block, Inline, Item } from "../html/content/blocks";

/** A run of text as it stands on a page; `size` and positions in points, `y` growing upwards. */
export interface Run {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  /** The last one of its line. */
  endsLine: boolean;
}

interface Line {
  text: string;
  x: number;
  y: number;
  size: number;
}

const BULLET = /^(?:[•◦▪●○‣∙·*–-])\s+(?=\S)/u;
const NUMBER = /^(\d{1,3})[.)]\s+(?=\S)/;
/** Of the size of the text: what is larger, and short, is a heading. */
const HEADING_SIZE = 1.15;
const MAX_HEADING_CHARS = 200;
const MAX_HEADING_DEPTH = 4;
/** Of a line's size: a larger gap ends the paragraph. */
const PARAGRAPH_GAP = 1.75;
/** Lines at the edges of so many pages, the same but for numbers, are running heads and page numbers. */
const MIN_REPEATED_PAGES = 3;
const EDGE_LINES = 2;

/** The pages of a document as headings, paragraphs and lists: lines that belong together joined, running heads left out. */
export function toBlocks(pages: readonly (readonly Run[])[]): Block[] {
  const lines = withoutRunningHeads(pages.map(toLines));
  const body = bodySize(lines.flat());
  const sizes = headingSizes(lines.flat(), body);
  const blocks: Block[] = [];
  for (const paragraph of toParagraphs(lines)) append(blocks, paragraph, sizes);
  return blocks;
}

interface Paragraph {
  text: string;
  size: number;
  /** Where its last line stands; null: on the page before. */
  y: number | null;
}

function toParagraphs(pages: readonly Line[][]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  for (const page of pages) {
    const before = paragraphs.at(-1);
    if (before) before.y = null;
    for (const line of page) {
      const last = paragraphs.at(-1);
      if (last && continues(last, line)) {
        last.text = join(last.text, line.text);
        last.y = line.y;
      } else paragraphs.push({ text: line.text, size: line.size, y: line.y });
    }
  }
  return paragraphs;
}

function toLines(runs: readonly Run[]): Line[] {
  const lines: Line[] = [];
  let line: (Line & { end: number }) | null = null;
  for (const run of runs) {
    if (run.text !== "") {
      if (line && Math.abs(line.y - run.y) > line.size / 2) line = push(lines, line);
      if (!line) line = { text: run.text, x: run.x, y: run.y, size: run.size, end: run.x + run.width };
      else {
        const isApart = run.x - line.end > run.size / 5 && !/\s$/.test(line.text) && !/^\s/.test(run.text);
        line.text += (isApart ? " " : "") + run.text;
        line.size = Math.max(line.size, run.size);
        line.end = run.x + run.width;
      }
    }
    if (run.endsLine && line) line = push(lines, line);
  }
  if (line) push(lines, line);
  return lines;
}

function push(lines: Line[], { text, x, y, size }: Line): null {
  const tidy = text.replace(/\s+/g, " ").trim();
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

/** The size that most characters have. */
function bodySize(lines: readonly Line[]): number {
  const chars = new Map<number, number>();
  for (const { size, text } of lines) chars.set(round(size), (chars.get(round(size)) ?? 0) + text.length);
  return [...chars].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0];
}

function headingSizes(lines: readonly Line[], body: number): number[] {
  const larger = lines.filter((line) => line.size >= body * HEADING_SIZE && line.text.length <= MAX_HEADING_CHARS);
  return [...new Set(larger.map((line) => round(line.size)))].sort((a, b) => b - a);
}

function round(size: number): number {
  return Math.round(size * 2) / 2;
}

function continues({ text, size, y }: Paragraph, line: Line): boolean {
  if (round(line.size) !== round(size) || BULLET.test(line.text) || NUMBER.test(line.text)) return false;
  // A sentence that isn't over goes on at the top of the next page.
  if (y === null) return /^\p{Ll}/u.test(line.text) && !/[.!?:;…。]["'”’»)]*$/.test(text);
  const gap = y - line.y;
  return gap > 0 && gap <= PARAGRAPH_GAP * size;
}

function join(text: string, next: string): string {
  // A word that was broken at the line's end; a hyphen before a capital belongs to the word.
  if (/\p{L}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  return `${text} ${next}`;
}

function append(blocks: Block[], { text, size }: Paragraph, sizes: readonly number[]): void {
  const level = sizes.indexOf(round(size));
  if (level >= 0 && text.length <= MAX_HEADING_CHARS) {
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
  const item: Item = { number, checked: null, children: [{ type: "paragraph", content: words(text) }] };
  const last = blocks.at(-1);
  if (last?.type === "list" && last.ordered === ordered) last.items.push(item);
  else blocks.push({ type: "list", ordered, items: [item] });
}

function words(text: string): Inline[] {
  return [{ type: "text", value: text, space: false, marks: null }];
}
