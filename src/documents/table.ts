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

const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/** Returns the number of lines of a cell. Each of them costs as much work as a cell. CRLF counts as two line breaks. */
export function countLines(text: string): number {
  let lines = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) lines++;
  }
  return lines;
}

export function toInline(text: string): Inline[] {
  const inline = new InlineBuilder("single");
  for (const [index, line] of text.split(/\r\n?|\n/).entries()) {
    if (index > 0) inline.break();
    inline.text(line, null);
  }
  return inline.take().flat();
}
