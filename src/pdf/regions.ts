import { lowerBound, type PageContent, type Ruling } from "./page-content";
import { areRtl, boxOf, type Chunk, type Row, toRow } from "./rows";
import { findRuledRegions, type PageTable, toAlignedTable, toRuledTable } from "./tables";

/** A line of text or a table, in the order of reading. */
export type PageElement = { kind: "line"; row: Row } | { kind: "table"; table: PageTable };

interface TableRow extends Row {
  table?: PageTable;
}

/** The width of the intervals in which gutters are searched, in points. */
const BIN = 2;
const MAX_BINS = 2_000;
/** Columns can contain columns, as a page with two columns and a list of two columns in one of them. */
const MAX_DEPTH = 6;
const MIN_COLUMN_LINES = 4;
const MAX_COMPARED_ROWS = 500_000;
/** The maximum number of texts in a block that isn't a table for which a table is searched that begins later in it. */
const MAX_RETRIED_CHUNKS = 500;
/** The maximum gap between two rows of a table without rulings, as a multiple of the font size. */
const MAX_ROW_GAP = 2.6;

/** Arranges the rows of a page in reading order. Finds columns and tables. */
export function arrangePage(rows: readonly Row[], content: PageContent): PageElement[] {
  return arrange(withRuledTables(rows, content), content.horizontals, 0);
}

/** Replaces the rows of each ruled table with one row for the table. */
function withRuledTables(rows: readonly Row[], { horizontals, verticals }: PageContent): TableRow[] {
  const remaining: TableRow[] = [...rows].sort((a, b) => b.y - a.y);
  let compared = 0;
  for (const region of findRuledRegions(horizontals, verticals)) {
    const start = lowerBound(remaining, ({ y }) => y <= region.top);
    const end = lowerBound(remaining, ({ y }) => y < region.bottom);
    // Many frames around the same text are a drawing.
    compared += end - start;
    if (compared > MAX_COMPARED_ROWS) break;
    const inside: Row[] = [];
    const outside: TableRow[] = [];
    for (const row of remaining.slice(start, end)) {
      const isInside = ({ left, right, y, size }: Chunk) => {
        const middle = (left + right) / 2;
        return (
          middle > region.left - 3 &&
          middle < region.right + 3 &&
          y + size / 4 > region.bottom &&
          y + size / 4 < region.top
        );
      };
      const own = row.table ? [] : row.chunks.filter(isInside);
      if (own.length > 0) inside.push(toRow(own));
      if (own.length === 0) outside.push(row);
      else if (own.length < row.chunks.length) outside.push(toRow(row.chunks.filter((chunk) => !isInside(chunk))));
    }
    if (inside.length < 2) continue;
    const separators = region.verticals.map(({ at }) => at);
    // A frame around text isn't a table.
    const isRuled = region.horizontals.length + separators.length > 4;
    const table =
      toRuledTable(region, inside) ?? toAlignedTable(inside, { horizontals: region.horizontals, separators, isRuled });
    if (table) remaining.splice(start, end - start, ...[...outside, toTableRow(table)].sort((a, b) => b.y - a.y));
  }
  return remaining;
}

function toTableRow(table: PageTable): TableRow {
  const { left, bottom, right, top } = table;
  const chunk: Chunk = { left, bottom, right, top, runs: [], text: "", y: top, size: 10, isBold: false, order: 0 };
  return { ...toRow([chunk]), table };
}

function arrange(rows: TableRow[], horizontals: readonly Ruling[], depth: number): PageElement[] {
  const columns = depth < MAX_DEPTH ? findColumns(rows) : null;
  if (columns === null) return arrangeLines(rows, horizontals);
  return columns.flatMap((part) => arrange(part, horizontals, depth + 1));
}

