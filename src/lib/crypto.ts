import { type Mode, toSecret } from "../keys/api-key";

const encoder = new TextEncoder();

/** A new API key's secret. */
export function newSecret(mode: Mode): string {
  for (;;) {
    const secret = toSecret(mode, crypto.getRandomValues(new Uint8Array(64)));
    if (secret !== null) return secret;
  }
}

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** SHA-256 of the UTF-8 bytes, in hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

/** HMAC-SHA256 of the UTF-8 bytes, in hex. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return toHex(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
}

/** Compares two texts of equal length in a time that doesn't depend on where they differ. */
export function equalsInConstantTime(a: string, b: string): boolean {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);
}
