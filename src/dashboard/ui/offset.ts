import type { Context } from "hono";
import type { DashboardEnv } from "./env";

/** Deeper into a list nobody reads on by pages, and each page would have to count off all before it. */
export const MAX_OFFSET = 10_000;

/** Where the page of a list begins, from the address; what isn't a number begins at the beginning. */
export function readOffset(c: Context<DashboardEnv>): number {
  const offset = c.req.query("offset") ?? "";
  return /^\d{1,6}$/.test(offset) ? Math.min(Number(offset), MAX_OFFSET) : 0;
}
