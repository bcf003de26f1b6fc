import { now } from "./clock";

/** A time limit for several steps. `usedMs` is the time that earlier steps have used. */
export interface TimeLimit {
  ms: number;
  usedMs: number;
}

/** Returns the remaining milliseconds of the limit, or 0. */
export function remainingMs({ ms, usedMs }: TimeLimit): number {
  return Math.max(0, ms - usedMs);
}

/** Returns the limit with the time that a step has used since `startedAt` (Unix ms), or null without a limit. */
export function withUsed(limit: TimeLimit | null, startedAt: number): TimeLimit | null {
  return limit === null ? null : { ms: limit.ms, usedMs: limit.usedMs + now() - startedAt };
}

/** Returns a duration for a message, such as `30 seconds` or `1.5 seconds`. */
export function formatSeconds(ms: number): string {
  const seconds = Math.round(ms / 100) / 10;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
