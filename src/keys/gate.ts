import { DurableObject } from "cloudflare:workers";
import { Throttle } from "../lib/async";
import { now } from "../lib/clock";
import { isAllowedAddress, toCallerNetwork } from "../lib/ip-ranges";
import { lazy } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import type { KeyRecord } from "../model/api-key";
import { DAY_MS, MINUTE_MS } from "../model/limits";
import { FAILURES_PER_MINUTE, POLL_FACTOR, RATE_WINDOW_MS } from "../model/plan";
import { getKeyRecord, revokeKey, touchKey } from "../store/keys";
import type { Counts, Entrance, Passage } from "./gate-protocol";
import { peek, type RateDecision, take, type Window } from "./window";

/** How long a record stands without being read again, should every push have failed. */
const RECORD_TTL_MS = MINUTE_MS;
const TOUCH_INTERVAL_MS = MINUTE_MS;
/** The key under which an AddressGate stores how long its caller is trusted. */
const TRUSTED_UNTIL = "trustedUntil";
/** A crash forgets what was counted in this time at most. */
const KEEP_INTERVAL_MS = 250;

interface Held {
  record: KeyRecord;
  loadedAt: number;
}

interface Windows {
  requests: Window | null;
  polls: Window | null;
}

/**
 * One per key, named by the SHA-256 of its secret: its record and its rate windows, so that authentication and
 * counting are one call near the caller. Every change of the key goes through here.
 */
