import { v7 } from "uuid";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * If the clock is set back by more than this time, new identifiers follow it. Without this limit, they would keep a
 * time in the future.
 */
const MAX_CLOCK_LEAD_MS = 10_000;

/**
 * The time (Unix ms) and the sequence number of the newest identifier. Unlike other state, it is kept at module level,
 * because the order of identifiers concerns the whole isolate.
 */
let newest = { msecs: 0, seq: 0 };

/** Returns a new UUIDv7 (RFC 9562). Those of a millisecond have increasing numbers (section 6.2, method 1). */
export function newId(): string {
  const now = Date.now();
  const isNewTime = now > newest.msecs || now < newest.msecs - MAX_CLOCK_LEAD_MS;
  newest = isNewTime ? { msecs: now, seq: randomSequence() } : { ...newest, seq: newest.seq + 1 };
  return v7(newest);
}

/** Returns 31 random bits. The sequence number has 32 bits, so it can still increase. */
function randomSequence(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint32Array(1));
  return bits >>> 1;
}

/** Returns a prefix that separates earlier identifiers from those that are created at `ms` (Unix ms) or later. */
export function toIdStart(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** Returns true for a UUIDv7 in lower case. */
export function isId(text: string): boolean {
  return UUID_V7.test(text);
}

/** The length of an account's tag: 10 hex digits (40 bits). */
const TAG_DIGITS = 10;

/**
 * Returns a new identifier that ends with the account's tag. The tag replaces 40 random bits. 33 bits remain to
 * distinguish identifiers of the same millisecond.
 */
export function newTaggedId(tag: string): string {
  return withTag(newId(), tag);
}

/** Returns the identifier with the account's tag at its end. */
export function withTag(id: string, tag: string): string {
  return id.slice(0, -TAG_DIGITS) + tag;
}

/** Returns the identifier of something that belongs to another. It is the same for every call. */
export function toSiblingId(id: string): string {
  const digit = Number.parseInt(id[17] ?? "0", 16) ^ 8;
  return id.slice(0, 17) + digit.toString(16) + id.slice(18);
}

/** Returns the account's tag from an identifier. */
export function toTag(id: string): string {
  return id.slice(-TAG_DIGITS);
}

/** Returns a random tag. The caller must check that no other account has it. */
export function newTag(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(0, TAG_DIGITS);
}

/** Returns the time at which an identifier was created (Unix ms). */
export function toIdTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
