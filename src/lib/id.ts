import { v7 } from "uuid";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A time-ordered identifier (UUIDv7, RFC 9562). */
export function newId(): string {
  return v7();
}

export function isId(text: string): boolean {
  return UUID_V7.test(text);
}
