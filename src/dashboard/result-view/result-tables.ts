import { decodeHTMLStrict } from "entities/decode";
import type { Lexer, Token, Tokens } from "marked";
import { loadLexer, toInlineWork, toUnixLines } from "../../html/markdown/lexer";
import { isObject } from "../../json-schema/keywords";
import type { Endpoint } from "../../model/endpoint";

export async function readTables(endpoint: Endpoint, data: Record<string, unknown>): Promise<Table[]> {
  return await TABLES[endpoint](data);
}

const TABLES: { [E in Endpoint]: (data: Record<string, unknown>) => Table[] | Promise<Table[]> } = {
  map: ({ urls }) => listTable("URLs", urls),
  serp: ({ organic, news, images, videos, pages }) => [
    ...listTable("Results", organic),
    ...listTable("News", news),
    ...listTable("Images", images),
    ...listTable("Videos", videos),
    ...listTable("Pages", pages),
  ],
  scrape: async ({ links, markdown }) => [
    ...listTable("Links", links),
    ...(typeof markdown === "string" ? await readPageTables(markdown) : []),
  ],
  parse: (data) => {
    const lists = Object.entries(data).flatMap(([name, value]) => listTable(name, value));
    if (lists.length > 0 || Object.keys(data).length === 0) return lists;
    return [toTable("Data", [data])];
  },
};

/** Returns the table of a list of objects. Empty if the value isn't a list with at least one object. */
function listTable(name: string, value: unknown): Table[] {
  const items = Array.isArray(value) ? value.filter(isObject) : [];
  return items.length === 0 ? [] : [toTable(name, items)];
}

/** Converts objects to rows. The columns are the names of all members, in the order in which they first occur. */
function toTable(name: string, items: readonly Record<string, unknown>[]): Table {
  const header = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const rows = items.map((item) => header.map((column) => (Object.hasOwn(item, column) ? toCell(item[column]) : "")));
  return { name, header, rows };
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

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

/**
 * The maximum work for the inline content of all cells, as `toInlineWork` measures it. In the worst case, marked needs
 * a few seconds for this amount. The cells that remain are returned as Markdown.
 */
const MAX_WORK = 50_000_000;
/** The maximum length of a section with empty lines. A longer one is split at each, which can divide a list. */
const MAX_SECTION_CHARS = 100_000;
/** The maximum length of the sections that are read together. */
const BATCH_CHARS = 20_000;

/** Matches the row below the header of a table. Text without this row has no table, so it isn't parsed. */
const DELIMITER_ROW = /^[ \t>*+\d.-]*(?:\|[ \t]*:?-+|:-+|(?<=-)):?[ \t]*\|/m;
/** Matches an empty line before a line that can't belong to a list or a quote. */
const SECTION_END = /(?:(?<!\n)\n{2,}|\n[ \t]+\n+)(?=[^\s>*+\d-])/;
const EMPTY_LINE = /\n[ \t]*\n/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/gm;

/** Returns the tables in a page's Markdown, as plain text. The page may be larger than the rendered part. */
async function readPageTables(markdown: string): Promise<Table[]> {
  if (!DELIMITER_ROW.test(markdown)) return [];
  const createLexer = await loadLexer();
  const budget = { left: MAX_WORK };
  const sections = toSections(toUnixLines(markdown)).filter((section) => DELIMITER_ROW.test(section));
  const tables = toBatches(sections).flatMap((text) => readMarkdownTables(createLexer(), text, budget));
  return tables.map((table, index) => ({ name: `Table ${index + 1}`, ...table }));
}

/** Splits Markdown at empty lines, but not inside lists, quotes and code. */
function toSections(markdown: string): string[] {
  const sections: string[] = [];
  let code: string[] = [];
  let fence: string | null = null;
  for (const part of markdown.split(SECTION_END)) {
    fence = findOpenFence(part, fence);
    code.push(part);
    if (fence !== null) continue;
    sections.push(code.join("\n\n"));
    code = [];
  }
  return [...sections, code.join("\n\n")].flatMap((section) =>
    section.length > MAX_SECTION_CHARS ? section.split(EMPTY_LINE) : [section],
  );
}

/** Joins sections, because creating a lexer for each section would be slow. */
function toBatches(sections: readonly string[]): string[] {
  const batches: string[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const section of sections) {
    if (chars + section.length > BATCH_CHARS) {
      batches.push([]);
      chars = 0;
    }
    batches.at(-1)?.push(section);
    chars += section.length;
  }
  return batches.map((batch) => batch.join("\n\n"));
}

/** Returns the fence of the code block that is open at the end of the text, or null. `fence` is open at its start. */
function findOpenFence(text: string, fence: string | null): string | null {
  let open = fence;
  for (const [, marks = "", rest = ""] of text.matchAll(FENCE)) {
    if (open === null) open = marks;
    else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === "") open = null;
  }
  return open;
}

/** Returns the tables of the text. Subtracts the work for parsing their cells from the budget. */
function readMarkdownTables(lexer: Lexer, text: string, budget: { left: number }): Omit<Table, "name">[] {
  lexer.blockTokens(text, lexer.tokens);
  const cells = new Map(lexer.inlineQueue.map(({ src, tokens }) => [tokens, src]));
  const toText = ({ text: raw, tokens }: Tokens.TableCell): string => {
    const source = cells.get(tokens);
    budget.left -= source === undefined ? 0 : toInlineWork(source);
    if (budget.left < 0 || source === undefined) return raw;
    lexer.inlineTokens(source, tokens);
    return toPlainText(tokens);
  };
  return findTables(lexer.tokens).map(({ header, rows }) => ({
    header: header.map(toText),
    rows: rows.map((row) => row.map(toText)),
  }));
}

/** Returns the tables of the section, including tables in lists and quotes. */
function findTables(tokens: readonly Token[]): Tokens.Table[] {
  return tokens.flatMap((token) => {
    if (token.type === "table") return [token as Tokens.Table];
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => findTables(item.tokens));
    return token.type === "blockquote" ? findTables(token.tokens ?? []) : [];
  });
}

/** Returns the text of a cell. Removes the HTML tags that our converter writes: `<br>`, `<sup>` and `<sub>`. */
function toPlainText(tokens: readonly Token[]): string {
  const toText = (token: Token): string => {
    if ("tokens" in token && token.tokens !== undefined) return token.tokens.map(toText).join("");
    if (token.type === "br" || /^<br\s*\/?>$/i.test(token.raw)) return "\n";
    if (token.type === "html" && /^<\/?su[bp]>$/i.test(token.raw)) return "";
    return "text" in token ? String(token.text) : token.raw;
  };
  return decodeHTMLStrict(tokens.map(toText).join("")).trim();
}
