const encoder = new TextEncoder();

const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Returns the bytes in lower-case hex. */
function toHex(bytes: ArrayBuffer | Uint8Array): string {
  let hex = "";
  for (const byte of new Uint8Array(bytes)) hex += HEX_OF_BYTE[byte];
  return hex;
}

/** Returns the SHA-256 of the text's UTF-8 bytes in hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
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
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

/** Returns a new secret for signing webhooks: `whsec_` and 32 random bytes in standard base64 with padding. */
export function newWebhookSecret(): string {
  return `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;
}

const SEALED = /^v1\.([\w-]+)\.([\w-]+)$/;
const IV_BYTES = 12;
const MIN_KEY_CHARS = 16;

/**
 * Encrypts text for the database with AES-256-GCM. The key is derived from `keyText` (HKDF-SHA256). `context`
 * identifies the owner. Decryption needs the same context, so the encrypted text can't be used in another row.
 */
export async function seal(keyText: string, text: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
  const sealed = await crypto.subtle.encrypt(algorithm, await sealingKey(keyText), encoder.encode(text));
  return `v1.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
}

/**
 * Decrypts text that `seal` encrypted. Throws if the key or the context is different, or if the encrypted text was
 * changed.
 */
export async function unseal(keyText: string, sealed: string, context: string): Promise<string> {
  const [, iv = "", body = ""] = SEALED.exec(sealed) ?? [];
  if (iv === "") throw new Error("The value is not a sealed text.");
  const algorithm = { name: "AES-GCM", iv: fromBase64(iv), additionalData: encoder.encode(context) };
  const text = await crypto.subtle.decrypt(algorithm, await sealingKey(keyText), fromBase64(body));
  return new TextDecoder().decode(text);
}

async function sealingKey(keyText: string | undefined): Promise<CryptoKey> {
  if (keyText === undefined || keyText.length < MIN_KEY_CHARS) {
    throw new Error(`ENCRYPTION_KEY is missing or shorter than ${MIN_KEY_CHARS} characters.`);
  }
  const material = await crypto.subtle.importKey("raw", encoder.encode(keyText), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("seal v1") };
  return await crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Decodes standard base64 or base64url, with or without padding. Throws if the text is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/**
 * Returns true if the strings are equal. The time of the comparison depends only on their length, not on their content.
 */
export function equalsInConstantTime(a: string, b: string): boolean {
  const left = encoder.encode(a);
  const right = encoder.encode(b);
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);
}