export class KeyGate extends DurableObject<Env> {
  #held: Held | null = null;
  /** A change has begun: what is held may be old, and is read again. Kept, so that a crash between doesn't forget. */
  #changing = false;
  #windows: Windows = { requests: null, polls: null };
  readonly #keepWindows = new Throttle(() => {
    // Not for a key that is gone meanwhile. And the answer needn't wait for the disk: a lost window is a minute's grace.
    if (this.#held !== null) void this.ctx.storage.put("windows", this.#windows, { allowUnconfirmed: true });
  }, KEEP_INTERVAL_MS);
  #touchedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      const kept = await ctx.storage.get(["held", "changing", "windows"]);
      this.#held = (kept.get("held") as Held | undefined) ?? null;
      this.#changing = kept.has("changing");
      this.#windows = (kept.get("windows") as Windows | undefined) ?? this.#windows;
    });
  }

  /** Lets a request pass or says why not, and counts it. An unknown key writes nothing. */
  async enter(hash: string, { address, counts }: Entrance): Promise<Passage> {
    // An address is read where it is needed alone: that takes longer than all else here.
    const addressGate = lazy(() => this.env.ADDRESS_GATE.getByName(toCallerNetwork(address)));
    // Nothing is known of this key: it counts as a guess until it was found, so that a guesser whose window is used up
    // doesn't reach the database, however many come at once.
    const guess = this.#held === null ? await addressGate().fail() : null;
    if (guess?.allowed === false) return { kind: "unauthorized", reason: "invalid_api_key", rate: guess };
    const record = await this.#read(hash);
    if (guess !== null && record?.revokedAt === null) this.ctx.waitUntil(addressGate().forgive());
    if (record === undefined) return { kind: "unavailable", rate: guess ?? this.#look(counts) };
    if (record === null || record.revokedAt !== null) {
      const reason = record === null ? "invalid_api_key" : "revoked_api_key";
      return { kind: "unauthorized", reason, rate: guess ?? (await addressGate().fail()) };
    }
    const rate = counts === "nothing" ? this.#look(counts) : this.#count(record, counts);
    const { suspended, limit: _, ...key } = record;
    if (counts !== "nothing" && !rate.allowed) return { kind: "refused", reason: "rate_limited", key, rate };
    if (suspended) return { kind: "refused", reason: "account_suspended", key, rate };
    if (!isAllowedAddress(address, record.allowedIps)) return { kind: "refused", reason: "ip_not_allowed", key, rate };
    this.#touch(record.id);
    return { kind: "passed", key, rate };
  }

  /** Revokes the key. From the moment that this answers true, no request passes; false: it may or may not be done. */
  async revoke(hash: string, at: number): Promise<boolean> {
    return await this.#change(hash, () => revokeKey(this.env.DB, hash, at));
  }

  /**
   * The key was made, or something about it or its account was changed elsewhere: it is read again. A key that is known
   * here is never taken for a guess. False: try again.
   */
  async refresh(hash: string): Promise<boolean> {
    return await this.#change(hash, async () => undefined);
  }

  /** First the mark, then the database, then what is held: a crash at any point leaves the mark or the truth. */
  async #change(hash: string, write: () => Promise<void>): Promise<boolean> {
    return await this.#exclusively("change", async () => {
      this.#changing = true;
      await this.ctx.storage.put("changing", true);
      await write();
      await this.#load(hash);
    });
  }

  /** The record as it is, or `undefined` when the database can't be asked. */
  async #read(hash: string): Promise<KeyRecord | null | undefined> {
    if (!this.#isFresh()) {
      // A change that comes meanwhile waits, and is not overtaken by what was read before it.
      const done = await this.#exclusively("load", async () => {
        if (!this.#isFresh()) await this.#load(hash);
      });
      if (!done) return undefined;
    }
    return this.#held?.record ?? null;
  }

  /** Nothing else runs in this object meanwhile. False when it failed: thrown in there, it would reset the object. */
  async #exclusively(what: string, work: () => Promise<void>): Promise<boolean> {
    return await this.ctx.blockConcurrencyWhile(async () => {
      try {
        await work();
        return true;
      } catch (error) {
        log("error", "gate_failed", { what, ...toLogged(error) });
        return false;
      }
    });
  }

  #isFresh(): boolean {
    return this.#held !== null && !this.#changing && now() - this.#held.loadedAt < RECORD_TTL_MS;
  }

  async #load(hash: string): Promise<void> {
    const loadedAt = now();
    const record = await getKeyRecord(this.env.DB, hash);
    const wasKnown = this.#held !== null || this.#changing;
    this.#held = record === null ? null : { record, loadedAt };
    this.#changing = false;
    if (record !== null) {
      await this.ctx.storage.put("held", this.#held);
      await this.ctx.storage.delete("changing");
    } else if (wasKnown) await this.ctx.storage.deleteAll();
  }

  #count(record: KeyRecord, counts: Exclude<Counts, "nothing">): RateDecision {
    const name = counts === "poll" ? "polls" : "requests";
    const limit = counts === "poll" ? record.limit * POLL_FACTOR : record.limit;
    const { window, decision } = take(this.#windows[name], { limit, lengthMs: RATE_WINDOW_MS, now: now() });
    this.#windows[name] = window;
    if (decision.allowed) this.#keepWindows.run();
    return decision;
  }

  /** The window as it stands, for an answer that counts nothing. */
  #look(counts: Counts): RateDecision {
    const poll = counts === "poll";
    const limit = (this.#held?.record.limit ?? 1) * (poll ? POLL_FACTOR : 1);
    return peek(this.#windows[poll ? "polls" : "requests"], { limit, lengthMs: RATE_WINDOW_MS, now: now() });
  }

  #touch(id: string): void {
    if (now() - this.#touchedAt < TOUCH_INTERVAL_MS) return;
    this.#touchedAt = now();
    this.ctx.waitUntil(
      touchKey(this.env.DB, id, this.#touchedAt).catch((error) => log("warn", "touch_failed", toLogged(error))),
    );
  }
}

/**
 * One per caller's network: counts failed authentications, so that guessing stops. Under another name, such as
 * `account:{id}`, the rate window of a caller who shows no key. The counts are in memory only, so a caller can't make us
 * store anything. Only `trust` stores something, after a user has signed in.
 */
export class AddressGate extends DurableObject<Env> {
  #window: Window | null = null;
  /** The beginning (Unix ms) of the window that the object is kept for. */
  #heldSince: number | null = null;

  /** What was counted was no failure after all. */
  forgive(): void {
    if (this.#window !== null) this.#window = { ...this.#window, used: Math.max(0, this.#window.used - 1) };
  }

  fail(): RateDecision {
    return this.take(FAILURES_PER_MINUTE);
  }

  /** Counts one request, of `limit` a minute. */
  take(limit: number): RateDecision {
    const { window, decision } = take(this.#window, { limit, lengthMs: RATE_WINDOW_MS, now: now() });
    this.#window = window;
    if (decision.remaining <= limit / 2) this.#hold(window.openedAt, decision.resetAt);
    return decision;
  }

  /** Marks the caller that the object is named after as trusted until then (Unix ms). */
  async trust(until: number): Promise<void> {
    const stored = await this.ctx.storage.get<number>(TRUSTED_UNTIL);
    // A user who signs in several times a day needs one write.
    if (stored !== undefined && stored > until - DAY_MS) return;
    await this.ctx.storage.put(TRUSTED_UNTIL, until);
    await this.ctx.storage.setAlarm(until);
  }

  /** Counts one request, of `limit` a minute. Returns null, and counts nothing, if the caller isn't trusted. */
  async takeIfTrusted(limit: number): Promise<RateDecision | null> {
    const until = await this.ctx.storage.get<number>(TRUSTED_UNTIL);
    return until !== undefined && until > now() ? this.take(limit) : null;
  }

  /** Deletes the mark of a caller whose trust has expired. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /** An object that nobody asks for ten seconds is put away, unless it waits for something: a pause is no way around a limit. */
  #hold(openedAt: number, until: number): void {
    if (this.#heldSince === openedAt) return;
    this.#heldSince = openedAt;
    setTimeout(() => {}, until - now());
  }
}
