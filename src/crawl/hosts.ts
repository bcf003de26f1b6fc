import { MINUTE_MS, SECOND_MS } from "../model/limits";
import type { Robots } from "../site/robots";
import { fromStoredRobots, toStoredRobots } from "./stored-robots";

/** The number of pages of a host that a crawl requests at a time. */
export const MAX_PER_HOST = 2;
/** The maximum number of retries of a page whose target is busy. */
const MAX_BUSY_TRIES = 4;
const FIRST_PENALTY_MS = 2 * SECOND_MS;
const MAX_PENALTY_MS = 5 * MINUTE_MS;
/** The maximum number of attempts to read a robots.txt. */
export const MAX_ROBOTS_TRIES = 3;
export const ROBOTS_RETRY_MS = 5 * SECOND_MS;

/** A row of the table `hosts`. */
export interface HostRow extends Record<string, SqlStorageValue> {
  host: string;
  robots: string | null;
  tries: number;
  delay_ms: number | null;
  penalty_ms: number;
  next_at: number;
}

/** The hosts of a crawl, with their robots.txt and the earliest start of their next pages. */
export class Hosts {
  readonly #sql: SqlStorage;
  /** The parsed rules of robots.txt. */
  readonly #robots = new Map<string, Robots>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(host: string): HostRow | null {
    const [row] = this.#sql
      .exec<HostRow>("SELECT host, robots, tries, delay_ms, penalty_ms, next_at FROM hosts WHERE host = ?1", host)
      .toArray();
    return row ?? null;
  }

  /** Adds a host, unless it was already added. */
  add(host: string): void {
    this.#run("INSERT OR IGNORE INTO hosts (host) VALUES (?1)", host);
  }

  /** Returns the rules of a host. Null if they haven't been read yet. */
  robotsOf(host: string): Robots | null {
    const known = this.#robots.get(host);
    if (known !== undefined) return known;
    const { robots = null } = this.read(host) ?? {};
    if (robots === null) return null;
    const parsed = fromStoredRobots(robots);
    this.#robots.set(host, parsed);
    return parsed;
  }

  setRobots(host: string, robots: Robots, delayMs: number | null): void {
    const stored = toStoredRobots(robots);
    this.#robots.set(host, fromStoredRobots(stored));
    this.#run("INSERT OR IGNORE INTO hosts (host) VALUES (?1)", host);
    this.#run("UPDATE hosts SET robots = ?2, delay_ms = ?3 WHERE host = ?1", host, stored, delayMs);
  }

  /** Counts a failed attempt to read robots.txt. The next attempt starts at `nextAt` (Unix ms). */
  countFailure(host: string, nextAt: number): void {
    this.#run("UPDATE hosts SET tries = tries + 1, next_at = MAX(next_at, ?2) WHERE host = ?1", host, nextAt);
  }

  /** Sets the earliest time (Unix ms) at which the next page of the host may start. */
  delayNext(host: string, nextAt: number): void {
    this.#run("UPDATE hosts SET next_at = MAX(next_at, ?2) WHERE host = ?1", host, nextAt);
  }

  /** Ends the penalty of a host that responds again. */
  endPenalty(host: string): void {
    this.#run("UPDATE hosts SET penalty_ms = 0 WHERE host = ?1 AND penalty_ms > 0", host);
  }

  /**
   * Returns the delay before the retry of a page whose host responded with 429 or 503. Returns null after the last
   * retry. The first failure of a page also delays the next pages of the host. This delay grows until a page responds.
   * Later failures of the same page don't delay other pages, because a single URL can be unavailable permanently.
   */
  punish(host: string, { tries, retryAfterMs, now }: { tries: number; retryAfterMs: number | null; now: number }) {
    const leastMs = retryAfterMs ?? 0;
    if (tries === 0) {
      const penalty = this.read(host)?.penalty_ms ?? 0;
      const growing = penalty === 0 ? FIRST_PENALTY_MS : penalty * 2;
      const delayMs = Math.min(Math.max(leastMs, growing), MAX_PENALTY_MS);
      this.#run("UPDATE hosts SET penalty_ms = ?2 WHERE host = ?1", host, delayMs);
      this.delayNext(host, now + delayMs);
      return delayMs;
    }
    return tries >= MAX_BUSY_TRIES ? null : Math.min(Math.max(leastMs, FIRST_PENALTY_MS * 2 ** tries), MAX_PENALTY_MS);
  }

  #run(query: string, ...values: SqlStorageValue[]): void {
    this.#sql.exec(query, ...values).toArray();
  }
}
