import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { isAllowedAddress, toCallerNetwork } from "../lib/ip-ranges";
import { lazy } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import { type ApiKey, isExpired, type ListedKey, type VerifierRecord } from "../model/api-key";
import { DAY_MS, MINUTE_MS } from "../model/limits";
import { FAILURES_PER_MINUTE, POLL_FACTOR, RATE_WINDOW_MS } from "../model/plan";
import type { SummaryMessage } from "../model/summary";
import { changeKey, type KeyChange, type KeyRotation, revokeKey, rotateKey } from "../store/key-changes";
import { getKeyRecord } from "../store/keys";
import { rateLimiter } from "../store/namespaces";
import { requireSchema } from "../store/schema-version";
import { consumeFrom, peekAt, type RateDecision, type RateWindow } from "./rate-window";

/** A cached record of this age is reloaded in the background, because the message about a change may have been lost. */
const REFRESH_AFTER_MS = 10 * MINUTE_MS;
/** A cached record of this age isn't used, even if the database can't be reached. */
const RECORD_TTL_MS = DAY_MS;
/** The delay before a failed refresh is retried. */
const REFRESH_RETRY_MS = MINUTE_MS;
/** The shortest time between two updates of a key's `last_used_at` in the directory. */
const TOUCH_INTERVAL_MS = 15 * MINUTE_MS;
/** The storage key of the cached record. */
const STORED_RECORD = "record";
/** The delay after which the rate windows are written, with all counts so far. A crash loses these counts. */
const SAVE_AFTER_MS = 250;

interface CachedRecord {
  record: VerifierRecord;
  loadedAt: number;
}

interface RateWindows {
  requests: RateWindow | null;
  polls: RateWindow | null;
}

interface StoredWindows extends RateWindows {
  /** See `#touchedAt`. */
  touchedAt: number;
}

/** The rate window that counts a request. Reads of a single job ("poll") have their own window. */
export type CountedAs = "request" | "poll";

export interface VerifyInput {
  /** The caller's IP address, or null if it isn't known. */
  address: string | null;
  countedAs: CountedAs;
}

/** The result of a verification. It contains only plain values, because RPC loses the class of an object. */
export type VerifyResult =
  | { kind: "verified"; key: ApiKey; rate: RateDecision }
  | {
      kind: "refused";
      reason: "rate_limited" | "account_suspended" | "ip_not_allowed";
      key: ApiKey;
      rate: RateDecision;
    }
  /** The key doesn't exist or is revoked. `rate` is the rate window of the caller's network. */
  | { kind: "unauthorized"; reason: "invalid_api_key" | "revoked_api_key"; rate: RateDecision }
  /** The key expired at `expiredAt` (Unix ms). */
  | { kind: "expired"; expiredAt: number; rate: RateDecision }
  /** The key's record isn't cached, and the database can't be reached. */
  | { kind: "unavailable"; rate: RateDecision };

/**
 * Verifies one API key. There is one object per key, named after the SHA-256 of the key's secret. It caches the key's
 * record and counts the key's requests, so that a request needs only one call. Every change of a key goes through this
 * object.
 */
