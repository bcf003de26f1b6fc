import type { Block } from "./outline";

/** A table for layout has fewer rows, unless it names its columns or rows. */
const MIN_ROWS = 3;
/** A cell with blocks and this much text holds a part of the page. */
const MAX_CELL_CHARS = 1_500;

interface Shape {
  rows: number;
  hasHeader: boolean;
}

/**
 * Whether it is a table of data: rows of at least two cells, none of which holds a part of the page. It is content as a
 * whole or not at all: without one of its cells, the values stand in the wrong columns.
 */
export function isDataTable({ element, children }: Block, lengthOf: (block: Block) => number): boolean {
  if (element.name !== "table" || /^(?:presentation|none)$/.test(element.attribs.role ?? "")) return false;
  const shape: Shape = { rows: 0, hasHeader: false };
  return areParts(children, shape, lengthOf) && shape.rows >= (shape.hasHeader ? 2 : MIN_ROWS);
}

function areParts(parts: readonly Block[], shape: Shape, lengthOf: (block: Block) => number): boolean {
  return parts.every(({ element, children }) => {
    if (/^(?:thead|tbody|tfoot)$/.test(element.name)) return areParts(children, shape, lengthOf);
    if (element.name !== "tr") return element.name === "caption";
    if (children.length > 1) shape.rows++;
    shape.hasHeader ||= children.some((cell) => cell.element.name === "th");
    return children.every((cell) => !holdsPage(cell, lengthOf));
  });
}

function holdsPage(cell: Block, lengthOf: (block: Block) => number): boolean {
  return (cell.children.length > 0 && lengthOf(cell) > MAX_CELL_CHARS) || holdsTable(cell);
}

function holdsTable({ children }: Block): boolean {
  return children.some((child) => child.element.name === "table" || holdsTable(child));
}
