import { DurableObject } from "cloudflare:workers";
import type { JobEvent } from "./events";

const MAX_EVENTS = 100_000;
const MAX_ACCOUNTS = 100;
/** Events are collected in memory for this long, so that one write stores many events. A crash loses these events. */
const BUFFER_MS = 250;

/** The filters of the event log. An undefined filter matches every value. Times are Unix ms. */
export interface EventFilter {
  /** Matches targets on this host and on its subdomains. */
  host?: string | undefined;
  since?: number | undefined;
  until?: number | undefined;
  account?: string | undefined;
  key?: string | undefined;
  mode?: string | undefined;
  endpoint?: string | undefined;
  status?: string | undefined;
  outcome?: string | undefined;
  code?: string | undefined;
  limit: number;
}

/** The totals of ended jobs that share an endpoint, status, outcome and code. */
export interface EventGroup {
  endpoint: string;
  status: string;
  outcome: string;
  code: string;
  jobs: number;
  credits: number;
  averageMs: number;
}

/** The totals of the ended jobs of one account. `lastAt` is the end of the latest job (Unix ms). */
export interface AccountEvents {
  account: string;
  jobs: number;
  failed: number;
  credits: number;
  lastAt: number;
}

export interface EventReport {
  groups: EventGroup[];
  /** The accounts with the most jobs, at most MAX_ACCOUNTS. */
  accounts: AccountEvents[];
  /** The latest events, newest first. */
  events: JobEvent[];
}

/**
 * Stores one event per ended job in the local runtime, which has no Analytics Engine. Keeps only the latest MAX_EVENTS.
 */
export class EventLog extends DurableObject<Env> {
  #buffer: JobEvent[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS events (
        id       INTEGER PRIMARY KEY,
        ended_at INTEGER NOT NULL,
        event    TEXT NOT NULL -- JSON
      ) STRICT;
      CREATE INDEX IF NOT EXISTS events_by_time ON events (ended_at);
    `);
  }

  write(event: JobEvent): void {
    this.#buffer.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), BUFFER_MS);
  }

  /** Returns the groups and the latest events that match the filter. */
  query(filter: EventFilter): EventReport {
    this.#flush();
    const conditions = ["ended_at >= ?", "ended_at < ?"];
    const values: (string | number)[] = [filter.since ?? 0, filter.until ?? Number.MAX_SAFE_INTEGER];
    for (const name of ["account", "key", "mode", "endpoint", "status", "outcome", "code"] as const) {
      const value = filter[name];
      if (value === undefined) continue;
      conditions.push(`event ->> '${name}' = ?`);
      values.push(value);
    }
    if (filter.host !== undefined) {
      conditions.push("(event ->> 'host' = ? OR substr(event ->> 'host', -length(?)) = ?)");
      values.push(filter.host, `.${filter.host}`, `.${filter.host}`);
    }
    const where = conditions.join(" AND ");
    const { sql } = this.ctx.storage;
    const groups = sql
      .exec<{ [Column in keyof EventGroup]: EventGroup[Column] }>(
        `SELECT event ->> 'endpoint' AS endpoint, event ->> 'status' AS status, event ->> 'outcome' AS outcome,
           event ->> 'code' AS code, COUNT(*) AS jobs, SUM(event ->> 'credits') AS credits,
           CAST(ROUND(AVG(event ->> 'processingMs')) AS INTEGER) AS averageMs
         FROM events WHERE ${where} GROUP BY 1, 2, 3, 4 ORDER BY jobs DESC, endpoint, code, outcome`,
        ...values,
      )
      .toArray();
    const accounts = sql
      .exec<{ [Column in keyof AccountEvents]: AccountEvents[Column] }>(
        `SELECT event ->> 'account' AS account, COUNT(*) AS jobs, SUM(event ->> 'status' = 'failed') AS failed,
           SUM(event ->> 'credits') AS credits, MAX(ended_at) AS lastAt
         FROM events WHERE ${where} GROUP BY 1 ORDER BY jobs DESC, account LIMIT ${MAX_ACCOUNTS}`,
        ...values,
      )
      .toArray();
    const rows = sql
      .exec<{ event: string }>(
        `SELECT event FROM events WHERE ${where} ORDER BY ended_at DESC LIMIT ?`,
        ...values,
        filter.limit,
      )
      .toArray();
    return { groups, accounts, events: rows.map(({ event }) => JSON.parse(event) as JobEvent) };
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const events = this.#buffer.splice(0);
    if (events.length === 0) return;
    const { sql } = this.ctx.storage;
    this.ctx.storage.transactionSync(() => {
      for (const event of events) {
        sql.exec("INSERT INTO events (ended_at, event) VALUES (?, ?)", event.endedAt, JSON.stringify(event));
      }
      sql.exec("DELETE FROM events WHERE id <= (SELECT MAX(id) FROM events) - ?", MAX_EVENTS);
    });
  }
}
