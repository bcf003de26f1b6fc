/** A table of a result. Each row has the same number of cells as the header. */
export interface Table {
  /** The name of the table in the list of downloads. */
  name: string;
  header: string[];
  rows: string[][];
}

/** The byte order mark. Without it, Excel reads the file in a legacy encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/** Matches text that a spreadsheet runs as a formula. The last characters are full-width. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Converts tables to CSV (RFC 4180) with a byte order mark. If there are several tables, each one follows its name, and
 * empty lines separate them. An apostrophe is added before text that a spreadsheet would run as a formula, because the
 * cells come from untrusted pages.
 */
export function toCsv(tables: readonly Table[]): string {
  const parts = tables.map(({ name, header, rows }) => {
    const lines = [...(tables.length === 1 ? [] : [[name]]), header, ...rows];
    return lines.map((cells) => `${cells.map(toField).join(",")}\r\n`).join("");
  });
  return BYTE_ORDER_MARK + parts.join("\r\n");
}

function toField(cell: string): string {
  const isNumber = /^[+-]?[\d.,]+%?$/.test(cell);
  const text = FORMULA.test(cell) && !isNumber ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
