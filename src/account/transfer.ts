// Export and import of an object's rows. They are inverse: importing an export into an empty object gives the same rows.

/** The tables of an object with their primary keys, in the order in which they are exported. */
export const TABLES: Readonly<Record<string, readonly string[]>> = {
  account: ["one"],
  ledger: ["id"],
  jobs: ["mode", "id"],
  payloads: ["mode", "id"],
  idempotency_keys: ["mode", "endpoint", "key"],
  usage: ["mode", "date", "key_id", "endpoint", "code"],
  webhooks: ["mode"],
  deliveries: ["mode", "id"],
  slow_receivers: ["host"],
  archives: ["mode", "last_id"],
};

const NAMES = Object.keys(TABLES);

const PAGE_ROWS = 1_000;
/** A value that crosses RPC may have 32 MiB. A row has less than 100 KB. */
const PAGE_CHARS = 2_000_000;

type Row = Record<string, SqlStorageValue>;

/** One page of an export. */
export interface ExportPage {
  kind: "page";
  /** NDJSON: `["table", {row}]` in each line. */
  lines: string;
  rows: number;
  /** The place where the next page begins. Null: this is the last page. */
  next: string | null;
}

interface Place {
  table: string;
  /** The primary key of the last row that was exported. Null: none was. */
  after: SqlStorageValue[] | null;
}

/** Returns the page of an export that begins at `cursor`. Null: the first page. */
export function exportPage(sql: SqlStorage, cursor: string | null): ExportPage {
  const lines: string[] = [];
  let chars = 0;
  let place: Place | null = cursor === null ? { table: NAMES[0] ?? "", after: null } : JSON.parse(cursor);
  while (place !== null && lines.length < PAGE_ROWS && chars < PAGE_CHARS) {
    const rows = selectAfter(sql, place, PAGE_ROWS - lines.length);
    for (const row of rows) {
      if (chars >= PAGE_CHARS) break;
      const line = JSON.stringify([place.table, row]);
      lines.push(line);
      chars += line.length;
      place = { table: place.table, after: keyOf(place.table, row) };
    }
    // A page that is full may end within the table or with its last row. The next page finds out.
    if (lines.length < PAGE_ROWS && chars < PAGE_CHARS) place = toNextTable(place.table);
  }
  return {
    kind: "page",
    lines: lines.map((line) => `${line}\n`).join(""),
    rows: lines.length,
    next: place === null ? null : JSON.stringify(place),
  };
}

function toNextTable(table: string): Place | null {
  const next = NAMES[NAMES.indexOf(table) + 1];
  return next === undefined ? null : { table: next, after: null };
}

function keyOf(table: string, row: Row): SqlStorageValue[] {
  return (TABLES[table] ?? []).map((column) => row[column] ?? null);
}

function selectAfter(sql: SqlStorage, { table, after }: Place, limit: number): Row[] {
  const key = TABLES[table];
  if (key === undefined) throw new Error(`There is no table '${table}'.`);
  const columns = key.join(", ");
  const condition = after === null ? "" : `WHERE (${columns}) > (${key.map(() => "?").join(", ")})`;
  return sql
    .exec<Row>(`SELECT * FROM ${table} ${condition} ORDER BY ${columns} LIMIT ?`, ...(after ?? []), limit)
    .toArray();
}

/** Inserts the rows of a page, or replaces them. Throws if a table or a column doesn't exist here. */
export function importLines(sql: SqlStorage, lines: string): number {
  const columnsOf = new Map<string, Set<string>>();
  let rows = 0;
  for (const line of lines.split("\n")) {
    if (line === "") continue;
    const [table, row] = JSON.parse(line) as [string, Row];
    if (TABLES[table] === undefined) throw new Error(`The export has a table '${table}', which isn't known.`);
    const known = columnsOf.get(table) ?? readColumns(sql, table);
    columnsOf.set(table, known);
    const unknown = Object.keys(row).find((column) => !known.has(column));
    if (unknown !== undefined) throw new Error(`The export has a column '${table}.${unknown}', which isn't known.`);
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

/**
 * Makes imported rows those of this object: it gets its own name, and jobs that were being run are queued again. Their
 * interrupted run doesn't count as an attempt. `isMoved`: the account was open until now, so messages of the object before are
 * on their way. That object answers `gone`, so the jobs and the deliveries of these messages are due at once.
 */
export function adoptRows(
  sql: SqlStorage,
  {
    object,
    jurisdiction,
    isMoved,
    now,
  }: { object: string; jurisdiction: string | null; isMoved: boolean; now: number },
): void {
  sql.exec("UPDATE account SET object = ?, jurisdiction = ?, maintenance_at = ?", object, jurisdiction, now);
  if (isMoved) {
    sql.exec("UPDATE jobs SET due_at = ?, resends = 0 WHERE status = 'queued' AND due_at IS NOT NULL", now);
    sql.exec("UPDATE deliveries SET due_at = ?, resends = 0 WHERE stage = 'sending' AND token IS NULL", now);
  }
  sql.exec(
    `UPDATE jobs SET status = 'queued', lease_until = NULL, token = NULL, due_at = ?, waiting = 0,
       attempts = MAX(0, attempts - 1) WHERE due_at IS NOT NULL AND status = 'processing'`,
    now,
  );
}