/** Returns the rows before two columns, those of each column, and the rows after both; or null. */
function findColumns(rows: readonly TableRow[]): TableRow[][] | null {
  if (rows.length < MIN_COLUMN_LINES) return null;
  const { left, right } = boxOf(rows);
  const bin = Math.max(BIN, (right - left) / MAX_BINS);
  const covered = new Array<number>(Math.ceil((right - left) / bin) + 2).fill(0);
  for (const { chunks } of rows) {
    for (const chunk of chunks) {
      const [from, to] = [Math.ceil((chunk.left - left) / bin), Math.floor((chunk.right - left) / bin)];
      covered[from] = (covered[from] ?? 0) + 1;
      covered[Math.max(to, from)] = (covered[Math.max(to, from)] ?? 0) - 1;
    }
  }
  for (let i = 1; i < covered.length; i++) covered[i] = (covered[i] ?? 0) + (covered[i - 1] ?? 0);
  const highestRight = [...covered];
  for (let i = covered.length - 2; i >= 0; i--) highestRight[i] = Math.max(covered[i] ?? 0, highestRight[i + 1] ?? 0);
  const drops: number[] = [];
  let highestLeft = 0;
  for (const [i, count] of covered.entries()) {
    highestLeft = Math.max(highestLeft, count);
    drops.push(Math.min(highestLeft, highestRight[i] ?? 0) - count);
  }
  for (let attempt = 0; attempt < 3; attempt++) {
    const most = drops.reduce((a, b) => Math.max(a, b), 0);
    if (most < MIN_COLUMN_LINES) return null;
    const start = drops.indexOf(most);
    let end = start;
    while (drops[end + 1] === most) end++;
    const columns = splitAt(rows, left + ((start + end) / 2) * bin);
    if (columns) return columns;
    drops.fill(0, Math.max(0, start - 5), end + 6);
  }
  return null;
}

function splitAt(rows: readonly TableRow[], x: number): TableRow[][] | null {
  // The longest part of the page in which no text crosses the gutter.
  let best = { start: 0, end: 0, chars: 0 };
  let [start, chars] = [0, 0];
  for (const [i, row] of [...rows, null].entries()) {
    const crosses = row === null || row.chunks.some((chunk) => chunk.left < x - 1 && chunk.right > x + 1);
    if (!crosses) {
      chars++;
      continue;
    }
    if (chars > best.chars) best = { start, end: i, chars };
    [start, chars] = [i + 1, 0];
  }
  let { end } = best;
  const sideOf = (row: TableRow) => row.chunks.some(({ right }) => right <= x + 1);
  const isBoth = (row: TableRow | undefined) =>
    row !== undefined && sideOf(row) && row.chunks.some(({ left }) => left >= x - 1);
  // A line of one column far below both columns doesn't belong to them.
  let last = best.end - 1;
  while (last > best.start && !isBoth(rows[last])) last--;
  for (let i = Math.max(last, best.start) + 1; i < end; i++) {
    const [above, row] = [rows[i - 1], rows[i]];
    if (above && row && above.bottom - row.top > 1.5 * row.size && last > best.start) end = i;
  }
  const zone = rows.slice(best.start, end);
  const parts = [true, false].map((isLeft) =>
    zone.flatMap((row) => {
      const chunks = row.chunks.filter((chunk) => (chunk.left + chunk.right) / 2 < x === isLeft);
      if (chunks.length === 0) return [];
      return [chunks.length === row.chunks.length ? row : toRow(chunks)];
    }),
  );
  const [left = [], right = []] = parts;
  if (left.length < MIN_COLUMN_LINES || right.length < MIN_COLUMN_LINES) return null;
  const both = zone.filter(isBoth).length;
  // Text in columns is stored column by column, and a table row by row.
  const [firstLeft, lastLeft] = orderOf(left);
  const [firstRight, lastRight] = orderOf(right);
  const isApart = lastLeft < firstRight || lastRight < firstLeft;
  const prose = [left, right].filter(isProse).length;
  if (!(prose === 2 || (prose === 1 && isApart && both >= 2))) return null;
  const columns = areRtl(zone.flatMap(({ chunks }) => chunks)) ? [right, left] : [left, right];
  return [rows.slice(0, best.start), ...columns, rows.slice(end)];
}

