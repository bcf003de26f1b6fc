import { hmacHex } from "../lib/crypto";

export interface SigningSecrets {
  current: string;
  /** The one before a rotation, as long as it still signs. */
  previous: string | null;
}

/**
 * The headers by which a receiver knows that a body is ours: the HMAC-SHA256 of its raw bytes, in hex after `sha256=`, the
 * format of GitHub's `X-Hub-Signature-256`.
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
