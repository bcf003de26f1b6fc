/**
 * A fixed rate window of an API key (`KeyVerifier`), or of a caller without one (`RateLimiter`). The first request opens it.
 * `used` counts the allowed requests.
 */
export interface RateWindow {
  openedAt: number;
  used: number;
}

export interface RateDecision {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Unix ms at which the window ends. */
  resetAt: number;
}

/** Counts one request. Opens a new window if there is none or the old one is over. A refused request extends nothing. */
export function consumeFrom(
  window: RateWindow | null,
  { limit, lengthMs, now }: { limit: number; lengthMs: number; now: number },
): { window: RateWindow; decision: RateDecision } {
  const open = isOver(window, lengthMs, now) ? { openedAt: now, used: 0 } : window;
  const allowed = open.used < limit;
  const next = allowed ? { openedAt: open.openedAt, used: open.used + 1 } : open;
  return { window: next, decision: { allowed, ...state(next, limit, lengthMs) } };
}

/** Returns the state of the window without counting. */
export function peekAt(
  window: RateWindow | null,
  { limit, lengthMs, now }: { limit: number; lengthMs: number; now: number },
): RateDecision {
  const open = isOver(window, lengthMs, now) ? { openedAt: now, used: 0 } : window;
  return { allowed: open.used < limit, ...state(open, limit, lengthMs) };
}

// A clock that was set back must not keep a window open for longer than its length.
function isOver(window: RateWindow | null, lengthMs: number, now: number): window is null {
  return window === null || now >= window.openedAt + lengthMs || now < window.openedAt - lengthMs;
}

function state(window: RateWindow, limit: number, lengthMs: number) {
  return { limit, remaining: Math.max(0, limit - window.used), resetAt: window.openedAt + lengthMs };
}
