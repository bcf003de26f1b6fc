import type { Mode } from "../../../model/api-key";
import type { WebhookSettings } from "../../../webhooks/settings";
import { Card, CodeBlock, CopyButton, PostButton, Time } from "../../ui/components";
import { VERIFY_IN_PYTHON, VERIFY_IN_TYPESCRIPT } from "./verification";

const SHOWN_CHARS = 4;

/** What signs the events; `settings` null: it can't be read any more. */
export function SecretCard({ mode, settings }: { mode: Mode; settings: WebhookSettings | null }) {
  return (
    <Card title={`Signing secret of ${mode} events`}>
      {settings === null ? (
        <p class="notice bad" role="alert">
          The secret can't be read: this service's ENCRYPTION_KEY was changed. Nothing is pushed until you make a new
          one.
        </p>
      ) : (
        <Secret settings={settings} />
      )}
      <Rotation mode={mode} previousEndsAt={settings?.previousSecretExpiresAt ?? null} isLost={settings === null} />
    </Card>
  );
}

/** How a receiver checks what it gets. */
export function VerificationCard() {
  return (
    <Card>
      <details>
        <summary>How to verify a signature</summary>
        <div class="disclosed">
          <p>
            <code>X-Webhook-Signature</code> is <code>sha256=</code> and the HMAC-SHA256 of the raw body in hex, with
            the secret as it stands for the key.
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

function Secret({ settings: { secret } }: { settings: WebhookSettings }) {
  const mask = `whsec_${"•".repeat(12)}${secret.slice(-SHOWN_CHARS)}`;
  return (
    <>
      <div class="secret">
        <code id="webhook-secret" data-text={secret} data-mask={mask}>
          {mask}
        </code>
        <button type="button" class="button small js" data-reveal="webhook-secret" aria-pressed="false" hidden>
          Show the secret
        </button>
        <CopyButton of="webhook-secret" />
      </div>
      <noscript>
        <details>
          <summary>Show the secret</summary>
          <div class="secret">
            <code>{secret}</code>
          </div>
        </details>
      </noscript>
    </>
  );
}

interface RotationProps {
  mode: Mode;
  /** Unix ms until which the secret before signs as well. */
  previousEndsAt: number | null;
  isLost: boolean;
}

function Rotation({ mode, previousEndsAt, isLost }: RotationProps) {
  return (
    <>
      {previousEndsAt === null ? null : (
        <p class="notice">
          The secret before the last rotation signs as well until <Time at={previousEndsAt} />, in{" "}
          <code>X-Webhook-Signature-Previous</code>.
        </p>
      )}
      <details open={isLost}>
        <summary>Rotate the secret</summary>
        <div class="disclosed">
          <p>
            A new secret signs from now on. The present one goes on signing beside it for 24 hours, in{" "}
            <code>X-Webhook-Signature-Previous</code>: give your receiver the new one within that time.
            {previousEndsAt === null
              ? null
              : " The one before that stops signing at once, unless the last rotation was less than five minutes ago."}
          </p>
          <div>
            <PostButton
              action="/dashboard/webhooks/rotate"
              label="Make a new secret"
              tone="danger"
              fields={{ mode }}
              small={false}
            />
          </div>
        </div>
      </details>
    </>
  );
}
