import { v7 } from "uuid";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns a new time-ordered identifier (UUIDv7, RFC 9562). */
export function newId(): string {
  return v7();
}

/** Returns the prefix of ids made at `ms` (Unix). Ids made earlier sort before it, and all others don't. */
export function toIdStart(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Returns true for a UUIDv7 in lower case. */
export function isId(text: string): boolean {
  return UUID_V7.test(text);
}
