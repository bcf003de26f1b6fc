/** A fixed rate window, which the first request opens: for API keys, or for the callers of `RateLimiter`. */
export interface RateWindow {
  /** The time of the first request (Unix ms). */
  openedAt: number;
  /** The number of allowed requests. Refused requests aren't counted. */
  used: number;
}

export interface RateDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The time at which the window ends (Unix ms). */
  resetAt: number;
}

/** Counts a request as `amount` requests, at most `limit`. Opens a window if necessary. Refused requests don't count. */
export function consumeFrom(
  window: RateWindow | null,
  { limit, amount = 1, lengthMs, now }: { limit: number; amount?: number; lengthMs: number; now: number },
): { window: RateWindow; decision: RateDecision } {
  const open = isOver(window, lengthMs, now) ? { openedAt: now, used: 0 } : window;
  const used = open.used + Math.min(amount, limit);
  const allowed = used <= limit;
  const next = allowed ? { openedAt: open.openedAt, used } : open;
  return { window: next, decision: { allowed, ...state(next, limit, lengthMs) } };
}

/** Returns the decision for the next request without counting one. */
export function peekAt(
  window: RateWindow | null,
  { limit, lengthMs, now }: { limit: number; lengthMs: number; now: number },
): RateDecision {
  const open = isOver(window, lengthMs, now) ? { openedAt: now, used: 0 } : window;
  return { allowed: open.used < limit, ...state(open, limit, lengthMs) };
}

// The second comparison ends a window whose start is in the future. This happens if the clock was set back.
function isOver(window: RateWindow | null, lengthMs: number, now: number): window is null {
  return window === null || now >= window.openedAt + lengthMs || now < window.openedAt - lengthMs;
}

function state(window: RateWindow, limit: number, lengthMs: number) {
  return { limit, remaining: Math.max(0, limit - window.used), resetAt: window.openedAt + lengthMs };
}
