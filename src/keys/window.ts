/** A fixed window, opened by its first request. `used` counts what was let through. */
export interface Window {
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

/** Counts one request: a new window when there is none or the old one is over, and a refusal that lengthens nothing. */
export function take(
  window: Window | null,
  { limit, lengthMs, now }: { limit: number; lengthMs: number; now: number },
): { window: Window; decision: RateDecision } {
  const open = isOver(window, lengthMs, now) ? { openedAt: now, used: 0 } : window;
  const allowed = open.used < limit;
  const next = allowed ? { openedAt: open.openedAt, used: open.used + 1 } : open;
  return { window: next, decision: { allowed, ...state(next, limit, lengthMs) } };
}

/** How it stands, without counting. */
export function peek(
  window: Window | null,
  { limit, lengthMs, now }: { limit: number; lengthMs: number; now: number },
): RateDecision {
  const open = isOver(window, lengthMs, now) ? { openedAt: now, used: 0 } : window;
  return { allowed: open.used < limit, ...state(open, limit, lengthMs) };
}

// A clock that was set back must not keep a window open for longer than its length.
function isOver(window: Window | null, lengthMs: number, now: number): window is null {
  return window === null || now >= window.openedAt + lengthMs || now < window.openedAt - lengthMs;
}

function state(window: Window, limit: number, lengthMs: number) {
  return { limit, remaining: Math.max(0, limit - window.used), resetAt: window.openedAt + lengthMs };
}
