// Exports and imports the rows of a Durable Object. An import into empty tables restores exactly the exported rows.

/** The tables and their primary keys. Exports follow this order. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  account: ["one"],
  ledger: ["id"],
  jobs: ["mode", "id"],
  payloads: ["mode", "id"],
  idempotency_keys: ["mode", "endpoint", "key"],
  usage: ["mode", "date", "key_id", "endpoint", "code"],
  webhooks: ["mode", "id"],
  webhook_alerts: ["mode", "endpoint_id"],
  deliveries: ["mode", "id"],
  delivery_hours: ["mode"],
  failing_receivers: ["host"],
  archives: ["mode", "last_id"],
  usage_alerts: ["subject", "threshold"],
  batches: ["mode", "id"],
  batch_pages: ["mode", "batch_id", "number"],
  captures: ["mode", "id"],
  temporary_results: ["mode", "id"],
  recent_abandoned: ["period"],
};

const NAMES = Object.keys(TABLES);

const PAGE_ROWS = 1_000;
/** The approximate maximum size of a page. An RPC value can have up to 32 MiB, and a row is smaller than 100 KB. */
const PAGE_CHARS = 2_000_000;

type Row = Record<string, SqlStorageValue>;

export interface ExportPage {
  kind: "page";
  /** NDJSON. Each line has the form `["table", {row}]`. */
  lines: string;
  rows: number;
  /** The cursor of the next page. Null if this is the last page. */
  next: string | null;
}

interface Position {
  table: string;
  /** The primary key of the table's last exported row. Null if none of its rows was exported. */
  after: SqlStorageValue[] | null;
}

/** Returns the page of an export that starts at `cursor`. A null cursor means the first page. */
export function exportPage(sql: SqlStorage, cursor: string | null): ExportPage {
  const lines: string[] = [];
  let chars = 0;
  let position: Position | null = cursor === null ? { table: NAMES[0] ?? "", after: null } : JSON.parse(cursor);
  while (position !== null && lines.length < PAGE_ROWS && chars < PAGE_CHARS) {
    // Reads the rows one by one, because 1,000 rows can have 100 MB.
    for (const row of selectAfter(sql, position, PAGE_ROWS - lines.length)) {
      if (chars >= PAGE_CHARS) break;
      const line = JSON.stringify([position.table, row]);
      lines.push(line);
      chars += line.length;
      position = { table: position.table, after: (TABLES[position.table] ?? []).map((column) => row[column] ?? null) };
    }
    // After a full page, the position stays in the table, even if the page ends with the table's last row. The next
    // page then finds no more rows in this table and continues with the next table.
    if (lines.length < PAGE_ROWS && chars < PAGE_CHARS) position = toNextTable(position.table);
  }
  return {
    kind: "page",
    lines: lines.map((line) => `${line}\n`).join(""),
    rows: lines.length,
    next: position === null ? null : JSON.stringify(position),
  };
}

function toNextTable(table: string): Position | null {
  const next = NAMES[NAMES.indexOf(table) + 1];
  return next === undefined ? null : { table: next, after: null };
}

function selectAfter(sql: SqlStorage, { table, after }: Position, limit: number): Iterable<Row> {
  const key = TABLES[table];
  if (key === undefined) throw new Error(`There is no table '${table}'.`);
  const columns = key.join(", ");
  const condition = after === null ? "" : `WHERE (${columns}) > (${key.map(() => "?").join(", ")})`;
  return sql.exec<Row>(`SELECT * FROM ${table} ${condition} ORDER BY ${columns} LIMIT ?`, ...(after ?? []), limit);
}

/** Inserts or replaces the rows of a page. Returns their number. Throws if a table or column doesn't exist. */
export function importLines(sql: SqlStorage, lines: string): number {
  const columnsOf = new Map<string, Set<string>>();
  let rows = 0;
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    const [table, row] = JSON.parse(line) as [string, Row];
    if (TABLES[table] === undefined) throw new Error(`The export contains the unknown table '${table}'.`);
    const known = columnsOf.get(table) ?? readColumns(sql, table);
    columnsOf.set(table, known);
    const unknown = Object.keys(row).find((column) => !known.has(column));
    if (unknown !== undefined) throw new Error(`The export contains the unknown column '${table}.${unknown}'.`);
    const names = Object.keys(row);
    sql.exec(
      `INSERT OR REPLACE INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
      ...Object.values(row),
    );
    rows++;
  }
  return rows;
}

function readColumns(sql: SqlStorage, table: string): Set<string> {
  const rows = sql.exec<{ name: string }>("SELECT name FROM pragma_table_info(?)", table).toArray();
  return new Set(rows.map(({ name }) => name));
}

/** Sets the name of this object in imported rows. Requeues running jobs without counting their run as an attempt. */
export function adaptRows(
  sql: SqlStorage,
  { object, jurisdiction, now }: { object: string; jurisdiction: string | null; now: number },
): void {
  sql.exec("UPDATE account SET object = ?, jurisdiction = ?, maintenance_at = ?", object, jurisdiction, now);
  sql.exec(
    `UPDATE jobs SET status = 'queued', lease_until = NULL, token = NULL, due_at = ?, waiting = 0,
       attempts = MAX(0, attempts - 1) WHERE due_at IS NOT NULL AND status = 'processing'`,
    now,
  );
}