export class KeyVerifier extends DurableObject<Env> {
  #cached: CachedRecord | null = null;
  /** True while the key is changed, because the record may be stale. It is stored, to survive a crash. */
  #changing = false;
  #windows: RateWindows = { requests: null, polls: null };
  #isSaving = false;
  /** The time (Unix ms) at which the directory last got a message about the use of the key. */
  #touchedAt = 0;
  /** The number of changes. It shows a background refresh that it would overwrite a newer record. */
  #changes = 0;
  /** The earliest time of the next refresh (Unix ms). */
  #refreshAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      const kept = await ctx.storage.get([STORED_RECORD, "changing", "windows"]);
      this.#cached = (kept.get(STORED_RECORD) as CachedRecord | undefined) ?? null;
      this.#changing = kept.has("changing");
      const stored = kept.get("windows") as StoredWindows | undefined;
      if (stored === undefined) return;
      this.#windows = { requests: stored.requests, polls: stored.polls };
      this.#touchedAt = stored.touchedAt;
    });
  }

  /** Verifies the key and counts the request. Writes nothing to storage if the key is unknown. */
  async verify(hash: string, { address, countedAs }: VerifyInput): Promise<VerifyResult> {
    // Parsing the address is the slowest part of this method, so it is done only if needed.
    const failures = lazy(() => rateLimiter(this.env, toCallerNetwork(address)));
    // Counts a key that isn't cached as a failed authentication before the database is read. Otherwise, simultaneous
    // requests could reach the database even if the caller's window allows only a few of them.
    const guess = this.#cached === null ? await failures().consume(FAILURES_PER_MINUTE) : null;
    if (guess?.allowed === false) return { kind: "unauthorized", reason: "invalid_api_key", rate: guess };
    const record = await this.#read(hash);
    if (record === undefined) return { kind: "unavailable", rate: guess ?? this.#peek(countedAs) };
    // The expiry is compared with the clock, so a cached record doesn't delay it.
    if (record === null || record.revokedAt !== null || isExpired(record, now())) {
      const failed = guess ?? (await failures().consume(FAILURES_PER_MINUTE));
      if (record === null) return { kind: "unauthorized", reason: "invalid_api_key", rate: failed };
      if (record.revokedAt !== null) return { kind: "unauthorized", reason: "revoked_api_key", rate: failed };
      return { kind: "expired", expiredAt: record.expiresAt ?? now(), rate: failed };
    }
    if (guess !== null) this.ctx.waitUntil(failures().refund());
    const rate = this.#count(record, countedAs);
    const { suspended, limit: _, ...key } = record;
    if (!rate.allowed) return { kind: "refused", reason: "rate_limited", key, rate };
    if (suspended) return { kind: "refused", reason: "account_suspended", key, rate };
    if (!isAllowedAddress(address, record.allowedIps)) return { kind: "refused", reason: "ip_not_allowed", key, rate };
    this.#touch(record.id);
    return { kind: "verified", key, rate };
  }

  /**
   * Counts a request that `verify` has counted as 1 as `amount` more, and at most as the whole window. A refused
   * request still counts as 1, because its body was read. Returns null if the key is no longer cached.
   */
  countMore(amount: number): RateDecision | null {
    if (this.#cached === null) return null;
    const { record } = this.#cached;
    return this.#count(record, "request", Math.min(amount, record.limit - 1));
  }

  /**
   * Revokes the key. Returns true if the key is revoked and all later requests are refused. Returns false if the
   * database failed. In that case, it isn't known whether the key is revoked.
   */
  async revoke(hash: string, at: number, keepsJobs = false): Promise<boolean> {
    return await this.#change(hash, () => revokeKey(this.env.DB, { hash, now: at, keepsJobs }));
  }

  /** Changes the key. Returns null if no active key has this hash, or undefined if the change couldn't be confirmed. */
  async edit(hash: string, change: KeyChange, at: number): Promise<ListedKey | null | undefined> {
    let key: ListedKey | null | undefined;
    const isDone = await this.#change(hash, async () => {
      key = await changeKey(this.env.DB, { hash, change, now: at });
    });
    return isDone ? key : undefined;
  }

  /**
   * Replaces the key's secret. Returns null if no active key has this hash, or undefined if the database failed. Also
   * returns the key if only the reload failed, because the database has the new secret then. The next request reloads.
   */
  async rotate(hash: string, to: KeyRotation, at: number): Promise<ListedKey | null | undefined> {
    let key: ListedKey | null | undefined;
    await this.#change(hash, async () => {
      key = await rotateKey(this.env.DB, { from: hash, to, now: at });
    });
    return key;
  }

  /** Reloads the record after a change in D1. Returns false if that failed. The caller must then retry. */
  async refresh(hash: string): Promise<boolean> {
    return await this.#change(hash, async () => undefined);
  }

  /**
   * Stores the flag `changing`, changes the database with `write`, then reloads the record. After a crash during the
   * change, the flag makes the next request reload the record. Returns false if a step failed.
   */
  async #change(hash: string, write: () => Promise<void>): Promise<boolean> {
    return await this.#exclusively("change", async () => {
      this.#changes++;
      this.#changing = true;
      await this.ctx.storage.put("changing", true);
      await write();
      await this.#load(hash);
    });
  }

  /** Returns the key's record, null if the key doesn't exist, or undefined if the database can't be reached. */
  async #read(hash: string): Promise<VerifierRecord | null | undefined> {
    if (!this.#isUsable()) {
      // Blocks changes during the load. Otherwise, the load could overwrite the record of a change with an older one.
      const done = await this.#exclusively("load", async () => {
        if (!this.#isUsable()) await this.#load(hash);
      });
      if (!done) return undefined;
    } else if (this.#isDueForRefresh()) this.ctx.waitUntil(this.#refreshInBackground(hash));
    return this.#cached?.record ?? null;
  }

  /** Reloads the record while requests use the cached one. Discards it if the key has changed meanwhile. */
  async #refreshInBackground(hash: string): Promise<void> {
    this.#refreshAt = now() + REFRESH_RETRY_MS;
    const changes = this.#changes;
    try {
      const loadedAt = now();
      const record = await getKeyRecord(this.env, hash);
      if (changes === this.#changes) await this.#store(record, loadedAt);
    } catch (error) {
      log("warn", "key_verifier_failed", { what: "refresh", ...toLogged(error) });
    }
  }

  /**
   * Runs `work` while the object handles no other event. Returns false if `work` throws, because an error inside
   * `blockConcurrencyWhile` would reset the object.
   */
  async #exclusively(what: string, work: () => Promise<void>): Promise<boolean> {
    return await this.ctx.blockConcurrencyWhile(async () => {
      try {
        await work();
        return true;
      } catch (error) {
        log("error", "key_verifier_failed", { what, ...toLogged(error) });
        return false;
      }
    });
  }

  #isUsable(): boolean {
    return this.#cached !== null && !this.#changing && now() - this.#cached.loadedAt < RECORD_TTL_MS;
  }

  #isDueForRefresh(): boolean {
    return this.#cached !== null && now() - this.#cached.loadedAt >= REFRESH_AFTER_MS && now() >= this.#refreshAt;
  }

  async #load(hash: string): Promise<void> {
    const loadedAt = now();
    await requireSchema(this.env.DB);
    await this.#store(await getKeyRecord(this.env, hash), loadedAt);
  }

  async #store(record: VerifierRecord | null, loadedAt: number): Promise<void> {
    const wasKnown = this.#cached !== null || this.#changing;
    this.#cached = record === null ? null : { record, loadedAt };
    this.#changing = false;
    if (record !== null) {
      await this.ctx.storage.put(STORED_RECORD, this.#cached);
      await this.ctx.storage.delete("changing");
    } else if (wasKnown) await this.ctx.storage.deleteAll();
  }

  #count(record: VerifierRecord, countedAs: CountedAs, amount = 1): RateDecision {
    const name = countedAs === "poll" ? "polls" : "requests";
    const limit = countedAs === "poll" ? record.limit * POLL_FACTOR : record.limit;
    const rule = { limit, amount, lengthMs: RATE_WINDOW_MS, now: now() };
    const { window, decision } = consumeFrom(this.#windows[name], rule);
    this.#windows[name] = window;
    if (decision.allowed) this.#saveWindows();
    return decision;
  }

  /** Writes the rate windows soon. A response doesn't wait for the write, because a lost count is harmless. */
  #saveWindows(): void {
    if (this.#isSaving) return;
    this.#isSaving = true;
    setTimeout(() => {
      this.#isSaving = false;
      // Stores nothing for an unknown key.
      if (this.#cached === null) return;
      const stored: StoredWindows = { ...this.#windows, touchedAt: this.#touchedAt };
      void this.ctx.storage.put("windows", stored, { allowUnconfirmed: true });
    }, SAVE_AFTER_MS);
  }

  /** Returns the decision of the rate window without counting a request. */
  #peek(countedAs: CountedAs): RateDecision {
    const poll = countedAs === "poll";
    const limit = (this.#cached?.record.limit ?? 1) * (poll ? POLL_FACTOR : 1);
    return peekAt(this.#windows[poll ? "polls" : "requests"], { limit, lengthMs: RATE_WINDOW_MS, now: now() });
  }

  #touch(keyId: string): void {
    const at = now();
    if (at - this.#touchedAt < TOUCH_INTERVAL_MS) return;
    this.#touchedAt = at;
    this.#saveWindows();
    const message: SummaryMessage = { kind: "key_used", keyId, at };
    this.ctx.waitUntil(this.env.SUMMARIES.send(message).catch((error) => log("warn", "touch_failed", toLogged(error))));
  }
}
