import { Card, CodeBlock } from "../../ui/components";

/** Sample code that verifies a signature. docs/api/webhooks.md contains the same code. */
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

/** The instructions to verify a signature, with sample code. */
export function VerificationCard() {
  return (
    <Card>
      <details>
        <summary>Verify signatures</summary>
        <div class="disclosed">
          <p>
            <code>X-Webhook-Signature</code> is <code>sha256=</code> followed by the HMAC-SHA256 of the raw body in hex.
            The key of the HMAC is the signing secret.
          </p>
          <p>
            Libraries of Standard Webhooks can also verify each event. They use the headers <code>webhook-id</code>,{" "}
            <code>webhook-timestamp</code> and <code>webhook-signature</code>.
          </p>
          <h3>TypeScript</h3>
          <CodeBlock id="verify-ts" label="Verification in TypeScript">
            {VERIFY_IN_TYPESCRIPT}
          </CodeBlock>
          <h3>Python</h3>
          <CodeBlock id="verify-py" label="Verification in Python">
            {VERIFY_IN_PYTHON}
          </CodeBlock>
        </div>
      </details>
    </Card>
  );
}
