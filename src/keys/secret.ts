import { crc32 } from "node:zlib";
import type { Mode } from "../model/api-key.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^(sk_(?:live|test)_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const RANDOM_CHARS = 32;

/** Returns the CRC-32 as six base62 digits, the most significant first. Six digits can express every CRC-32. */
function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let i = 0; i < 6; i++) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * Returns a new secret: `sk_live_` or `sk_test_`, 32 base62 characters from `random`, and a checksum of 6 characters.
 * Skips bytes of 248 and above, so that every character is equally likely. Returns null if `random` has too few usable
 * bytes.
 */
export function toSecret(mode: Mode, random: Uint8Array): string | null {
  const chars = [...random]
    .filter((byte) => byte < 248)
    .slice(0, RANDOM_CHARS)
    .map((byte) => BASE62.charAt(byte % 62));
  if (chars.length < RANDOM_CHARS) return null;
  const body = `sk_${mode}_${chars.join("")}`;
  return body + checksum(body);
}

export function newSecret(mode: Mode): string {
  for (;;) {
    const secret = toSecret(mode, crypto.getRandomValues(new Uint8Array(64)));
    if (secret !== null) return secret;
  }
}

/** Returns true for the form of a key and a correct checksum. A mistyped key is refused without a lookup. */
export function isWellFormed(secret: string): boolean {
  const match = FORM.exec(secret);
  return match?.[1] !== undefined && checksum(match[1]) === match[2];
}

/** Returns the parts of a secret that lists show, so that owners recognize their keys. */
export function toLabel(secret: string): { prefix: string; last4: string } {
  return { prefix: secret.slice(0, 12), last4: secret.slice(-4) };
}

/** The message for an unknown key and for a key of an erased account. Callers must not see a difference. */
export const INVALID_API_KEY_MESSAGE = "This API key is not valid. Check that it is complete, or create a new key.";

/** The error codes for a request with a missing, malformed or invalid API key. */
export type Unauthorized =
  | "missing_api_key"
  | "malformed_authorization"
  | "invalid_api_key"
  | "revoked_api_key"
  | "expired_api_key";

type BearerReading = { secret: string } | { refused: Unauthorized; message: string };

/** Reads `Authorization: Bearer <key>` (RFC 6750; the scheme's case doesn't matter, RFC 9110). */
export function parseBearer(header: string | undefined): BearerReading {
  if (header === undefined || header === "") {
    return {
      refused: "missing_api_key",
      message: "This request has no API key. Send it as 'Authorization: Bearer sk_live_…'.",
    };
  }
  const match = /^bearer +(\S+)$/i.exec(header.trim());
  if (match?.[1] === undefined) {
    const message = `The Authorization header must have the form 'Bearer <API_KEY>', once. ${describeForm(header.trim())}`;
    return { refused: "malformed_authorization", message: message.trim() };
  }
  if (!isWellFormed(match[1])) {
    return { refused: "invalid_api_key", message: `This API key is not valid: ${describeInvalid(match[1])}` };
  }
  return { secret: match[1] };
}

/** Returns a sentence about the mistake in a malformed header, or an empty string. Never repeats the key. */
function describeForm(header: string): string {
  if (/^bearer$/i.test(header)) return "There is no API key after 'Bearer'.";
  if (/^sk_(?:live|test)_\S*$/.test(header)) return "Add 'Bearer ' before the API key.";
  const [, scheme] = /^(basic|digest|token|apikey|api-key) /i.exec(header) ?? [];
  return scheme === undefined ? "" : `The scheme '${scheme}' is not supported.`;
}

function describeInvalid(secret: string): string {
  if (/^sk_(?:live|test)_/.test(secret)) return "it is mistyped or incomplete.";
  const isPlaceholder = /^(?:[$<{%[]|your|key$|api|token|x+$|\*+$|undefined$|null$|none$)/i.test(secret);
  const start = "API keys begin with sk_live_ or sk_test_.";
  return isPlaceholder
    ? `it is a placeholder, or a variable that wasn't replaced. ${start}`
    : `it has the wrong form. ${start}`;
}
