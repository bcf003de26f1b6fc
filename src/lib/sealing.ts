// Encrypts the secrets that the service stores, such as webhook secrets. During a rotation, ENCRYPTION_KEY_PREVIOUS
// contains the previous key. Values are encrypted with ENCRYPTION_KEY, and decrypted with either key.

import { fromBase64, toBase64Url } from "./crypto";
import { toText } from "./env";

const SEALED = /^v1\.([\w-]+)\.([\w-]+)$/;
const IV_BYTES = 12;
const MIN_KEY_CHARS = 16;

const encoder = new TextEncoder();

interface SealingKeys {
  ENCRYPTION_KEY: string;
  ENCRYPTION_KEY_PREVIOUS?: string;
}

/**
 * Encrypts text with AES-256-GCM. The key is derived from ENCRYPTION_KEY (HKDF-SHA256). `context` identifies the owner.
 * Decryption needs the same context, so the encrypted text can't be used in another row. Throws if the key is missing or
 * too short.
 */
export async function seal(keys: SealingKeys, text: string, context: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
  const sealed = await crypto.subtle.encrypt(algorithm, await deriveKey(keys.ENCRYPTION_KEY), encoder.encode(text));
  return `v1.${toBase64Url(iv)}.${toBase64Url(new Uint8Array(sealed))}`;
}

/** Decrypts text of `seal` with the current or previous key. Throws if the key, the context or the text differs. */
export async function unseal(keys: SealingKeys, sealed: string, context: string): Promise<string> {
  const previous = toText(keys.ENCRYPTION_KEY_PREVIOUS);
  try {
    return await unsealWith(keys.ENCRYPTION_KEY, sealed, context);
  } catch (error) {
    if (previous === null) throw error;
    return await unsealWith(previous, sealed, context);
  }
}

/** Encrypts a sealed text with the current key. Null if it already is. Throws if no key decrypts it. */
export async function reseal(keys: SealingKeys, sealed: string, context: string): Promise<string | null> {
  const isCurrent = await unsealWith(keys.ENCRYPTION_KEY, sealed, context).then(
    () => true,
    () => false,
  );
  return isCurrent ? null : await seal(keys, await unseal(keys, sealed, context), context);
}

async function unsealWith(key: string, sealed: string, context: string): Promise<string> {
  const [, iv = "", body = ""] = SEALED.exec(sealed) ?? [];
  if (iv === "") throw new Error("The value is not a sealed text.");
  const algorithm = { name: "AES-GCM", iv: fromBase64(iv), additionalData: encoder.encode(context) };
  const text = await crypto.subtle.decrypt(algorithm, await deriveKey(key), fromBase64(body));
  return new TextDecoder().decode(text);
}

async function deriveKey(text: string | undefined): Promise<CryptoKey> {
  if (text === undefined || text.length < MIN_KEY_CHARS) {
    throw new Error(`ENCRYPTION_KEY is missing or shorter than ${MIN_KEY_CHARS} characters.`);
  }
  const material = await crypto.subtle.importKey("raw", encoder.encode(text), "HKDF", false, ["deriveKey"]);
  const derivation = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode("seal v1") };
  return await crypto.subtle.deriveKey(derivation, material, { name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ]);
}
