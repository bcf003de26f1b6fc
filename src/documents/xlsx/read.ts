import { format, isDateFormat } from "numfmt";
import type { Block } from "../../html/ast/blocks";
import type { PageLink } from "../../html/links";
import { Budget } from "../../lib/budget";
import { isLinkUrl, type LoadedDocument, OfficePackage } from "../package";
import { countLines, type Grid, toTable } from "../table";
import { childAt, childrenOf, textOf, type XmlElement } from "../xml";
import type { Zip } from "../zip";

/** The largest number of lines in cells that are read from all sheets together. Most cells have one line. */
export const MAX_CELLS = 100_000;
/** The maximum number of cells that can be added by repeating the values of merged cells. */
const MAX_REPEATED_CELLS = 20_000;
const MAX_COLUMNS = 16_384;
/** The maximum number of ranges of hidden columns. Other ranges are ignored. */
const MAX_HIDDEN_RANGES = 500;

/** The parts of a workbook that its sheets share. */
interface Workbook {
  file: OfficePackage;
  strings: string[];
  /** The codes of the number formats of the cell styles. */
  formats: string[];
  is1904: boolean;
  /** The cells with a value that may still be read. */
  cells: Budget;
  links: Map<string, PageLink>;
}

/** A range of cells. Rows and columns start at 0, and the range includes its end. */
interface CellRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

const ALPHABET = 26;
/** Subtracted from the code unit of a letter. The result for A is 1. */
const BEFORE_A = "A".charCodeAt(0) - 1;

/** The serial numbers of dates start at 1904-01-01 instead of 1899-12-31 in some workbooks. */
const DAYS_TO_1904 = 1_462;
/** The first serial number after 9999-12-31. */
const MAX_SERIAL = 2_958_466;
/** The number of digits with which Excel stores numbers. */
const DIGITS = 15;

/** The length of the longest format code that Excel accepts. */
const MAX_CODE_CHARS = 255;

/**
 * Reads a workbook (ECMA-376, part 1, section 18). Each visible sheet is a heading and a table, without its hidden rows
 * and columns. For a formula, the stored value is used. `main` is the name of the workbook's part. Throws AppError.
 */
export async function readXlsx(zip: Zip, main: string, signal: AbortSignal): Promise<LoadedDocument> {
  const file = new OfficePackage(zip, signal);
  const metadata = await file.metadata();
  const root = await file.readAll(main, "workbook");
  const relationships = await file.relationships(main);
  const properties = root.find(({ name }) => name === "workbookPr");
  const workbook: Workbook = {
    file,
    formats: await readFormats(file),
    is1904: isTrue(properties?.attributes.get("date1904")),
    strings: [],
    cells: new Budget(MAX_CELLS),
    links: new Map(),
  };
  await readStrings(workbook);
  const blocks: Block[] = [];
  let truncated = false;
  for (const sheet of childrenOf(
    root.find(({ name }) => name === "sheets"),
    "sheet",
  )) {
    if (/hidden/i.test(sheet.attributes.get("state") ?? "") || isFull(workbook)) continue;
    const part = relationships.get(sheet.attributes.get("id") ?? "");
    const table = part === undefined ? null : toTable(await readSheet(workbook, part.target));
    if (table === null) continue;
    const value = (sheet.attributes.get("name") ?? "").trim();
    if (value !== "")
      blocks.push({ type: "heading", depth: 2, content: [{ type: "text", value, space: false, marks: null }] });
    blocks.push(table.table);
    truncated ||= table.truncated;
  }
  return {
    type: "workbook",
    blocks,
    metadata,
    links: [...workbook.links.values()],
    ...((truncated || isFull(workbook)) && { truncated: true }),
  };
}

function isFull({ cells, file }: Workbook): boolean {
  return cells.isUsedUp || file.isTruncated;
}

async function readStrings(workbook: Workbook): Promise<void> {
  for await (const { element } of workbook.file.read("xl/sharedStrings.xml", "sst")) {
    workbook.strings.push(richTextOf(element));
  }
}

/** Returns the text of a string without its phonetic guide. */
function richTextOf(element: XmlElement): string {
  return childrenOf(element)
    .map((child) => (child.name === "t" ? textOf(child) : child.name === "r" ? textOf(childAt(child, "t")) : ""))
    .join("");
}

async function readFormats(file: OfficePackage): Promise<string[]> {
  const custom = new Map<string, string>();
  const formats: string[] = [];
  for await (const { parent, element } of file.read("xl/styles.xml", "numFmts", "cellXfs")) {
    const id = element.attributes.get("numFmtId") ?? "";
    if (parent === "numFmts") custom.set(id, element.attributes.get("formatCode") ?? GENERAL);
    else formats.push(custom.get(id) ?? builtInFormat(Number(id)));
  }
  return formats;
}

async function readSheet(workbook: Workbook, part: string): Promise<Grid> {
  const grid: Grid = new Map();
  const hidden = new Set<number>();
  let hiddenRanges = 0;
  const merged: CellRange[] = [];
  const urls = new Map<string, string>();
  let nextRow = 0;
  for await (const { parent, element } of workbook.file.read(part, "cols", "sheetData", "mergeCells", "hyperlinks")) {
    const { attributes } = element;
    if (parent === "cols" && isTrue(attributes.get("hidden"))) {
      const [min = 1, max = 1] = ["min", "max"].map((name) => Number(attributes.get(name)));
      if (hiddenRanges++ >= MAX_HIDDEN_RANGES) continue;
      for (let column = Math.max(min, 1); column <= Math.min(max, MAX_COLUMNS); column++) hidden.add(column - 1);
    } else if (parent === "sheetData") {
      const row = Number(attributes.get("r") ?? nextRow + 1) - 1;
      nextRow = row + 1;
      if (isFull(workbook)) break;
      if (!isTrue(attributes.get("hidden"))) readRow(workbook, element, { grid, row, hidden });
    } else if (parent === "mergeCells") {
      const range = readRange(attributes.get("ref") ?? "");
      if (range !== null) merged.push(range);
    } else if (parent === "hyperlinks") {
      urls.set(attributes.get("id") ?? "", attributes.get("ref") ?? "");
    }
  }
  repeatMerged(workbook, grid, { merged, hidden });
  await addLinks(workbook, part, { urls, grid });
  return grid;
}

