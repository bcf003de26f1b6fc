import type { Inline, Table } from "../html/ast/blocks";
import { InlineBuilder } from "../html/ast/inline-builder";

/** The texts of a table by row and column. */
export type Grid = Map<number, Map<number, string>>;

/** The maximum product of the numbers of rows and columns, because empty cells also take memory. */
const MAX_TABLE_CELLS = 400_000;

/**
 * Returns a table of the cells, without empty rows and columns. The first row is the header. Returns null if there are
 * no cells. `truncated` is true if the last rows were omitted.
 */
export function toTable(grid: Grid): { table: Table; truncated: boolean } | null {
  const columns = [...new Set([...grid.values()].flatMap((cells) => [...cells.keys()]))].sort((a, b) => a - b);
  if (columns.length === 0) return null;
  const maxRows = Math.ceil(MAX_TABLE_CELLS / columns.length);
  const rows = [...grid.entries()]
    .sort(([a], [b]) => a - b)
    .slice(0, maxRows)
    .map(([, cells]) => columns.map((column) => toInline(cells.get(column) ?? "")));
  return { table: { type: "table", alignments: columns.map(() => ""), rows }, truncated: grid.size > maxRows };
}

/** Returns the text of a cell with its line breaks. */
export function toInline(text: string): Inline[] {
  const inline = new InlineBuilder("single");
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (index > 0) inline.break();
    inline.text(line, null);
  }
  return inline.take().flat();
}
