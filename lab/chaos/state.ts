// Reads the stored state of the service: the account's Durable Object, the D1 directory and R2.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface JobRow {
  id: string;
  mode: "live" | "test";
  key_id: string;
  endpoint: string;
  status: string;
  /** 1 if the job waits for a slot, otherwise 0. */
  waits: number;
  /** The request as JSON. Empty if it should be in R2 but is missing there. */
  request: string;
  /** True if the request is stored in R2, not in the tables `jobs` or `payloads`. */
  request_stored: boolean;
  waiting: number;
  webhook_url: string | null;
  credits: number;
  credits_used: number;
  created_at: number;
  ended_at: number | null;
  run: number;
  attempts: number;
  lease_until: number | null;
  due_at: number | null;
  result: string | null;
  result_in: "payload" | "r2" | null;
  code: string | null;
  /** The batch or crawl of the job. Null if the job isn't a page. */
  batch_id: string | null;
  /** The number of the page in its batch. Null if the job isn't a page. */
  page: number | null;
}

export interface LedgerRow {
  kind: string;
  key: string;
  amount: number;
}

export interface UsageRow {
  mode: string;
  date: string;
  key_id: string;
  endpoint: string;
  requests: number;
  credits: number;
  /** JSON: the number of jobs in each bucket of the histogram. */
  durations: string;
}

export interface DeliveryRow {
  id: string;
  job_id: string | null;
  event: string;
  status: string;
  /** The number of started attempts. The service writes it before it sends the event. */
  attempt: number;
  /** JSON: the finished attempts. */
  attempts: string;
  next_attempt_at: number | null;
  due_at: number | null;
}

export interface State {
  /** The account's row. `tag` is a part of the account's R2 keys. */
  account: { id: string; tag: string; funds: number; used: number };
  jobs: JobRow[];
  ledger: LedgerRow[];
  usage: UsageRow[];
  deliveries: DeliveryRow[];
  idempotency: { key: string; job_id: string }[];
  /** The number of changes that haven't been sent to a Durable Object. */
  outbox: number;
  /** The errors that SQLite's integrity and foreign key checks report. */
  damage: string[];
  /** All R2 keys. */
  objects: string[];
}

type StoredJobRow = Omit<JobRow, "request" | "request_stored"> & { request: string | null };

const JOBS = `SELECT j.id, j.mode, j.key_id, j.endpoint, j.status, j.waits, COALESCE(j.request, p.request) AS request, j.waiting,
    j.webhook_url, j.credits, j.credits_used, j.created_at, j.ended_at, j.run, j.attempts, j.lease_until, j.due_at, p.result,
    j.result_in, j.code, j.batch_id, j.page
  FROM jobs j LEFT JOIN payloads p ON p.mode = j.mode AND p.id = j.id`;

/** Reads the state from a folder of `wrangler dev --persist-to`. */
export function readState(folder: string): State {
  const objects = readObjects(folder);
  const directory = openDatabase(folder, "d1", "accounts");
  const account = openDatabase(folder, "do", "account");
  try {
    const [state] = select<State["account"]>(account, "SELECT id, tag, funds, used FROM account");
    if (state === undefined) throw new Error("The account's Durable Object has no row in its table account.");
    return {
      account: state,
      jobs: select<StoredJobRow>(account, JOBS).map((row) => ({
        ...row,
        request: row.request ?? objects.get(`requests/${state.tag}/${row.id}`)?.() ?? "",
        request_stored: row.request === null,
      })),
      ledger: select(account, "SELECT kind, key, amount FROM ledger"),
      usage: select(account, "SELECT mode, date, key_id, endpoint, requests, credits, durations FROM usage"),
      deliveries: select(
        account,
        "SELECT id, job_id, event, status, attempt, attempts, next_attempt_at, due_at FROM deliveries",
      ),
      idempotency: select(account, "SELECT key, job_id FROM idempotency_keys"),
      outbox: select(directory, "SELECT 1 FROM outbox").length,
      damage: [...findDamage(directory), ...findDamage(account)],
      objects: [...objects.keys()],
    };
  } finally {
    directory.close();
    account.close();
  }
}

/** Runs a query. The columns must match the fields of `Row`. */
function select<Row>(database: DatabaseSync, sql: string): Row[] {
  return database.prepare(sql).all() as unknown as Row[];
}

function findDamage(database: DatabaseSync): string[] {
  return [
    ...select<{ integrity_check: string }>(database, "PRAGMA integrity_check").map((row) => row.integrity_check),
    ...select(database, "PRAGMA foreign_key_check").map((row) => JSON.stringify(row)),
  ].filter((line) => line !== "ok");
}

/** Returns true if an account's Durable Object has tables. */
export function hasAccountTables(folder: string): boolean {
  const database = findDatabase(folder, "do", "account");
  database?.close();
  return database !== null;
}

/**
 * Returns the keys of all R2 objects, each with a function that reads the object's text. The folder has no database of
 * objects until the service has stored the first one.
 */
export function readObjects(folder: string): Map<string, () => string> {
  const r2 = join(folder, "v3", "r2");
  const database = existsSync(r2) ? findDatabase(folder, "r2", "_mf_objects") : null;
  if (database === null) return new Map();
  const files = new Map(listFiles(r2).map((path) => [basename(path), path]));
  try {
    const rows = database.prepare("SELECT key, blob_id FROM _mf_objects ORDER BY key").all();
    const read = (blob: string) => readFileSync(files.get(blob) ?? "", "utf8");
    return new Map(rows.map(({ key, blob_id }) => [String(key), () => read(String(blob_id))]));
  } finally {
    database.close();
  }
}

type Storage = "d1" | "do" | "r2";

/** The maximum time that a statement waits for a lock. */
const BUSY_TIMEOUT_MS = 5_000;

function openDatabase(folder: string, kind: Storage, table: string): DatabaseSync {
  const database = findDatabase(folder, kind, table);
  if (database === null) throw new Error(`No database in ${folder} has a table ${table}.`);
  return database;
}

/**
 * Searches the databases of this kind of storage for the one that has the table, and opens it. Returns null if none has
 * the table.
 */
function findDatabase(folder: string, kind: Storage, table: string): DatabaseSync | null {
  for (const path of listFiles(join(folder, "v3", kind)).filter((name) => name.endsWith(".sqlite"))) {
    // The service may be writing to the database, so the connection needs a timeout.
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table) !== undefined) return database;
    database.close();
  }
  return null;
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
