import type { Table } from "../html/ast/blocks";
import { Budget } from "../lib/budget";
import { countLines, toInline } from "./table";

const DELIMITERS = [",", ";", "\t", "|"] as const;
/** The number of characters at the start of the text that determine the delimiter. */
const SAMPLE_CHARS = 20_000;
const SAMPLE_ROWS = 20;
/** The largest number of lines in the cells of the table. Most cells have one line. */
const MAX_CELLS = 100_000;

export interface CsvTable {
  table: Table;
  /** True if the end of the text was omitted, because the text has too many cells. */
  truncated: boolean;
}

/** Returns true if the type or the name of a file indicates comma- or tab-separated values. */
export function isCsv(mediaType: string, fileName: string): boolean {
  if (/^(text\/(csv|x-csv|tab-separated-values|comma-separated-values)|application\/(csv|x-csv))$/.test(mediaType)) {
    return true;
  }
  const isUnspecific = /^(|text\/plain|application\/(octet-stream|vnd\.ms-excel))$/.test(mediaType);
  return isUnspecific && /\.(csv|tsv)$/i.test(fileName);
}

/** The first line by which Excel names the delimiter. */
const SETTING = /^\uFEFF?"?sep=(.)"?\r?\n/i;

/** Reads a text as a table (RFC 4180). The first row is the header. Returns null if the text has only one column. */
export function readCsv(csv: string): CsvTable | null {
  const [setting = "", delimiter] = SETTING.exec(csv) ?? [];
  const text = csv.slice(setting.length);
  const { rows, truncated } = parse(
    text,
    DELIMITERS.find((one) => one === delimiter) ?? chooseDelimiter(text),
    MAX_CELLS,
  );
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width < 2) return null;
  const alignments = Array.from({ length: width }, () => "" as const);
  return { table: { type: "table", alignments, rows: rows.map((row) => row.map(toInline)) }, truncated };
}

/** Returns the delimiter with which most rows have the same number of cells. The number must be at least two. */
function chooseDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARS);
  const isCut = sample.length < text.length;
  let best = { delimiter: ",", share: 0, cells: 1 };
  for (const delimiter of DELIMITERS) {
    const rows = parse(sample, delimiter, SAMPLE_CHARS).rows.slice(0, SAMPLE_ROWS);
    // The last row of a cut text may be incomplete.
    if (isCut && rows.length > 1 && rows.length < SAMPLE_ROWS) rows.pop();
    const cells = rows[0]?.length ?? 1;
    const share = rows.filter((row) => row.length === cells).length / Math.max(1, rows.length);
    const isBetter = share > best.share || (share === best.share && cells > best.cells);
    if (cells > 1 && isBetter) best = { delimiter, share, cells };
  }
  return best.delimiter;
}

/** Returns the cells of each row. Omits empty rows. Stops after `maxCells` lines in cells. */
function parse(text: string, delimiter: string, maxCells: number): { rows: string[][]; truncated: boolean } {
  const rows: string[][] = [];
  let row: string[] = [];
  const budget = new Budget(maxCells);
  // Matches one cell and the delimiter or line break that follows it. In a quoted cell, two quotes stand for one. The
  // closing quote may be missing.
  const escaped = delimiter === "|" ? "\\|" : delimiter;
  const cell = new RegExp(
    `(?:[ ]*"([^"]*(?:""[^"]*)*)(?:"([^${escaped}\\r\\n]*)|$)|([^${escaped}\\r\\n]*))(${escaped}|\\r\\n?|\\n|$)`,
    "y",
  );
  while (cell.lastIndex < text.length) {
    const [, quoted, rest = "", plain = "", end = ""] = cell.exec(text) ?? [];
    const value = (quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest).trim();
    if (!budget.spend(countLines(value))) break;
    row.push(value);
    // After a delimiter at the end of the text, there is one more cell, which is empty.
    if (end === delimiter) continue;
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  }
  if (row.some((value) => value !== "")) rows.push(row);
  return { rows, truncated: budget.isUsedUp };
}
