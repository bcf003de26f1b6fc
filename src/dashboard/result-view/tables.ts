import { isObject } from "../../json-schema/keywords";
import type { Endpoint } from "../../model/endpoint";
import type { Table } from "./csv";
import { readPageTables } from "./page-tables";

/** Returns all tables of a result. */
export async function readTables(endpoint: Endpoint, data: Record<string, unknown>): Promise<Table[]> {
  return await TABLES[endpoint](data);
}

const TABLES: { [E in Endpoint]: (data: Record<string, unknown>) => Table[] | Promise<Table[]> } = {
  map: ({ urls }) => listTable("URLs", urls),
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
