import { DurableObject } from "cloudflare:workers";
import { Throttle } from "../lib/async";
import { now } from "../lib/clock";
import { isAllowedAddress, toCallerNetwork } from "../lib/ip-ranges";
import { lazy } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import type { ApiKey, VerifierRecord } from "../model/api-key";
import { DAY_MS, MINUTE_MS } from "../model/limits";
import { FAILURES_PER_MINUTE, POLL_FACTOR, RATE_WINDOW_MS } from "../model/plan";
import type { SummaryMessage } from "../model/summary";
import { getKeyRecord, revokeKey } from "../store/keys";
import { requireSchema } from "../store/schema-version";
import { consumeFrom, peekAt, type RateDecision, type RateWindow } from "./rate-window";

/** An older record is read again in the background, in case its invalidation got lost. */
const REFRESH_AFTER_MS = 10 * MINUTE_MS;
/** An older record isn't served, even while the database can't be reached. */
const RECORD_TTL_MS = DAY_MS;
/** A failed refresh is tried again after this time. */
const REFRESH_RETRY_MS = MINUTE_MS;
/** The directory learns when a key was used: at the first use, and then at most this often. */
const TOUCH_INTERVAL_MS = 15 * MINUTE_MS;
/** The storage key of the cached record. Objects of earlier versions have their record under this name. */
const STORED_RECORD = "held";
/** A crash loses the counts of at most this time. */
const SAVE_INTERVAL_MS = 250;

interface CachedRecord {
  record: VerifierRecord;
  loadedAt: number;
}

interface RateWindows {
  requests: RateWindow | null;
  polls: RateWindow | null;
}

/** What is stored next to the record. Objects of earlier versions have no `touchedAt`. */
interface StoredWindows extends RateWindows {
  touchedAt?: number;
}

/** The window that a request counts in. Reading a single job has its own; a request that only presents its key counts in none. */
export type CountedAs = "request" | "poll" | "nothing";

export interface VerifyInput {
  /** The caller's IP address, or null if it isn't known. */
  address: string | null;
  countedAs: CountedAs;
}

/** The result of a verification. It has plain values only, since class identity is lost over RPC. */
export type VerifyResult =
  | { kind: "verified"; key: ApiKey; rate: RateDecision }
  | {
      kind: "refused";
      reason: "rate_limited" | "account_suspended" | "ip_not_allowed";
      key: ApiKey;
      rate: RateDecision;
    }
  /** There is no valid key. `rate` is the window of the caller's network. */
  | { kind: "unauthorized"; reason: "invalid_api_key" | "revoked_api_key"; rate: RateDecision }
  /** The key's record had to be read from the database, and couldn't be. */
  | { kind: "unavailable"; rate: RateDecision };

/**
 * Verifies one API key. There is one object per key, named after the SHA-256 of the key's secret. It has the key's record
 * and rate windows, so that authentication and counting are one call near the caller. Every change of a key goes through it.
 */
