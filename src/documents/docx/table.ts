import type { Inline, Table } from "../../html/ast/blocks";
import { InlineBuilder } from "../../html/ast/inline-builder";
import { childAt, childrenOf, type XmlElement } from "../xml";
import { type ParagraphContext, ParagraphReader } from "./paragraph";
import { readValue } from "./styles";

const MAX_SPAN = 50;
/** A cell that spans several columns isn't repeated beyond this column. */
const MAX_COLUMNS = 100;
/** The bit of `tblLook` that marks the first row as a header (section 17.7.6.7). */
const FIRST_ROW = 0x0020;

/** Returns a data table, or the cells of a layout table. A layout table has one row or one column. */
export function readTable(
  element: XmlElement,
  context: ParagraphContext,
): { kind: "table"; table: Table } | { kind: "layout"; cells: XmlElement[] } {
  const elements = rowsOf(element);
  const cells = elements.map((row) => cellsOf(row));
  if (cells.length < 2 || cells.every((row) => row.length < 2)) return { kind: "layout", cells: cells.flat() };
  const above: Inline[][] = [];
  const rows = cells.map((row) => {
    const line: Inline[][] = [];
    for (const cell of row) {
      const properties = childAt(cell, "tcPr");
      const merge = childAt(properties, "vMerge");
      const continues = merge !== undefined && readValue(merge) !== "restart";
      const content = continues ? repeat(above[line.length] ?? [], context) : readCell(cell, context);
      const across = Math.min(
        Math.max(Math.trunc(Number(readValue(childAt(properties, "gridSpan")))) || 1, 1),
        MAX_SPAN,
      );
      for (let column = 0; column < across && (column === 0 || line.length < MAX_COLUMNS); column++) {
        above[line.length] = content;
        line.push(column === 0 ? content : repeat(content, context));
      }
    }
    return line;
  });
  const isHeader = hasHeader(element, elements[0]);
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const alignments = Array.from({ length: width }, () => "" as const);
  return { kind: "table", table: { type: "table", alignments, rows: isHeader ? rows : [[], ...rows] } };
}

function hasHeader(table: XmlElement, firstRow: XmlElement | undefined): boolean {
  if (childAt(firstRow, "trPr", "tblHeader") !== undefined) return true;
  const look = childAt(table, "tblPr", "tblLook");
  const first = look?.attributes.get("firstRow");
  return first === undefined ? (Number.parseInt(readValue(look), 16) & FIRST_ROW) !== 0 : /^(1|true|on)$/.test(first);
}

function rowsOf(element: XmlElement): XmlElement[] {
  return childrenOf(element).flatMap((child) => {
    if (child.name === "tr") return childAt(child, "trPr", "del") === undefined ? [child] : [];
    return /^(sdt|sdtContent|ins|customXml)$/.test(child.name) ? rowsOf(child) : [];
  });
}

function cellsOf(row: XmlElement): XmlElement[] {
  return childrenOf(row).flatMap((child) => {
    if (child.name === "tc") return [child];
    return /^(sdt|sdtContent|customXml)$/.test(child.name) ? cellsOf(child) : [];
  });
}

/** Reads the paragraphs of a cell as lines, including the paragraphs of a table in the cell. */
function readCell(cell: XmlElement, context: ParagraphContext): Inline[] {
  const inline = new InlineBuilder("single");
  const reader = new ParagraphReader(context, inline);
  const readBlocks = (element: XmlElement): void => {
    for (const child of childrenOf(element)) {
      if (child.name === "p") {
        inline.endBlock();
        reader.read(child);
      } else if (!/^(tcPr|tblPr|trPr|sdtPr|del|moveFrom)$/.test(child.name)) readBlocks(child);
    }
  };
  readBlocks(cell);
  for (const box of reader.textBoxes.splice(0)) readBlocks(box);
  return inline.take().flat();
}

function repeat(content: Inline[], { chars }: ParagraphContext): Inline[] {
  const isWithinLimit = content.every(({ value, url = "" }) => chars.spend(1 + value.length + url.length));
  return isWithinLimit ? content : [];
}
