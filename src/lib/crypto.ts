const encoder = new TextEncoder();

/** Returns the bytes in lower-case hex. */
function toHex(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("hex");
}

/** Returns the SHA-256 of the bytes, or of the text's UTF-8 bytes, in hex. */
export async function sha256Hex(data: string | Uint8Array): Promise<string> {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  return toHex(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
}

/** Returns the HMAC-SHA256 of the text's UTF-8 bytes in hex. */
export async function hmacHex(secret: string, text: string): Promise<string> {
  // A secret of the Worker may be missing. Without this check, anyone could forge the signature.
  if (!secret) throw new Error("The secret for a signature is missing. GET /health/ready lists the missing secrets.");
  return toHex(await hmac(encoder.encode(secret), text));
}

/** Returns the HMAC-SHA256 of the text's UTF-8 bytes in standard base64 with padding. */
export async function hmacBase64(secret: Uint8Array, text: string): Promise<string> {
  return toBase64(new Uint8Array(await hmac(secret, text)));
}

async function hmac(secret: Uint8Array, text: string): Promise<ArrayBuffer> {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return await crypto.subtle.sign("HMAC", key, encoder.encode(text));
}

/** Returns a random nonce: 16 bytes, hex. */
export function newNonce(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

/** Returns a new secret for signing webhooks: `whsec_` and 32 random bytes in standard base64 with padding. */
export function newWebhookSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Encodes bytes as base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** Decodes standard base64 or base64url, with or without padding. Throws if the text is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Returns true if the strings are equal. The time depends only on their length, not on their content. */
export function equalsInConstantTime(a: string, b: string): boolean {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);
}