function orderOf(rows: readonly TableRow[]): [first: number, last: number] {
  let [first, last] = [Infinity, -Infinity];
  for (const row of rows) {
    if (row.table) continue;
    for (const { order } of row.chunks) [first, last] = [Math.min(first, order), Math.max(last, order)];
  }
  return [first, last];
}

/** Returns true if most of the lines are filled with words. */
function isProse(rows: readonly TableRow[]): boolean {
  const { left, right } = boxOf(rows);
  const texts = rows.filter(({ table }) => !table);
  const isFilled = ({ chunks }: Row) => {
    const width = chunks.reduce((sum, chunk) => sum + chunk.right - chunk.left, 0);
    const text = chunks.map((chunk) => chunk.text).join(" ");
    const digits = text.replace(/[^\d]/g, "").length;
    return width > (right - left) * 0.6 && width / (chunks[0]?.size ?? 1) > 8 && digits < text.length * 0.3;
  };
  return texts.filter(isFilled).length >= Math.max(2, texts.length * 0.5);
}

/** Arranges the rows of one column: finds the tables without rulings between them. */
function arrangeLines(rows: readonly TableRow[], horizontals: readonly Ruling[]): PageElement[] {
  const elements: PageElement[] = [];
  let skipped = 0;
  for (let i = 0; i < rows.length; ) {
    const row = rows[i] as TableRow;
    if (row.table) elements.push({ kind: "table", table: row.table });
    else {
      const end = row.chunks.length >= 2 && i >= skipped ? endOfAligned(rows, i) : i;
      const table = end - i >= 2 ? toAlignedTable(rows.slice(i, end), { horizontals }) : null;
      if (table) {
        elements.push({ kind: "table", table });
        i = end;
        continue;
      }
      elements.push({ kind: "line", row });
      if ((end - i) * row.chunks.length > MAX_RETRIED_CHUNKS) skipped = end;
    }
    i++;
  }
  return elements;
}

type Interval = [from: number, to: number];

/** Returns the parts that are in both of two sorted lists of intervals. */
function intersect(a: readonly Interval[], b: readonly Interval[]): Interval[] {
  const shared: Interval[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [one, other] = [a[i] as Interval, b[j] as Interval];
    const [low, high] = [Math.max(one[0], other[0]), Math.min(one[1], other[1])];
    if (high - low > 1) shared.push([low, high]);
    if (one[1] < other[1]) i++;
    else j++;
  }
  return shared;
}

/** Returns the index after the last of the rows that share a gap between columns with the row at `start`. */
function endOfAligned(rows: readonly TableRow[], start: number): number {
  const gapsOf = ({ chunks }: Row): Interval[] => {
    const gaps: Interval[] = [];
    let end = -Infinity;
    for (const { left, right } of chunks) {
      gaps.push([end, left]);
      end = right;
    }
    return [...gaps, [end, Infinity]];
  };
  const isInner = ([from, to]: Interval) => Number.isFinite(from) && Number.isFinite(to);
  let gaps = gapsOf(rows[start] as Row).filter(isInner);
  let last = start;
  let single = 0;
  for (let i = start + 1; i < rows.length; i++) {
    const [above, row] = [rows[i - 1], rows[i]];
    if (!above || !row || row.table || above.bottom - row.top > MAX_ROW_GAP * Math.max(row.size, above.size)) break;
    if (row.chunks.length === 1) {
      if (++single > 3) break;
      continue;
    }
    const free = gapsOf(row);
    const shared = intersect(gaps, free);
    if (shared.length === 0) break;
    gaps = shared;
    last = i;
    single = 0;
  }
  return last + 1;
}
