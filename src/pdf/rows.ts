import type { Inline, Mark } from "../html/ast/blocks";
import { type Box, lowerBound, type PageContent, type Ruling, type TextRun } from "./page-content";

/** Adjacent runs on the same line. A wide gap or a vertical ruling separates it from the next chunk. */
export interface Chunk extends Box {
  runs: TextRun[];
  text: string;
  /** The baseline. */
  y: number;
  size: number;
  isBold: boolean;
  /** The position of the first run in the content of the page. */
  order: number;
}

/** The chunks on one line of the page, from left to right. */
export interface Row extends Box {
  chunks: Chunk[];
  y: number;
  size: number;
}

/** The minimum gap between two chunks, as a multiple of the font size. pdf.js joins text with smaller gaps. */
const CHUNK_GAP = 0.6;
/** The minimum gap between two words, as a multiple of the font size. */
const WORD_GAP = 0.2;
/** The maximum distance between a bullet or a number and its item, as a multiple of the font size. */
const BULLET_GAP = 4;
const BULLET_CHUNK = /^(?:[•◦▪●○■□➢➤✓‣∙·*–—o-]|[\uf000-\uf0ff]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])$/u;
/** The dots between an entry of a table of contents and its page number. */
export const LEADERS = /(?:\s?[.…]){5,}\s*/;
const DENSE = /[\u1100-\u11ff\u2e80-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff9f]/;
const HANGUL = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]/;

/** Groups the runs of a page into rows, from top to bottom. */
export function toRows({ runs, verticals, shapes }: PageContent): Row[] {
  const numbered = runs.map((run, order) => ({ run, order })).sort((a, b) => b.run.y - a.run.y || a.run.x - b.run.x);
  const groups: (typeof numbered)[] = [];
  let [bottom, top] = [0, 0];
  for (const entry of numbered) {
    const { y, size } = entry.run;
    const [low, high] = [y - 0.2 * size, y + 0.8 * size];
    const overlap = Math.min(high, top) - Math.max(low, bottom);
    const group = groups.at(-1);
    if (group && overlap > Math.min(high - low, top - bottom) * 0.45) {
      group.push(entry);
      // A row has the height of its largest run, so that superscripts don't join it with the next row.
      if (high - low > top - bottom) [bottom, top] = [low, high];
    } else {
      groups.push([entry]);
      [bottom, top] = [low, high];
    }
  }
  const bullets = [...shapes].sort((a, b) => a.bottom - b.bottom);
  return groups.map((group) => toRow(withBullet(toChunks(group, verticals), bullets)));
}

export function toRow(chunks: Chunk[]): Row {
  const box = boxOf(chunks);
  const largest = chunks.reduce((most, chunk) => (chunk.size > most.size ? chunk : most), chunks[0] as Chunk);
  return { ...box, chunks, y: largest.y, size: largest.size };
}

export function boxOf(boxes: readonly Box[]): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const { left, bottom, right, top } of boxes) {
    if (left < box.left) box.left = left;
    if (bottom < box.bottom) box.bottom = bottom;
    if (right > box.right) box.right = right;
    if (top > box.top) box.top = top;
  }
  return box;
}

function toChunks(entries: { run: TextRun; order: number }[], verticals: readonly Ruling[]): Chunk[] {
  const chunks: Chunk[] = [];
  let runs: TextRun[] = [];
  let order = Infinity;
  let end = -Infinity;
  let text = "";
  const close = () => {
    if (runs.length > 0) chunks.push(toChunk(runs, order));
    [runs, order, text] = [[], Infinity, ""];
  };
  for (const { run, order: at } of entries.sort((a, b) => a.run.x - b.run.x)) {
    const gap = run.x - end;
    // Only the beginning of the chunk matters for a bullet, so the text isn't joined further.
    const maxGap = BULLET_CHUNK.test(text) ? BULLET_GAP : CHUNK_GAP;
    if (gap > maxGap * run.size || isRuledBetween(verticals, end, run)) close();
    if (runs.length < 3) text = `${text}${run.text}`.trim();
    runs.push(run);
    order = Math.min(order, at);
    end = Math.max(runs.length === 1 ? -Infinity : end, run.x + run.width);
  }
  close();
  return chunks;
}

function isRuledBetween(verticals: readonly Ruling[], end: number, { x, y, size }: TextRun): boolean {
  const start = lowerBound(verticals, ({ at }) => at >= end - 1);
  for (const { at, from, to } of verticals.slice(start, start + 20)) {
    if (at > x + 1) return false;
    if (from <= y + size / 2 && to >= y) return true;
  }
  return false;
}

export function toChunk(runs: TextRun[], order: number): Chunk {
  const size = runs.reduce((most, run) => Math.max(most, run.size), 0);
  const main = runs.find((run) => run.size === size) ?? (runs[0] as TextRun);
  const right = runs.reduce((most, { x, width }) => Math.max(most, x + width), -Infinity);
  const { x: left = 0 } = runs[0] ?? {};
  const text = toPlainText(toInline([runs], true));
  const box = { left, right, bottom: main.y - 0.2 * size, top: main.y + 0.8 * size };
  return { ...box, runs, text, y: main.y, size, isBold: runs.every(({ isBold }) => isBold), order };
}

