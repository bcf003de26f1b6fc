import type { Draft } from "./draft";
import type { Block } from "./outline";

/** Rows of several cells: one alone compares nothing. */
const MIN_ROWS = 2;
/** A cell with blocks and this much text holds a part of the page. */
const MAX_CELL_CHARS = 1_500;

/**
 * Whether it is a table of data, not one that arranges the page. It is content as a whole or not at all: without one of
 * its cells, the values after it stand in the wrong columns.
 */
export function isDataTable({ element, children }: Block, draft: Draft): boolean {
  if (element.name !== "table" || /^(?:presentation|none)$/.test(element.attribs.role ?? "")) return false;
  const rows = children.flatMap((part) => (/^(?:thead|tbody|tfoot)$/.test(part.element.name) ? part.children : [part]));
  return (
    rows.filter((row) => row.children.length > 1).length >= MIN_ROWS &&
    !rows.some((row) => row.children.some((cell) => holdsPage(cell, draft)))
  );
}

function holdsPage(cell: Block, draft: Draft): boolean {
  return (cell.children.length > 0 && draft.length(cell) > MAX_CELL_CHARS) || holdsTable(cell);
}

function holdsTable({ children }: Block): boolean {
  return children.some((child) => child.element.name === "table" || holdsTable(child));
}
