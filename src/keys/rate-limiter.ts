import { DurableObject } from "cloudflare:workers";
import { now } from "../lib/clock";
import { DAY_MS } from "../model/limits";
import { RATE_WINDOW_MS } from "../model/plan";
import { consumeFrom, type RateDecision, type RateWindow } from "./rate-window";

/** The storage key of a time (Unix ms). The caller is trusted until this time. */
const TRUSTED_UNTIL = "trustedUntil";

/**
 * Counts requests without an API key in fixed windows. (`KeyVerifier` counts requests with a key.) An object named
 * after a network limits the failed authentications of that network. Other names limit other actions: `account:{id}`
 * limits the requests of the account's dashboard. Counts are kept only in memory, so that strangers can't cause writes.
 * Only `trust` writes to storage, after a user has signed in.
 */
export class RateLimiter extends DurableObject<Env> {
  #window: RateWindow | null = null;
  /** The start (Unix ms) of the window that `#keepAlive` was last called for. */
  #keptAliveFor: number | null = null;

  /** Subtracts one request from the count. */
  refund(): void {
    if (this.#window !== null) this.#window = { ...this.#window, used: Math.max(0, this.#window.used - 1) };
  }

  /** Counts one request as `amount`. `limit` is the number of requests per minute. */
  consume(limit: number, amount = 1): RateDecision {
    const { window, decision } = consumeFrom(this.#window, { limit, amount, lengthMs: RATE_WINDOW_MS, now: now() });
    this.#window = window;
    if (decision.remaining <= limit / 2) this.#keepAlive(window.openedAt, decision.resetAt);
    return decision;
  }

  /** Trusts the caller until `until` (Unix ms). The caller is identified by the object's name. */
  async trust(until: number): Promise<void> {
    const stored = await this.ctx.storage.get<number>(TRUSTED_UNTIL);
    // Writes at most once a day, even if the user signs in more often.
    if (stored !== undefined && stored > until - DAY_MS) return;
    await this.ctx.storage.put(TRUSTED_UNTIL, until);
    await this.ctx.storage.setAlarm(until);
  }

  /** Counts one request, as `consume` does. Returns null without counting if the caller isn't trusted. */
  async consumeIfTrusted(limit: number): Promise<RateDecision | null> {
    const until = await this.ctx.storage.get<number>(TRUSTED_UNTIL);
    return until !== undefined && until > now() ? this.consume(limit) : null;
  }

  /** Runs when the caller is no longer trusted. Deletes TRUSTED_UNTIL, the only stored value. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  /**
   * Keeps the object in memory until the window ends. Otherwise, the platform evicts an idle object after about ten
   * seconds, and a caller could reset the count by waiting that long.
   */
  #keepAlive(openedAt: number, until: number): void {
    if (this.#keptAliveFor === openedAt) return;
    this.#keptAliveFor = openedAt;
    setTimeout(() => {}, until - now());
  }
}