/** Adds a drawn bullet to the first chunk of a row. */
function withBullet(chunks: Chunk[], shapes: readonly Box[]): Chunk[] {
  const [first, ...others] = chunks;
  if (!first || shapes.length === 0) return chunks;
  const { left, y, size } = first;
  for (let i = lowerBound(shapes, ({ bottom }) => bottom >= y - size / 4); i < shapes.length; i++) {
    const shape = shapes[i];
    if (shape === undefined || shape.bottom > y + size * 0.7) break;
    const gap = left - shape.right;
    if (gap < 0 || gap > 3 * size || shape.top > y + size || shape.top - shape.bottom > size * 0.7) continue;
    const bullet = { text: "• ", x: shape.left, y, width: shape.right - shape.left, size: first.size };
    return [toChunk([bullet, ...first.runs], first.order), ...others];
  }
  return chunks;
}

/** Returns true if most letters of the chunks are written from right to left. */
export function areRtl(chunks: readonly Chunk[]): boolean {
  let balance = 0;
  for (const { runs } of chunks) {
    for (const { text, isRtl } of runs) {
      if (isRtl) balance += text.length;
      else if (/\p{L}/u.test(text)) balance -= text.length;
    }
  }
  return balance > 0;
}

/** Returns the runs of a line in the order of reading. */
function inReadingOrder(runs: readonly TextRun[]): readonly TextRun[] {
  const chars = runs.reduce((sum, { text, isRtl }) => sum + (isRtl ? text.length : -text.length), 0);
  const hasRtl = runs.some(({ isRtl }) => isRtl);
  if (!hasRtl) return runs;
  // In a line from right to left, adjacent words from left to right keep their order, and the other way around.
  const isReversed = chars > 0 || runs.at(-1)?.isRtl === true;
  const ordered = isReversed ? [...runs].reverse() : [...runs];
  for (let start = 0; start < ordered.length; start++) {
    let end = start;
    while (end < ordered.length && (ordered[end]?.isRtl ?? false) !== isReversed) end++;
    if (end - start > 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
    start = Math.max(start, end - 1);
  }
  return ordered;
}

/** Joins lines of runs, and the words that were hyphenated at the end of a line. Removes leaders. */
export function toInline(lines: readonly (readonly TextRun[])[], keepsLeaders = false): Inline[] {
  const content: { texts: string[]; url: string | undefined; space: boolean }[] = [];
  const marks = new Map<string, Mark>();
  let last: TextRun | null = null;
  for (const line of lines) {
    let isLineStart = true;
    for (const run of inReadingOrder(line)) {
      const text = run.text.replace(/\s+/g, " ");
      const words = text.trim();
      if (words === "") continue;
      let piece = content.at(-1);
      let space = text.startsWith(" ");
      if (last && piece) {
        const ending = piece.texts.at(-1) ?? "";
        if (isLineStart) {
          // Before a capital letter, the hyphen belongs to the word.
          const isHyphenated = /\p{L}[-\u00ad\u2010]$/u.test(ending) && /^\p{Ll}/u.test(words);
          if (isHyphenated) piece.texts[piece.texts.length - 1] = ending.slice(0, -1);
          space = !isHyphenated && !isDense(ending.at(-1) ?? "", words[0] ?? "");
        } else space ||= last.text.endsWith(" ") || gapBetween(last, run) > WORD_GAP * run.size;
      }
      if (!piece || piece.url !== run.url) {
        piece = { texts: [], url: run.url, space: space && last !== null };
        content.push(piece);
      } else if (space) piece.texts.push(" ");
      piece.texts.push(words);
      last = run;
      isLineStart = false;
    }
  }
  return content.flatMap(({ texts, url, space }) => {
    const joined = texts.join("");
    const value = keepsLeaders ? joined : joined.replace(LEADERS, " ").trim();
    if (value === "") return [];
    let mark: Mark | null = null;
    if (url !== undefined) {
      mark = marks.get(url) ?? { kind: "link", outer: null, url };
      marks.set(url, mark);
    }
    return [{ type: "text", value, space, marks: mark }];
  });
}

function gapBetween(a: TextRun, b: TextRun): number {
  return Math.max(b.x - a.x - a.width, a.x - b.x - b.width);
}

/** Returns true between characters of scripts without spaces, such as Chinese and Japanese. */
function isDense(before: string, after: string): boolean {
  return DENSE.test(before) && DENSE.test(after) && !(HANGUL.test(before) || HANGUL.test(after));
}

export function toPlainText(content: readonly Inline[]): string {
  return content.map(({ value, space }) => (space ? ` ${value}` : value)).join("");
}
