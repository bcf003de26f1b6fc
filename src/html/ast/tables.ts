import type { Element, ParentNode } from "domhandler";
import { attribute, elementsUnder, findElement, hasMoreText, isBlock, isElement } from "../parse/dom";
import type { Alignment, Inline, Mark, Table } from "./blocks";
import type { AstBuilder } from "./builder";
import { listingIn } from "./code";

const MAX_SPAN = 50;
/** A table is a layout table if a cell contains blocks and has more text than this. */
const MAX_CELL_CHARS = 1_500;
/** The number of characters that a cell adds to the output in addition to its contents. */
const CELL_CHARS = 10;
/** The contents of a cell that spans several columns aren't repeated beyond this column. */
const MAX_COLUMNS = 100;

interface Row {
  cells: Element[];
  /** The <thead>, <tbody> or <tfoot> around the row. */
  section: ParentNode | null;
}

/** Adds a data table with its rows and columns. Adds the contents of a layout table as blocks. */
export function handleTable(builder: AstBuilder, element: Element, marks: Mark | null): void {
  builder.endBlock();
  const listing = builder.holdsBlocks ? listingIn(element) : null;
  if (listing) builder.addBlock({ type: "code", ...listing });
  else {
    const { rows, caption, isLayout } = partsOf(element);
    if (isLayout || !builder.holdsBlocks) builder.addChildren(element, marks);
    else {
      if (caption) builder.addChildren(caption, marks);
      builder.endBlock();
      const table = toTable(builder, rows);
      if (table) builder.addBlock(table);
    }
  }
  builder.endBlock();
}

function partsOf(table: Element): { rows: Row[]; caption: Element | null; isLayout: boolean } {
  const rows: Row[] = [];
  let caption: Element | null = null;
  let head: Element | null = null;
  let foot: Element | null = null;
  let isLayout = /^(?:presentation|none)$/.test(attribute(table, "role"));
  for (const element of elementsUnder(table, (inner) => !/^(?:table|td|th|caption)$/.test(inner.name))) {
    if (element.name === "caption") caption ??= element;
    else if (element.name === "thead") head ??= element;
    else if (element.name === "tfoot") foot ??= element;
    else if (element.name === "tr") rows.push({ cells: [], section: element.parent });
    else if (element.name === "td" || element.name === "th") {
      if (rows.length === 0) rows.push({ cells: [], section: null });
      rows.at(-1)?.cells.push(element);
      isLayout ||= holdsPagePart(element);
    } else isLayout ||= element.name === "table";
  }
  // Browsers show the first <thead> before, and the first <tfoot> after all other rows.
  const placeOf = ({ section }: Row) => (section === null ? 1 : section === head ? 0 : section === foot ? 2 : 1);
  rows.sort((a, b) => placeOf(a) - placeOf(b));
  return { rows, caption, isLayout: isLayout || rows.every(({ cells }) => cells.length < 2) || isSingleRow(rows) };
}

/** Returns true for a single row without header cells, which isn't a data table. */
function isSingleRow(rows: Row[]): boolean {
  const [row, ...more] = rows.filter(({ cells }) => cells.length > 0);
  return row !== undefined && more.length === 0 && row.cells.every(({ name }) => name === "td");
}

/** Returns true for a cell that contains another table, or blocks with long text. */
function holdsPagePart(cell: Element): boolean {
  if (findElement(cell, ({ name }) => name === "table")) return true;
  return findElement(cell, isBlock) !== undefined && hasMoreText(cell, MAX_CELL_CHARS);
}

function toTable(builder: AstBuilder, rows: Row[]): Table | null {
  const contents = new Map<Element, Inline[]>();
  for (const { cells } of rows)
    for (const cell of cells)
      contents.set(
        cell,
        builder.collectInline("single", () => builder.addChildren(cell, null)),
      );
  const grid = toGrid(rows, (cell) => builder.repeats.spend(lengthOf(contents.get(cell) ?? [])));
  const kept = grid.filter((line) => line.some((cell) => (contents.get(cell)?.length ?? 0) > 0));
  const first = kept[0];
  if (!first) return null;
  const width = kept.reduce((widest, line) => Math.max(widest, line.length), 0);
  const body = kept[1] ?? first;
  const alignments = Array.from(
    { length: width },
    (_, column) => alignmentOf(body[column]) || alignmentOf(first[column]),
  );
  const lines = kept.map((line) => line.map((cell) => contents.get(cell) ?? []));
  const section = rows[grid.indexOf(first)]?.section;
  const isHead = isElement(section) && section.name === "thead";
  const isHeader = isHead || first.every((cell) => cell.name === "th" || contents.get(cell)?.length === 0);
  return { type: "table", alignments, rows: isHeader ? lines : [[], ...lines] };
}

function lengthOf(content: Inline[]): number {
  let length = CELL_CHARS;
  for (const { value, url = "", marks } of content) {
    length += value.length + url.length;
    for (let mark = marks; mark; mark = mark.outer) length += mark.url?.length ?? 0;
  }
  return length;
}

/**
 * Returns rows with one entry for each column. A cell that spans several columns or rows is repeated in each of them.
 * Once `mayRepeat` returns false, cells no longer span others.
 */
function toGrid(rows: Row[], mayRepeat: (cell: Element) => boolean): Element[][] {
  const below: { cell: Element; rows: number }[] = [];
  return rows.map(({ cells }) => {
    const line: Element[] = [];
    const placeSpanning = () => {
      for (let above = below[line.length]; above && above.rows > 0; above = below[line.length]) {
        if (!mayRepeat(above.cell)) return;
        above.rows--;
        line.push(above.cell);
      }
    };
    for (const cell of cells) {
      placeSpanning();
      const down = spanOf(cell, "rowspan");
      for (let across = spanOf(cell, "colspan"), isFirst = true; across > 0; across--, isFirst = false) {
        if (!isFirst && (line.length >= MAX_COLUMNS || !mayRepeat(cell))) break;
        below[line.length] = { cell, rows: down - 1 };
        line.push(cell);
      }
    }
    placeSpanning();
    return line;
  });
}

function spanOf(cell: Element, name: string): number {
  const span = attribute(cell, name) || attribute(cell, `aria-${name}`);
  return Math.min(Math.max(Number.parseInt(span, 10) || 1, 1), MAX_SPAN);
}

function alignmentOf(cell: Element | undefined): Alignment {
  if (!cell) return "";
  const style = /text-align\s*:\s*(\w+)/i.exec(attribute(cell, "style"))?.[1];
  const alignment = (style ?? attribute(cell, "align")).toLowerCase();
  return alignment === "left" || alignment === "right" || alignment === "center" ? alignment : "";
}
