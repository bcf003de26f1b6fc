/**
 * When a station that serves one at a time, first come first served, is done with whoever comes now: it begins at once, or
 * when it has served the others. The answer is when it is free again.
 */
export function takeTurn(freeAt: number, now: number, ms: number): number {
  return Math.max(freeAt, now) + ms;
}
