import type { Mode } from "../../../model/api-key";
import { MAX_URL_CHARS } from "../../../model/limits";
import type { WebhookConfig } from "../../../webhooks/settings";
import { Card, CodeBlock, CopyButton, PostButton, SubmitButton, Time } from "../../ui/components";
import { FormErrorNotice, type FormErrors, TextField } from "../../ui/form";
import { Permitted, PostForm } from "../../ui/post-form";

const SHOWN_SECRET_CHARS = 4;

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

interface ReceiverCardProps {
  mode: Mode;
  /** The webhook URL, or null if it isn't set. */
  url: string | null;
  /** True if the URL of a local receiver may use http. */
  allowsHttp: boolean;
  /** The submitted URL in a form with errors. */
  draft?: string | undefined;
  errors?: FormErrors | undefined;
}

/** The form that sets the mode's webhook URL, and the buttons that test and remove it. */
export function ReceiverCard({ mode, url, allowsHttp, draft, errors }: ReceiverCardProps) {
  return (
    <Card title={`Webhook URL for ${mode} jobs`}>
      <PostForm action="/dashboard/webhooks" class="fields">
        <FormErrorNotice errors={errors} />
        <input type="hidden" name="mode" value={mode} />
        <TextField
          name="url"
          label="Webhook URL"
          type="url"
          inputmode="url"
          hint={`The service sends the result of each asynchronous ${mode} job to this URL by POST, unless the request has a webhook_url. The URL must be public and begin with https://.${allowsHttp ? " A host in ALLOWED_PRIVATE_HOSTS may also use http://." : ""}`}
          value={draft ?? url ?? ""}
          placeholder="https://example.org/hooks/extraction"
          required
          maxlength={MAX_URL_CHARS}
          autocomplete="off"
          errors={errors}
        />
        <SubmitButton label="Save" />
      </PostForm>
      {url === null ? (
        <p class="muted">No webhook URL is set. Events are sent only for requests that have a webhook_url.</p>
      ) : (
        <div class="row">
          <Permitted action="/dashboard/webhooks" otherwise={<code class="breakable">{url}</code>} />
          <PostButton action="/dashboard/webhooks/test" label="Send test event" fields={{ mode }} />
          <PostButton action="/dashboard/webhooks/remove" label="Remove webhook URL" tone="danger" fields={{ mode }} />
        </div>
      )}
    </Card>
  );
}

interface SecretCardProps {
  mode: Mode;
  /** Null if the secret can't be decrypted. */
  settings: WebhookConfig | null;
  /** The path of the form that rotates the secret. */
  action: string;
  title: string;
}

/** The signing secret of an endpoint. */
export function SecretCard({ mode, settings, action, title }: SecretCardProps) {
  return (
    <Card title={title}>
      {settings === null ? (
        <p class="notice bad" role="alert">
          The secret can't be decrypted, because this service's ENCRYPTION_KEY was changed. No events are sent until you
          rotate the secret.
        </p>
      ) : (
        <Secret settings={settings} />
      )}
      <Rotation
        mode={mode}
        action={action}
        previousEndsAt={settings?.previousSecretExpiresAt ?? null}
        isUnreadable={settings === null}
      />
    </Card>
  );
}

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

function Secret({ settings: { secret } }: { settings: WebhookConfig }) {
  const mask = `whsec_${"•".repeat(12)}${secret.slice(-SHOWN_SECRET_CHARS)}`;
  return (
    <>
      <div class="secret">
        <code id="webhook-secret" data-text={secret} data-mask={mask}>
          {mask}
        </code>
        <button type="button" class="button small js" data-reveal="webhook-secret" aria-pressed="false" hidden>
          Show secret
        </button>
        <CopyButton of="webhook-secret" />
      </div>
      <noscript>
        <details>
          <summary>Show secret</summary>
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
  action: string;
  /** Unix ms until which events also have a signature with the previous secret. Null if there is no previous secret. */
  previousEndsAt: number | null;
  /** True if the secret can't be decrypted. */
  isUnreadable: boolean;
}

function Rotation({ mode, action, previousEndsAt, isUnreadable }: RotationProps) {
  return (
    <>
      {previousEndsAt === null ? null : (
        <p class="notice">
          Until <Time at={previousEndsAt} />, events also have a signature with the previous secret in{" "}
          <code>X-Webhook-Signature-Previous</code>.
        </p>
      )}
      <details open={isUnreadable}>
        <summary>Rotate secret</summary>
        <div class="disclosed">
          {isUnreadable ? (
            <p>Rotating creates a new secret. Copy it to your receiver.</p>
          ) : (
            <p>
              Rotating creates a new secret. For 24 hours, <code>X-Webhook-Signature-Previous</code> contains a
              signature with the current secret. Copy the new secret to your receiver within that time.
              {previousEndsAt === null
                ? null
                : " Events are no longer signed with the previous secret. If the last rotation was less than five minutes ago, events remain signed with the previous secret, and the current secret is discarded."}
            </p>
          )}
          <div>
            <PostButton action={action} label="Rotate secret" tone="danger" fields={{ mode }} small={false} />
          </div>
        </div>
      </details>
    </>
  );
}
