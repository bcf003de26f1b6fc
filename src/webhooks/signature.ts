import { fromBase64, hmacBase64, hmacHex } from "../lib/crypto";
import { SECOND_MS } from "../model/limits";

export interface SigningSecrets {
  current: string;
  /** The secret before the last rotation. Null if there is none or it has expired. */
  previous: string | null;
}

/** A webhook request that is signed. */
export interface SignedRequest {
  /** The delivery's id. */
  id: string;
  body: string;
  secrets: SigningSecrets;
}

/**
 * Returns the headers with which a receiver can verify a request. `sentAt` is Unix ms.
 *
 * `X-Webhook-Signature` signs only the body. It is the HMAC-SHA256 of the raw bytes, as `sha256=` and hex digits, like
 * GitHub's header `X-Hub-Signature-256`. The `webhook-*` headers follow Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). They also sign the time,
 * so that a receiver can refuse an old request that is sent again.
 */
export async function signatureHeaders(request: SignedRequest, sentAt: number): Promise<Record<string, string>> {
  const { id, body, secrets } = request;
  const { current, previous } = secrets;
  const timestamp = String(Math.floor(sentAt / SECOND_MS));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = [current, previous].filter((secret) => secret !== null).map((secret) => signV1(content, secret));
  return {
    "X-Webhook-Signature": await signBody(body, current),
    ...(previous === null ? {} : { "X-Webhook-Signature-Previous": await signBody(body, previous) }),
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": (await Promise.all(signatures)).join(" "),
  };
}

async function signBody(body: string, secret: string): Promise<string> {
  return `sha256=${await hmacHex(secret, body)}`;
}

/** Returns a signature of Standard Webhooks. Its key is the decoded secret, without the prefix `whsec_`. */
async function signV1(content: string, secret: string): Promise<string> {
  return `v1,${await hmacBase64(fromBase64(secret.replace(/^whsec_/, "")), content)}`;
}
