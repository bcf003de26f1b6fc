import type { Table } from "./tables";

/** The byte order mark. Without it, Excel reads the file in a legacy encoding. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Converts a table to CSV (RFC 4180) with a byte order mark. Text that a spreadsheet would run as a formula gets an
 * apostrophe in front, because the cells come from untrusted pages.
 */
export function toCsv({ header, rows }: Table): string {
  const lines = [header, ...rows].map((cells) => `${cells.map(toField).join(",")}\r\n`);
  return BYTE_ORDER_MARK + lines.join("");
}

function toField(cell: string): string {
  const isNumber = /^[+-]?[\d.,]+%?$/.test(cell);
  const text = /^[=+\-@\t\r]/.test(cell) && !isNumber ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
