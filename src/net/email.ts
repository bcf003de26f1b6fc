import { withTimeout } from "../lib/async";
import { toHttpOrigin, toText } from "../lib/env";
import { lazy } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import { MAIL_TIMEOUT_MS } from "../model/limits";
import { outboundFetch } from "./outbound-fetch";
import { refusePlatformAnswer } from "./platform-answer";

interface Email {
  to: string;
  subject: string;
  text: string;
}

/** Returns true if a sender (MAIL_URL or the binding EMAIL), MAIL_FROM and PUBLIC_URL are set, so that email can be sent. */
export function canSendEmail(env: Env): boolean {
  return toEmailOrigin(env) !== null;
}

/**
 * Returns the origin for links in emails: the origin of PUBLIC_URL. Returns null if email can't be sent. The request's
 * origin isn't used, because it comes from the Host header. An attacker could forge the header to put another domain
 * into a password reset link.
 */
export function toEmailOrigin(env: Env): string | null {
  if ((toText(env.MAIL_URL) === null && env.EMAIL === undefined) || toText(env.MAIL_FROM) === null) return null;
  const origin = toHttpOrigin(env.PUBLIC_URL);
  if (origin === null) warnOnce();
  return origin;
}

/** Logs the warning once per isolate, because every page calls `canSendEmail`. */
const warnOnce = lazy(() =>
  log("warn", "mail_off", {
    message:
      "A sender and MAIL_FROM are set, but no email is sent: PUBLIC_URL must be the service's http or https URL.",
  }),
);

/**
 * Sends one email with MAIL_URL or, if it isn't set, with Cloudflare's Email Service. Returns false and logs the error if
 * the email wasn't accepted.
 */
export async function sendEmail(env: Env, email: Email): Promise<boolean> {
  try {
    const refusal = await (toText(env.MAIL_URL) === null ? sendWithBinding : postEmail)(env, email);
    if (refusal !== null) log("error", "mail_refused", refusal);
    return refusal === null;
  } catch (error) {
    log("error", "mail_failed", toLogged(error));
    return false;
  }
}

/**
 * Posts the email to an HTTP API in the format of Resend (https://resend.com/docs/api-reference/emails/send-email).
 * Returns the status of a refusal, or null.
 */
async function postEmail(env: Env, { to, subject, text }: Email): Promise<{ status: number } | null> {
  const key = toText(env.MAIL_KEY);
  const answer = await outboundFetch(env.MAIL_URL, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ from: env.MAIL_FROM, to: [to], subject, text }),
    signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
  });
  const response = await refusePlatformAnswer(answer, new URL(env.MAIL_URL).host);
  await response.body?.cancel();
  return response.ok ? null : { status: response.status };
}

/**
 * Sends the email with Cloudflare's Email Service. Returns the code of a refusal, or null. All of its codes begin with
 * `E_`, such as E_SENDER_NOT_VERIFIED (https://developers.cloudflare.com/email-service/api/send-emails/workers-api/).
 * The message of a refusal isn't logged, because it can contain the recipient.
 */
async function sendWithBinding(env: Env, email: Email): Promise<{ code: string } | null> {
  if (env.EMAIL === undefined) throw new Error("MAIL_URL isn't set, and the binding EMAIL doesn't exist.");
  try {
    await withTimeout(MAIL_TIMEOUT_MS, env.EMAIL.send({ ...email, from: toSender(env.MAIL_FROM) }));
    return null;
  } catch (error) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : null;
    if (typeof code === "string" && code.startsWith("E_")) return { code };
    throw error;
  }
}

/** Splits a sender such as `Extraction <mail@example.com>`, because the binding takes the name separately. */
function toSender(text: string): string | { name: string; email: string } {
  const sender = text.trim();
  const start = sender.lastIndexOf("<");
  if (start < 1 || !sender.endsWith(">")) return sender;
  const name = sender.slice(0, start).trim();
  return { name: name.replace(/^"(.*)"$/, "$1"), email: sender.slice(start + 1, -1) };
}
