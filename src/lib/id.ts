import { v7 } from "uuid";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A time-ordered identifier (UUIDv7, RFC 9562). */
export function newId(): string {
  return v7();
}

/** The beginning of an id that is made at `ms` (Unix): those made earlier are less than it, those made then or later aren't. */
export function toIdStart(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export function isId(text: string): boolean {
  return UUID_V7.test(text);
}