function readRow(
  workbook: Workbook,
  element: XmlElement,
  { grid, row, hidden }: { grid: Grid; row: number; hidden: ReadonlySet<number> },
): void {
  const cells = new Map<number, string>();
  let next = 0;
  for (const cell of childrenOf(element, "c")) {
    const column = readReference(cell.attributes.get("r") ?? "")?.column ?? next;
    next = column + 1;
    if (hidden.has(column)) continue;
    const text = readCell(workbook, cell);
    if (text.trim() === "") continue;
    if (!workbook.cells.spend(countLines(text)) || !workbook.file.chars.spend(text.length)) break;
    cells.set(column, text);
  }
  if (cells.size > 0) grid.set(row, cells);
}

function readCell({ strings, formats, is1904 }: Workbook, cell: XmlElement): string {
  const value = textOf(childAt(cell, "v"));
  switch (cell.attributes.get("t") ?? "n") {
    case "s":
      return strings[Number(value)] ?? "";
    case "inlineStr":
      return richTextOf(childAt(cell, "is") ?? cell);
    case "b":
      return value === "" ? "" : isTrue(value) ? "TRUE" : "FALSE";
    case "n": {
      const number = Number(value);
      if (value.trim() === "" || !Number.isFinite(number)) return value;
      return formatNumber(number, formats[Number(cell.attributes.get("s") ?? 0)] ?? GENERAL, { is1904 });
    }
    default:
      // A formula's text, an error such as #DIV/0!, or a date in ISO 8601.
      return value;
  }
}

/** Repeats the value of merged cells in each of them, as for the tables of pages. */
function repeatMerged(
  { file }: Workbook,
  grid: Grid,
  { merged, hidden }: { merged: readonly CellRange[]; hidden: ReadonlySet<number> },
): void {
  let left = MAX_REPEATED_CELLS;
  for (const range of merged) {
    const text = grid.get(range.top)?.get(range.left);
    if (text === undefined) continue;
    for (let row = range.top; row <= range.bottom && left > 0; row++) {
      const cells = grid.get(row);
      // Doesn't add cells to hidden rows or to rows without other values.
      if (cells === undefined) {
        left--;
        continue;
      }
      for (let column = range.left; column <= range.right && left > 0; column++, left--) {
        if (hidden.has(column) || cells.has(column)) continue;
        if (!file.chars.spend(text.length)) return;
        cells.set(column, text);
      }
    }
  }
}

async function addLinks(
  { file, links }: Workbook,
  part: string,
  { urls, grid }: { urls: ReadonlyMap<string, string>; grid: Grid },
): Promise<void> {
  if (urls.size === 0) return;
  for (const [id, { target, isExternal }] of await file.relationships(part)) {
    const reference = urls.get(id);
    if (reference === undefined || !isExternal || !isLinkUrl(target) || links.has(target)) continue;
    const cell = readReference(reference.split(":")[0] ?? "");
    links.set(target, { url: target, text: (cell && grid.get(cell.row)?.get(cell.column)) ?? "" });
  }
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}

/** Returns the position of a reference such as `B3`, or null if the text isn't one. */
function readReference(text: string): { row: number; column: number } | null {
  const [, letters = "", digits = ""] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(text) ?? [];
  if (letters === "") return null;
  const column = [...letters].reduce((sum, letter) => sum * ALPHABET + letter.charCodeAt(0) - BEFORE_A, 0);
  return { row: Number(digits) - 1, column: column - 1 };
}

/** Returns the range of a reference such as `A1:C2`, or null if the text isn't one. */
function readRange(text: string): CellRange | null {
  const [first, last] = text.split(":").map(readReference);
  if (!first || !last) return null;
  return { top: first.row, bottom: last.row, left: first.column, right: last.column };
}

const GENERAL = "General";
/**
 * The built-in number formats (ECMA-376, section 18.8.30). In Excel, dates and numbers with other formats look different
 * in each language. The service writes these dates in ISO 8601.
 */
const BUILT_IN: { readonly [id: number]: string } = {
  ...{ 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??" },
  ...{ 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd hh:mm" },
  ...{ 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)" },
  ...{ 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0" },
};

function builtInFormat(id: number): string {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return "yyyy-mm-dd";
  if (id >= 32 && id <= 35) return "h:mm:ss";
  return BUILT_IN[id] ?? GENERAL;
}

/** Returns a number in a cell as its format shows it. A number that the format can't show is returned unformatted. */
export function formatNumber(value: number, code: string, { is1904 }: { is1904: boolean }): string {
  if (code === GENERAL || code.length > MAX_CODE_CHARS) return toText(value);
  const isDate = isDateFormat(code) && !/\[(?:h+|m+|s+)\]/i.test(code);
  const number = isDate && is1904 ? value + DAYS_TO_1904 : value;
  if (isDate && (number < 0 || number >= MAX_SERIAL)) return toText(value);
  const shown = format(code, number, { throws: false, nbsp: false, skipChar: "", fillChar: "" }).trim();
  return /^#+$/.test(shown) ? toText(value) : shown;
}

function toText(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}