export class KeyVerifier extends DurableObject<Env> {
  #cached: CachedRecord | null = null;
  /** True while a change is in progress: the cached record may be stale. Stored, so that a crash doesn't lose it. */
  #changing = false;
  #windows: RateWindows = { requests: null, polls: null };
  readonly #saveWindows = new Throttle(() => {
    // A deleted key stores nothing. The response doesn't wait for the write, since a lost window does little harm.
    if (this.#cached === null) return;
    const stored: StoredWindows = { ...this.#windows, touchedAt: this.#touchedAt };
    void this.ctx.storage.put("windows", stored, { allowUnconfirmed: true });
  }, SAVE_INTERVAL_MS);
  /** When the directory was last told that the key is in use (Unix ms). */
  #touchedAt = 0;
  /** Counts the changes of the record, so that a refresh that began before one doesn't undo it. */
  #changes = 0;
  /** Unix ms before which no refresh begins. */
  #refreshAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      const kept = await ctx.storage.get([STORED_RECORD, "changing", "windows"]);
      this.#cached = (kept.get(STORED_RECORD) as CachedRecord | undefined) ?? null;
      this.#changing = kept.has("changing");
      const stored: StoredWindows = (kept.get("windows") as StoredWindows | undefined) ?? this.#windows;
      this.#windows = { requests: stored.requests, polls: stored.polls };
      this.#touchedAt = stored.touchedAt ?? 0;
    });
  }

  /** Verifies the key for a request and counts the request. An unknown key writes nothing to storage. */
  async verify(hash: string, { address, countedAs }: VerifyInput): Promise<VerifyResult> {
    // Parsing the address takes longer than the rest of this method, so it happens only when needed.
    const failures = lazy(() => this.env.RATE_LIMITER.getByName(toCallerNetwork(address)));
    // An unknown key counts as a failure until it is found. A caller whose window is used up therefore never reaches the
    // database, however many requests come at once.
    const guess = this.#cached === null ? await failures().consume(FAILURES_PER_MINUTE) : null;
    if (guess?.allowed === false) return { kind: "unauthorized", reason: "invalid_api_key", rate: guess };
    const record = await this.#read(hash);
    if (guess !== null && record?.revokedAt === null) this.ctx.waitUntil(failures().refund());
    if (record === undefined) return { kind: "unavailable", rate: guess ?? this.#peek(countedAs) };
    if (record === null || record.revokedAt !== null) {
      const reason = record === null ? "invalid_api_key" : "revoked_api_key";
      return { kind: "unauthorized", reason, rate: guess ?? (await failures().consume(FAILURES_PER_MINUTE)) };
    }
    const rate = countedAs === "nothing" ? this.#peek(countedAs) : this.#count(record, countedAs);
    const { suspended, limit: _, ...key } = record;
    if (countedAs !== "nothing" && !rate.allowed) return { kind: "refused", reason: "rate_limited", key, rate };
    if (suspended) return { kind: "refused", reason: "account_suspended", key, rate };
    if (!isAllowedAddress(address, record.allowedIps)) return { kind: "refused", reason: "ip_not_allowed", key, rate };
    this.#touch(record.id);
    return { kind: "verified", key, rate };
  }

  /** Revokes the key. Once it returns true, no request is verified. False means that the key may or may not be revoked. */
  async revoke(hash: string, at: number): Promise<boolean> {
    return await this.#change(hash, () => revokeKey(this.env.DB, hash, at));
  }

  /**
   * Reads the record again, after the key was created or after it or its account was changed elsewhere. A key that is known
   * here never counts as a failure. Returns false if it must be tried again.
   */
  async refresh(hash: string): Promise<boolean> {
    return await this.#change(hash, async () => undefined);
  }

  /** Stores a mark, writes the database, then loads the record. A crash in between leaves the mark. */
  async #change(hash: string, write: () => Promise<void>): Promise<boolean> {
    return await this.#exclusively("change", async () => {
      this.#changes++;
      this.#changing = true;
      await this.ctx.storage.put("changing", true);
      await write();
      await this.#load(hash);
    });
  }

  /** Returns the record, null if there is none, or undefined if the database can't be reached. */
  async #read(hash: string): Promise<VerifierRecord | null | undefined> {
    if (!this.#isUsable()) {
      // A change that arrives meanwhile waits, so that it isn't overwritten by the older record.
      const done = await this.#exclusively("load", async () => {
        if (!this.#isUsable()) await this.#load(hash);
      });
      if (!done) return undefined;
    } else if (this.#isDueForRefresh()) this.ctx.waitUntil(this.#refreshInBackground(hash));
    return this.#cached?.record ?? null;
  }

  /** Reads the record again while requests go on with the old one. A change that comes in between wins. */
  async #refreshInBackground(hash: string): Promise<void> {
    this.#refreshAt = now() + REFRESH_RETRY_MS;
    const changes = this.#changes;
    try {
      const loadedAt = now();
      const record = await getKeyRecord(this.env.DB, hash);
      if (changes === this.#changes) await this.#store(record, loadedAt);
    } catch (error) {
      log("warn", "key_verifier_failed", { what: "refresh", ...toLogged(error) });
    }
  }

  /** Runs `work` while nothing else runs in this object. Returns false if it failed: an error would reset the object. */
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
    await this.#store(await getKeyRecord(this.env.DB, hash), loadedAt);
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

  #count(record: VerifierRecord, countedAs: Exclude<CountedAs, "nothing">): RateDecision {
    const name = countedAs === "poll" ? "polls" : "requests";
    const limit = countedAs === "poll" ? record.limit * POLL_FACTOR : record.limit;
    const { window, decision } = consumeFrom(this.#windows[name], { limit, lengthMs: RATE_WINDOW_MS, now: now() });
    this.#windows[name] = window;
    if (decision.allowed) this.#saveWindows.run();
    return decision;
  }

  /** Returns the state of the window without counting. */
  #peek(countedAs: CountedAs): RateDecision {
    const poll = countedAs === "poll";
    const limit = (this.#cached?.record.limit ?? 1) * (poll ? POLL_FACTOR : 1);
    return peekAt(this.#windows[poll ? "polls" : "requests"], { limit, lengthMs: RATE_WINDOW_MS, now: now() });
  }

  #touch(keyId: string): void {
    const at = now();
    if (at - this.#touchedAt < TOUCH_INTERVAL_MS) return;
    this.#touchedAt = at;
    this.#saveWindows.run();
    const message: SummaryMessage = { kind: "key_used", keyId, at };
    this.ctx.waitUntil(this.env.SUMMARIES.send(message).catch((error) => log("warn", "touch_failed", toLogged(error))));
  }
}
