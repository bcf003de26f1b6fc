import type { Token, Tokens } from "marked";
import { isObject } from "../../json-schema/keywords";
import type { Endpoint } from "../../model/endpoint";
import { decodeEntities, lexMarkdown } from "./markdown-lexer";

/** The maximum number of tables of a page. */
const MAX_PAGE_TABLES = 20;

/** A table of a result. Each row has as many cells as the header. */
export interface Table {
  /** The name of the table in the list of downloads. */
  name: string;
  header: string[];
  rows: string[][];
}

/** Returns the tables of a result. */
export async function readTables(endpoint: Endpoint, data: Record<string, unknown>): Promise<Table[]> {
  return await TABLES[endpoint](data);
}

const TABLES: { [E in Endpoint]: (data: Record<string, unknown>) => Table[] | Promise<Table[]> } = {
  serp: ({ organic }) => listTable("Results", organic),
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

/**
 * Returns the tables in the Markdown of a page, without formatting. Omits tables after the part that `lexMarkdown` reads,
 * and a table that this part doesn't contain completely.
 */
async function readPageTables(markdown: string): Promise<Table[]> {
  if (!DELIMITER_ROW.test(markdown)) return [];
  const { tokens, isCut } = await lexMarkdown(markdown);
  const tables = findTables(isCut ? tokens.slice(0, -1) : tokens).slice(0, MAX_PAGE_TABLES);
  return tables.map(({ header, rows }, index) => ({
    name: `Table ${index + 1}`,
    header: header.map(toPlainText),
    rows: rows.map((row) => row.map(toPlainText)),
  }));
}

/** Matches the row below the header of a table. A page without this row has no table, so its Markdown isn't read. */
const DELIMITER_ROW = /^[ \t>*+\d.-]*\|?[ \t]*:?-+:?[ \t]*\|/m;

/** Returns the tables of the document, including those in lists and quotes. */
function findTables(tokens: readonly Token[]): Tokens.Table[] {
  return tokens.flatMap((token) => {
    if (token.type === "table") return [token as Tokens.Table];
    if (token.type === "list") return (token as Tokens.List).items.flatMap((item) => findTables(item.tokens));
    return token.type === "blockquote" ? findTables(token.tokens ?? []) : [];
  });
}

/** Returns the text of a cell. Removes the HTML tags that our converter writes: `<br>`, `<sup>` and `<sub>`. */
function toPlainText({ tokens }: { tokens: readonly Token[] }): string {
  const toText = (token: Token): string => {
    if ("tokens" in token && token.tokens !== undefined) return token.tokens.map(toText).join("");
    if (token.type === "br" || /^<br\s*\/?>$/i.test(token.raw)) return "\n";
    if (token.type === "html" && /^<\/?su[bp]>$/i.test(token.raw)) return "";
    return "text" in token ? String(token.text) : token.raw;
  };
  return decodeEntities(tokens.map(toText).join("")).trim();
}
