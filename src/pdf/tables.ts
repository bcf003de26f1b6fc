import { type Box, lowerBound, type Ruling, splitRun, type TextRun } from "./page-content";
import { boxOf, type Chunk, type Row, toChunk, toRow } from "./rows";

// Tables from their rulings and from the alignment of their text. The rules follow Tabula's two methods (lattice and
// stream), and A. Nurminen, "Algorithmic Extraction of Data in Tables in PDF Documents" (2013).

/** A table by rows and columns. An empty list is an empty cell, or a cell that another one spans. */
export type CellGrid = Chunk[][][];

export interface PageTable extends Box {
  cells: CellGrid;
}

/** The distance within which rulings meet, and text belongs to a cell. */
const NEAR = 3;
/** Comparing the rulings of a page ends after this number of pairs. Such a page is a drawing. */
const MAX_PAIRS = 500_000;
/** The maximum number of rulings near a text that are compared with it. */
const MAX_COMPARED = 50;
/** The maximum number of cells, because empty cells also take memory. */
const MAX_CELLS = 100_000;
const NUMBER = /^[^\p{L}]*\p{N}[^\p{L}]*\p{L}{0,2}[^\p{L}]*$|^(?:[-–—.…*:]|n\/?a|\.\.+|nd|ns)$/iu;
/** The dots between an entry of a table of contents and its page number. */
const LEADER = /(?:\.\s?){4,}|…{2,}|_{5,}/;

export interface RuledRegion extends Box {
  horizontals: Ruling[];
  verticals: Ruling[];
}

/** Groups the rulings that cross or touch each other. The smallest region comes first, because frames contain others. */
export function findRuledRegions(horizontals: readonly Ruling[], verticals: readonly Ruling[]): RuledRegion[] {
  const parents = Array.from({ length: horizontals.length + verticals.length }, (_, i) => i);
  const find = (i: number): number => {
    let root = i;
    while (parents[root] !== root) root = parents[root] ?? root;
    for (let at = i; at !== root; ) {
      const next = parents[at] ?? root;
      parents[at] = root;
      at = next;
    }
    return root;
  };
  let pairs = 0;
  for (const [i, { at, from, to }] of horizontals.entries()) {
    for (let v = lowerBound(verticals, (other) => other.at >= from - NEAR); v < verticals.length; v++) {
      const vertical = verticals[v];
      if (!vertical || vertical.at > to + NEAR) break;
      if (++pairs > MAX_PAIRS) return [];
      if (vertical.from - NEAR <= at && at <= vertical.to + NEAR) parents[find(horizontals.length + v)] = find(i);
    }
  }
  const regions = new Map<number, RuledRegion>();
  const regionOf = (i: number): RuledRegion => {
    const region = regions.get(find(i)) ?? { left: 0, bottom: 0, right: 0, top: 0, horizontals: [], verticals: [] };
    regions.set(find(i), region);
    return region;
  };
  for (const [i, ruling] of horizontals.entries()) regionOf(i).horizontals.push(ruling);
  for (const [i, ruling] of verticals.entries()) regionOf(horizontals.length + i).verticals.push(ruling);
  const ruled = [...regions.values()].filter(
    (region) => region.horizontals.length >= 2 && region.verticals.length >= 1,
  );
  for (const region of ruled) {
    const boxes = [
      ...region.horizontals.map(({ at, from, to }) => ({ left: from, right: to, bottom: at, top: at })),
      ...region.verticals.map(({ at, from, to }) => ({ left: at, right: at, bottom: from, top: to })),
    ];
    Object.assign(region, boxOf(boxes));
  }
  const areaOf = ({ left, bottom, right, top }: Box) => (right - left) * (top - bottom);
  return ruled.sort((a, b) => areaOf(a) - areaOf(b));
}

/** Returns the sorted positions without those near to an earlier one. */
function distinct(positions: number[]): number[] {
  const kept: number[] = [];
  for (const at of positions.sort((a, b) => a - b)) if (at - (kept.at(-1) ?? -Infinity) > NEAR) kept.push(at);
  return kept;
}

function covers(rulings: readonly Ruling[], at: number, from: number, to: number): boolean {
  let length = 0;
  for (let i = lowerBound(rulings, (ruling) => ruling.at >= at - NEAR); i < rulings.length; i++) {
    const ruling = rulings[i];
    if (!ruling || ruling.at > at + NEAR) break;
    length += Math.max(0, Math.min(to, ruling.to) - Math.max(from, ruling.from));
  }
  return length >= (to - from) / 2;
}

