// What the service left on disk, read while it doesn't run.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface JobRow {
  id: string;
  account_id: string;
  mode: "live" | "test";
  endpoint: string;
  status: string;
  /** Empty: it was stored, and isn't there. */
  request: string;
  request_stored: boolean;
  waiting: number;
  webhook_url: string | null;
  credits: number;
  credits_used: number;
  created_at: number;
  ended_at: number | null;
  run: number;
  counted_runs: number;
  lease_until: number | null;
  wake_at: number | null;
  result: string | null;
  result_stored: number;
  error_code: string | null;
}

export interface LedgerRow {
  account_id: string;
  kind: string;
  job_id: string | null;
  balance_change: number;
  reserved_change: number;
}

export interface DeliveryRow {
  id: string;
  job_id: string | null;
  event: string;
  status: string;
  attempts: string;
  next_attempt_at: number | null;
  wake_at: number | null;
}

export interface State {
  jobs: JobRow[];
  ledger: LedgerRow[];
  accounts: { id: string; balance: number; reserved: number }[];
  usage: { account_id: string; mode: string; date: string; endpoint: string; requests: number; credits: number }[];
  deliveries: DeliveryRow[];
  idempotency: { key: string; job_id: string }[];
  /** Keys whose invalidation is pending. */
  pushes: number;
  /** What SQLite finds wrong with the file. */
  damage: string[];
  /** Keys of R2. */
  objects: string[];
}

type StoredJobRow = Omit<JobRow, "request" | "request_stored"> & { request: string | null };

const JOBS = `SELECT id, account_id, mode, endpoint, status, request, waiting, webhook_url, credits, credits_used, created_at,
  ended_at, run, counted_runs, lease_until, wake_at, result, result_stored, error_code FROM jobs`;

/** Of the folder that `--persist-to` named. */
export function readState(folder: string): State {
  const objects = readObjects(folder);
  const database = openHolding(join(folder, "v3", "d1"), "jobs");
  // What it selects are the columns of the row's type.
  const all = <Row>(sql: string): Row[] => database.prepare(sql).all() as unknown as Row[];
  try {
    return {
      jobs: all<StoredJobRow>(JOBS).map((row) => ({
        ...row,
        request: row.request ?? objects.get(`requests/${row.id}`)?.() ?? "",
        request_stored: row.request === null,
      })),
      ledger: all("SELECT account_id, kind, job_id, balance_change, reserved_change FROM ledger"),
      accounts: all("SELECT id, balance, reserved FROM accounts"),
      usage: all("SELECT account_id, mode, date, endpoint, requests, credits FROM usage_days"),
      deliveries: all("SELECT id, job_id, event, status, attempts, next_attempt_at, wake_at FROM deliveries"),
      idempotency: all("SELECT key, job_id FROM idempotency_keys"),
      pushes: all("SELECT 1 FROM key_invalidations").length,
      damage: [
        ...all<{ integrity_check: string }>("PRAGMA integrity_check").map((row) => row.integrity_check),
        ...all("PRAGMA foreign_key_check").map((row) => JSON.stringify(row)),
      ].filter((line) => line !== "ok"),
      objects: [...objects.keys()],
    };
  } finally {
    database.close();
  }
}

/** Everything in R2 by its key, to be read when it is asked for. */
export function readObjects(folder: string): Map<string, () => string> {
  const r2 = join(folder, "v3", "r2");
  const files = new Map(listFiles(r2).map((path) => [basename(path), path]));
  const database = openHolding(r2, "_mf_objects");
  try {
    const rows = database.prepare("SELECT key, blob_id FROM _mf_objects ORDER BY key").all();
    const read = (blob: string) => readFileSync(files.get(blob) ?? "", "utf8");
    return new Map(rows.map(({ key, blob_id }) => [String(key), () => read(String(blob_id))]));
  } finally {
    database.close();
  }
}

/** The database in this folder that has the table. */
function openHolding(folder: string, table: string): DatabaseSync {
  for (const path of listFiles(folder).filter((name) => name.endsWith(".sqlite"))) {
    const database = new DatabaseSync(path);
    if (database.prepare("SELECT 1 FROM sqlite_master WHERE name = ?").get(table) !== undefined) return database;
    database.close();
  }
  throw new Error(`No database in ${folder} has a table ${table}.`);
}

function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
