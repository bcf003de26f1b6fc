/** Sample code that verifies the header X-Webhook-Signature. */
export const VERIFY_IN_TYPESCRIPT = `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`body\`: the raw bytes, before anything parses them. */
export function isOurs(body: Uint8Array, headers: Headers, secret: string): boolean {
  const expected = Buffer.from(\`sha256=\${createHmac("sha256", secret).update(body).digest("hex")}\`);
  return ["x-webhook-signature", "x-webhook-signature-previous"].some((name) => {
    const given = Buffer.from(headers.get(name) ?? "");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

export const VERIFY_IN_PYTHON = `import hashlib, hmac

def is_ours(body: bytes, headers, secret: str) -> bool:
    expected = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    given = (headers.get(name) or "" for name in ("X-Webhook-Signature", "X-Webhook-Signature-Previous"))
    return any(hmac.compare_digest(expected.encode(), value.encode()) for value in given)`;