/** Returns the table of a grid of rulings, or null if the grid isn't a table or its cells hold several columns. */
export function toRuledTable(region: RuledRegion, rows: readonly Row[]): PageTable | null {
  const { horizontals, verticals, left, bottom, right, top } = region;
  const xs = distinct([left, right, ...verticals.map(({ at }) => at)]);
  const ys = distinct([bottom, top, ...horizontals.map(({ at }) => at)]).reverse();
  const [width, height] = [xs.length - 1, ys.length - 1];
  if (width < 2 || height < 2 || width * height > MAX_CELLS) return null;
  const indexOf = (row: number, column: number) => row * width + column;
  // Each cell refers to the cell that spans it.
  const owners = Array.from({ length: width * height }, (_, i) => i);
  for (let row = 0; row < height; row++) {
    const [high = 0, low = 0] = [ys[row], ys[row + 1]];
    for (let column = 0; column < width; column++) {
      const [start = 0, end = 0] = [xs[column], xs[column + 1]];
      const isJoinedLeft = column > 0 && !covers(verticals, start, low, high);
      const isJoinedAbove = row > 0 && !covers(horizontals, high, start, end);
      const i = indexOf(row, column);
      if (isJoinedAbove) owners[i] = owners[i - width] ?? i;
      else if (isJoinedLeft) owners[i] = owners[i - 1] ?? i;
    }
  }
  const cells: CellGrid = Array.from({ length: height }, () => Array.from({ length: width }, () => []));
  let crowded = 0;
  for (const { chunks } of rows) {
    const owned = new Map<number, number>();
    for (const chunk of chunks) {
      const middle = (chunk.left + chunk.right) / 2;
      const column = Math.min(Math.max(lowerBound(xs, (x) => x > middle) - 1, 0), width - 1);
      const y = chunk.y + chunk.size / 4;
      const row = Math.min(Math.max(lowerBound(ys, (at) => at < y) - 1, 0), height - 1);
      const owner = owners[indexOf(row, column)] ?? 0;
      cells[Math.floor(owner / width)]?.[owner % width]?.push(chunk);
      owned.set(owner, (owned.get(owner) ?? 0) + 1);
    }
    if ([...owned.values()].some((count) => count > 1)) crowded++;
  }
  // The rulings separate only some of the columns.
  if (crowded > rows.length * 0.15) return null;
  const table = { ...boxOf([region]), cells: withoutEmpty(cells) };
  const filled = table.cells.filter((row) => row.filter((cell) => cell.length > 0).length >= 2);
  return filled.length >= 2 ? table : null;
}

function withoutEmpty(cells: CellGrid): CellGrid {
  const rows = cells.filter((row) => row.some((cell) => cell.length > 0));
  const columns = (rows[0] ?? []).map((_, column) => rows.some((row) => (row[column]?.length ?? 0) > 0));
  return rows.map((row) => row.filter((_, column) => columns[column]));
}

/** The x positions of a column's text. */
interface Column {
  from: number;
  to: number;
}

/**
 * Returns the columns of rows: the intervals in which most rows have text. `separators` are vertical rulings between
 * columns.
 */
function toColumns(rows: readonly Row[], separators: readonly number[]): Column[] {
  const chunks = rows.filter((row) => row.chunks.length > 1).flatMap((row) => row.chunks);
  const multi = rows.filter((row) => row.chunks.length > 1).length;
  // In a long table, a few texts may reach across a gap, such as those that span several columns.
  const allowed = multi < 4 ? 0 : Math.max(1, Math.floor(multi * 0.12));
  const events = chunks
    .flatMap(({ left, right }) => [
      { x: left, step: 1 },
      { x: Math.max(right - 0.5, left), step: -1 },
    ])
    .sort((a, b) => a.x - b.x || b.step - a.step);
  const columns: Column[] = [];
  let depth = 0;
  let from: number | null = null;
  for (const { x, step } of events) {
    depth += step;
    if (depth > allowed && from === null) from = x;
    else if (depth <= allowed && from !== null) {
      columns.push({ from, to: x });
      from = null;
    }
  }
  // Columns with only a few rows aren't counted above. They are outside of all others.
  const others = chunks.filter(
    ({ left, right }) => allowed > 0 && !((columnAt(columns, left - 1)?.from ?? Infinity) < right + 1),
  );
  for (const { left, right } of others) columns.push({ from: left, to: right });
  columns.sort((a, b) => a.from - b.from);
  const merged: Column[] = [];
  for (const column of columns) {
    const last = merged.at(-1);
    const separator = last && separators[lowerBound(separators, (x) => x >= last.to - 1)];
    const isSeparated = separator !== undefined && separator <= column.from + 1;
    if (last && !isSeparated && column.from - last.to < 2) last.to = Math.max(last.to, column.to);
    else merged.push(column);
  }
  return merged;
}

