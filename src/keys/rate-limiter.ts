import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { DAY_MS } from "../model/limits";
import { RATE_WINDOW_MS } from "../model/plan";
import { consumeFrom, type RateDecision, type RateWindow } from "./rate-window";

/** The storage key of the time until which a caller is trusted. */
const TRUSTED_UNTIL = "trustedUntil";

/**
 * Counts the requests of callers without an API key in fixed windows. `KeyVerifier` counts those with a key. One object per
 * caller's network limits failed authentications. An object with another name, such as `account:{id}`, limits the requests of
 * that account's dashboard. The counts are in memory only, so that a caller can't make us store anything. Only `trust` writes
 * to storage, after a user has signed in.
 */
export class RateLimiter extends DurableObject<Env> {
  #window: RateWindow | null = null;
  /** The start (Unix ms) of the window for which the object is kept in memory. */
  #keptAliveFor: number | null = null;

  /** Takes back one request that should not have been counted. */
  refund(): void {
    if (this.#window !== null) this.#window = { ...this.#window, used: Math.max(0, this.#window.used - 1) };
  }

  /** Counts one request against `limit` requests a minute. */
  consume(limit: number): RateDecision {
    const { window, decision } = consumeFrom(this.#window, { limit, lengthMs: RATE_WINDOW_MS, now: now() });
    this.#window = window;
    if (decision.remaining <= limit / 2) this.#keepAlive(window.openedAt, decision.resetAt);
    return decision;
  }

  /** Marks the caller that the object is named after as trusted until `until` (Unix ms). */
  async trust(until: number): Promise<void> {
    const stored = await this.ctx.storage.get<number>(TRUSTED_UNTIL);
    // A user who signs in several times a day needs one write.
    if (stored !== undefined && stored > until - DAY_MS) return;
    await this.ctx.storage.put(TRUSTED_UNTIL, until);
    await this.ctx.storage.setAlarm(until);
  }

  /** Counts one request against `limit` a minute. Returns null, and counts nothing, if the caller isn't trusted. */
  async consumeIfTrusted(limit: number): Promise<RateDecision | null> {
    const until = await this.ctx.storage.get<number>(TRUSTED_UNTIL);
    return until !== undefined && until > now() ? this.consume(limit) : null;
  }

  /** Deletes the mark of a caller whose trust has expired. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /**
   * Keeps the object in memory until the window ends. The platform evicts an idle object after about ten seconds, and a pause
   * must be no way around a limit.
   */
  #keepAlive(openedAt: number, until: number): void {
    if (this.#keptAliveFor === openedAt) return;
    this.#keptAliveFor = openedAt;
    setTimeout(() => {}, until - now());
  }
}
