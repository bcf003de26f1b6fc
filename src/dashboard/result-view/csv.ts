/** A table of a result. Each row has the same number of cells as the header. */
export interface Table {
  /** The name of the table in the list of downloads. */
  name: string;
  header: string[];
  rows: string[][];
}

/** The byte order mark. Without it, Excel reads the file in a legacy encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Matches the beginning of a formula: at the start of a cell, and after a character at which a spreadsheet may split the
 * cell. Depending on the language of the computer, the separator is a semicolon or a tab, and quotes after a comma then
 * have no effect. The last characters are full-width. Numbers aren't matched.
 */
const FORMULA = /((?:^|[;\t\r\n])[ "]*)(?![+-]?[\d.,]+%?(?:[;\t\r\n]|$))([=+\-@＝＋－＠])/g;

/**
 * Converts tables to CSV (RFC 4180) with a byte order mark. If there are several tables, each one follows its name, and
 * empty lines separate them. An apostrophe is added before text that a spreadsheet would run as a formula, because the
 * cells come from untrusted pages.
 */
export function toCsv(tables: readonly Table[]): string {
  const parts = tables.map(({ name, header, rows }) => {
    const lines = [...(tables.length === 1 ? [] : [[name]]), header, ...rows];
    return lines.map((cells) => `${toLine(cells)}\r\n`).join("");
  });
  return BYTE_ORDER_MARK + parts.join("\r\n");
}

/**
 * Converts the cells of a row. If semicolons separate the cells, the whole line is one cell. After a number with a sign,
 * the line would be a formula, so the other cells are quoted: a formula can't have a quote after a number.
 */
function toLine(cells: readonly string[]): string {
  const isSigned = /^[ "]*[+-]/.test(cells[0] ?? "");
  return cells.map((cell, i) => toField(cell, isSigned && i > 0)).join(",");
}

function toField(cell: string, isQuoted: boolean): string {
  const text = cell.replace(FORMULA, "$1'$2");
  return isQuoted || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