/** Returns the first of the sorted columns that ends after `x`. */
function columnAt(columns: readonly Column[], x: number): Column | undefined {
  return columns[lowerBound(columns, ({ to }) => to > x)];
}

interface AlignedRow {
  row: Row;
  cells: Chunk[][];
  /** True if a text spans several columns. */
  hasSpan: boolean;
}

export interface AlignedOptions {
  horizontals: readonly Ruling[];
  separators?: readonly number[];
  /** True if rulings surround the rows. */
  isRuled?: boolean;
}

/** Returns the table of rows whose texts are aligned in columns, or null if they aren't a table. */
export function toAlignedTable(rows: readonly Row[], options: AlignedOptions): PageTable | null {
  const separated = rows.map(withoutLeaders);
  const columns = toColumns(separated, options.separators ?? []);
  if (columns.length < 2 || columns.length * rows.length > MAX_CELLS) return null;
  const box = boxOf(rows);
  const rulings = options.horizontals.filter(
    ({ at, from, to }) => at > box.bottom - NEAR && at < box.top + NEAR && from < box.right && to > box.left,
  );
  const aligned = separated.map((row) => alignRow(splitNumbers(row, columns), columns, rulings));
  if (isContents(rows, aligned) || !isTable(aligned, columns, options.isRuled === true || rulings.length >= 2))
    return null;
  const cells = mergeLines(aligned, rulings, box).map((line) => line.cells);
  return { ...box, cells: withoutEmpty(cells) };
}

/** Removes the dots between the first cell of a row and the others. */
function withoutLeaders(row: Row): Row {
  const chunks = row.chunks.flatMap((chunk) => {
    if (!LEADER.test(chunk.text)) return [chunk];
    const runs = chunk.runs.filter(({ text }) => !/^[.…_\s]+$/.test(text));
    return runs.length === 0 ? [] : [toChunk(runs, chunk.order)];
  });
  return chunks.length === 0 || chunks.length === row.chunks.length ? row : toRow(chunks);
}

/** Returns true for a table of contents: rows with dots before a page number. */
function isContents(rows: readonly Row[], aligned: readonly AlignedRow[]): boolean {
  const leaders = rows.filter(({ chunks }) => chunks.some(({ text }) => LEADER.test(text))).length;
  const numbers = aligned.reduce((sum, row) => sum + numbersIn(row), 0);
  return leaders > rows.length / 3 && numbers < rows.length * 1.5;
}

/** Splits adjacent numbers that belong to different columns. */
function splitNumbers(row: Row, columns: readonly Column[]): Row {
  const chunks = row.chunks.flatMap((chunk) => {
    if (!chunk.text.includes(" ") || !chunk.text.split(" ").every((word) => NUMBER.test(word))) return [chunk];
    const parts: Chunk[] = [];
    let rest: TextRun[] = chunk.runs;
    for (let i = lowerBound(columns, ({ to }) => to > chunk.left); i < columns.length; i++) {
      const x = ((columns[i]?.to ?? 0) + (columns[i + 1]?.from ?? Infinity)) / 2;
      if (x >= chunk.right) break;
      const before: TextRun[] = [];
      const after: TextRun[] = [];
      for (const run of rest) {
        if (run.x >= x) after.push(run);
        else if (run.x + run.width <= x) before.push(run);
        else {
          const [head, tail] = splitRun(run, x);
          if (head) before.push(head);
          if (tail) after.push(tail);
        }
      }
      if (before.length > 0) parts.push(toChunk(before, chunk.order));
      rest = after;
    }
    return rest.length > 0 ? [...parts, toChunk(rest, chunk.order)] : parts;
  });
  return chunks.length === row.chunks.length ? row : toRow(chunks);
}

