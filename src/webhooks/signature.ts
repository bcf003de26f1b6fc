import { hmacHex } from "../lib/crypto";

export interface SigningSecrets {
  current: string;
  /** The secret before the last rotation. Null if there is none or it has expired. */
  previous: string | null;
}

/**
 * Returns the signature headers, with which a receiver can verify the body. A signature is the HMAC-SHA256 of the raw
 * bytes, as `sha256=` and hex digits. GitHub's header `X-Hub-Signature-256` has the same format.
 */
export async function signatureHeaders(body: string, secrets: SigningSecrets): Promise<Record<string, string>> {
  return {
    "X-Webhook-Signature": await sign(body, secrets.current),
    ...(secrets.previous === null ? {} : { "X-Webhook-Signature-Previous": await sign(body, secrets.previous) }),
  };
}

async function sign(body: string, secret: string): Promise<string> {
  return `sha256=${await hmacHex(secret, body)}`;
}
