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

/** The length of an account's tag in hex digits: 40 bits. */
const TAG_DIGITS = 10;

/**
 * Returns a new identifier that ends with the account's tag. 34 of its bits still tell apart the identifiers that an account
 * makes within one millisecond.
 */
export function newTaggedId(tag: string): string {
  return newId().slice(0, -TAG_DIGITS) + tag;
}

/** Returns the tag of the account that an identifier belongs to. */
export function toTag(id: string): string {
  return id.slice(-TAG_DIGITS);
}

/** Returns a random tag. Whether it is free is up to the directory. */
export function newTag(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TAG_DIGITS / 2));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the time (Unix ms) at which an identifier was made. */
export function toIdTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
