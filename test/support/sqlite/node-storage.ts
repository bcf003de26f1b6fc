import { DatabaseSync, type SQLInputValue, type SQLOutputValue } from "node:sqlite";

/** The most values that a statement can have in a Durable Object. */
const MAX_VALUES = 100;

type Row = Record<string, SQLOutputValue | ArrayBuffer>;

/** The synchronous part of a Durable Object's storage, in a SQLite database in memory. Alarms are stored, but never run. */
export class NodeStorage {
  #database = new DatabaseSync(":memory:");
  #values = new Map<string, unknown>();
  #alarm: number | null = null;

  readonly sql = {
    exec: (query: string, ...values: unknown[]) => new Cursor(this.#run(query, values)),
    databaseSize: 0,
  };

  readonly kv = {
    get: (key: string) => structuredClone(this.#values.get(key)),
    put: (key: string, value: unknown) => void this.#values.set(key, structuredClone(value)),
    delete: (key: string) => this.#values.delete(key),
  };

  #run(query: string, values: unknown[]): Row[] {
    if (values.length > MAX_VALUES) throw new Error(`A statement can have ${MAX_VALUES} values, not ${values.length}.`);
    if (/\b(?:SAVEPOINT|BEGIN|COMMIT|ROLLBACK TO|TEMP)\b/.test(query)) throw new Error(`Not allowed: ${query}`);
    // Only scripts of several statements have no values and no result.
    if (values.length === 0 && query.trim().replace(/;$/, "").includes(";")) {
      this.#database.exec(query);
      return [];
    }
    const bound = values.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    const rows = this.#database.prepare(query).all(...(bound as SQLInputValue[]));
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toValue(value)])));
  }

  /** Runs `work` in a transaction, or in a savepoint if it is nested. After an error, also restores `kv` and the alarm. */
  transactionSync<Value>(work: () => Value): Value {
    const before = { values: new Map(this.#values), alarm: this.#alarm };
    this.#database.exec("SAVEPOINT work");
    try {
      const value = work();
      this.#database.exec("RELEASE work");
      return value;
    } catch (error) {
      this.#database.exec("ROLLBACK TO work; RELEASE work");
      this.#values = before.values;
      this.#alarm = before.alarm;
      throw error;
    }
  }

  async deleteAll(): Promise<void> {
    this.#database = new DatabaseSync(":memory:");
    this.#values.clear();
    this.#alarm = null;
  }

  async getAlarm(): Promise<number | null> {
    return this.#alarm;
  }

  async setAlarm(at: number): Promise<void> {
    this.#alarm = at;
  }

  async deleteAlarm(): Promise<void> {
    this.#alarm = null;
  }
}

/** The rows of a query. */
class Cursor {
  constructor(readonly rows: Row[]) {}

  toArray(): Row[] {
    return this.rows;
  }

  one(): Row {
    const [row] = this.rows;
    if (row === undefined || this.rows.length > 1) throw new Error(`Expected one row, but got ${this.rows.length}.`);
    return row;
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.rows[Symbol.iterator]();
  }
}

function toValue(value: SQLOutputValue): SQLOutputValue | ArrayBuffer {
  return value instanceof Uint8Array ? value.slice().buffer : value;
}
