import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { MINUTE_MS } from "../model/limits";
import { endConnection } from "./end-connection";

/** The most entries that one alarm deletes, because their texts are in memory together. */
const ENTRIES_PER_ALARM = 50;
const RETRY_MS = MINUTE_MS;

/**
 * Stores texts by key, some of them until a time. The store `clients` has the registered clients. Every account has a
 * separate store for its grants and tokens, so that no account waits for another one. A read never creates a table,
 * because strangers can name any store in a made-up token.
 */
export class OAuthStore extends DurableObject<Env> {
  #sql = this.ctx.storage.sql;
  #hasTable = this.#sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'entries'").toArray().length > 0;

  get(key: string): string | null {
    if (!this.#hasTable) return null;
    const query = "SELECT value FROM entries WHERE key = ?1 AND (expires_at IS NULL OR expires_at > ?2)";
    return this.#sql.exec<{ value: string }>(query, key, now()).toArray()[0]?.value ?? null;
  }

  /** Stores a text until `expiresAt` (Unix ms), or without an end if it is null. */
  async put(key: string, value: string, expiresAt: number | null): Promise<void> {
    if (!this.#hasTable) {
      this.#sql.exec(`CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER) STRICT;
        CREATE INDEX entries_by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL`);
      this.#hasTable = true;
    }
    this.#sql.exec("INSERT OR REPLACE INTO entries VALUES (?1, ?2, ?3)", key, value, expiresAt);
    await this.#setAlarm();
  }

  delete(key: string): void {
    if (this.#hasTable) this.#sql.exec("DELETE FROM entries WHERE key = ?1", key);
  }

  /** Returns the keys that begin with `prefix`. */
  list(prefix: string): string[] {
    if (!this.#hasTable) return [];
    const query = "SELECT key FROM entries WHERE substr(key, 1, ?1) = ?2 AND (expires_at IS NULL OR expires_at > ?3)";
    return this.#sql
      .exec<{ key: string }>(query, prefix.length, prefix, now())
      .toArray()
      .map(({ key }) => key);
  }

  /** Counts an action of `name`. Returns false if there were `limit` actions in the window of `windowMs` before. */
  async count(name: string, limit: number, windowMs: number): Promise<boolean> {
    const key = `count:${name}`;
    const [used = 0, endsAt = now() + windowMs] = JSON.parse(this.get(key) ?? "[]") as [number?, number?];
    if (used >= limit) return false;
    await this.put(key, JSON.stringify([used + 1, endsAt]), endsAt);
    return true;
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#hasTable = false;
  }

  /** Deletes what has expired. The connection of a grant ends before its entry is deleted, so that a failure repeats it. */
  override async alarm(): Promise<void> {
    if (!this.#hasTable) return;
    const query = `SELECT key, value FROM entries WHERE expires_at <= ?1 LIMIT ${ENTRIES_PER_ALARM}`;
    for (const { key, value } of this.#sql.exec<{ key: string; value: string }>(query, now()).toArray()) {
      try {
        await endConnection(this.env, key, value);
        // A refresh in the meantime has changed the grant.
        this.#sql.exec("DELETE FROM entries WHERE key = ?1 AND value = ?2", key, value);
      } catch (error) {
        log("warn", "connection_not_ended", toLogged(error));
        this.#sql.exec(
          "UPDATE entries SET expires_at = ?1 WHERE key = ?2 AND value = ?3",
          now() + RETRY_MS,
          key,
          value,
        );
      }
    }
    await this.#setAlarm();
  }

  async #setAlarm(): Promise<void> {
    const query = "SELECT MIN(expires_at) AS next FROM entries WHERE expires_at IS NOT NULL";
    const { next } = this.#sql.exec<{ next: number | null }>(query).one();
    if (next !== null && next !== (await this.ctx.storage.getAlarm())) await this.ctx.storage.setAlarm(next);
  }
}