function alignRow(row: Row, columns: readonly Column[], rulings: readonly Ruling[]): AlignedRow {
  const cells: Chunk[][] = columns.map(() => []);
  let hasSpan = false;
  for (const chunk of row.chunks) {
    // A ruling under a header shows the columns that it spans.
    const start = lowerBound(rulings, ({ at }) => at > chunk.y - chunk.size * 1.2);
    const under = rulings
      .slice(start, start + MAX_COMPARED)
      .find(({ at, from, to }) => at < chunk.y && from <= chunk.left + NEAR && to >= chunk.right - NEAR);
    const isPartial =
      under !== undefined && under.to - under.from < (columns.at(-1)?.to ?? 0) - (columns[0]?.from ?? 0) - 20;
    const [left, right] = isPartial ? [under.from, under.to] : [chunk.left, chunk.right];
    const first = Math.min(
      lowerBound(columns, ({ to }) => to > left),
      columns.length - 1,
    );
    const spanned: number[] = [];
    for (let column = first; column < columns.length; column++) {
      const { from, to } = columns[column] as Column;
      if (from >= right) break;
      if (Math.min(right, to) - Math.max(left, from) > Math.min(right - left, to - from) * 0.2) spanned.push(column);
    }
    const [before, after] = [columns[first - 1], columns[first]];
    const isNearerBefore = before && after && left - before.to < after.from - right;
    const nearest = isNearerBefore ? first - 1 : first;
    cells[spanned[0] ?? nearest]?.push(chunk);
    hasSpan ||= spanned.length > 1;
  }
  return { row, cells, hasSpan };
}

function isTable(rows: readonly AlignedRow[], columns: readonly Column[], isRuled: boolean): boolean {
  const multi = rows.filter(({ cells }) => cells.filter((cell) => cell.length > 0).length >= 2);
  if (multi.length < (isRuled ? 2 : 3)) return false;
  let [numbers, filled, prose] = [0, 0, 0];
  for (const [i, { from, to }] of columns.entries()) {
    const chunks = multi.flatMap(({ cells }) => cells[i] ?? []);
    if (i > 0) {
      numbers += chunks.filter(({ text }) => NUMBER.test(text)).length;
      filled += chunks.length;
    }
    const long = chunks.filter(({ text, left, right }) => text.length > 25 && right - left > (to - from) * 0.75);
    if (long.length > chunks.length * 0.5) prose++;
  }
  if (prose >= 2 && !isRuled) return false;
  if (isRuled) return true;
  return columns.length >= 3 ? numbers >= filled * 0.2 : numbers >= filled * 0.6;
}

/** Joins the lines of wrapped cells and headers. */
function mergeLines(rows: readonly AlignedRow[], rulings: readonly Ruling[], box: Box): AlignedRow[] {
  const wide = rulings.filter(({ from, to }) => to - from > (box.right - box.left) * 0.6).map(({ at }) => at);
  const isSeparated = (above: Row, below: Row) =>
    (wide[lowerBound(wide, (at) => at > below.y + below.size * 0.4)] ?? Infinity) < above.y + 1;
  const bands = rows.filter(({ row }, i) => i === 0 || isSeparated((rows[i - 1] as AlignedRow).row, row)).length;
  // True if rulings separate the rows. Lines without a ruling between them are then lines of one row.
  const areRowsRuled = bands >= 4 && bands >= rows.length * 0.3;
  const firstData = rows.findIndex((row) => numbersIn(row) >= 2 || (numbersIn(row) > 0 && row.cells.length === 2));
  const merged: AlignedRow[] = [];
  for (const [i, line] of rows.entries()) {
    const above = rows[i - 1];
    const target = merged.at(-1);
    let joins = false;
    if (above && target && !isSeparated(above.row, line.row)) {
      const isTight = above.row.y - line.row.y < 1.6 * line.row.size;
      if (areRowsRuled) joins = true;
      else if (i < firstData) joins = isTight && !target.hasSpan;
      else joins = isTight && i > firstData && isContinuation(target, line);
    }
    if (joins && target) {
      for (const [column, cell] of line.cells.entries()) target.cells[column]?.push(...cell);
      target.hasSpan ||= line.hasSpan;
    } else merged.push({ ...line, cells: line.cells.map((cell) => [...cell]) });
  }
  return merged;
}

function isContinuation(above: AlignedRow, line: AlignedRow): boolean {
  const filled = line.cells.flatMap((cell, column) => (cell.length > 0 ? [column] : []));
  if (filled.length === 0 || filled.length === line.cells.length) return false;
  if (filled.some((column) => (above.cells[column]?.length ?? 0) === 0)) return false;
  if (numbersIn(line) > 0) return false;
  const first = line.cells[0]?.[0];
  return first === undefined || /^[\p{Ll}(]/u.test(first.text);
}

function numbersIn({ cells }: AlignedRow): number {
  return cells.slice(1).filter((cell) => cell.length === 1 && NUMBER.test(cell[0]?.text ?? "")).length;
}
