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

/** Returns true if MAIL_URL, MAIL_FROM and PUBLIC_URL are set, so that email can be sent. */
export function canSendEmail(env: Env): boolean {
  return toEmailOrigin(env) !== null;
}

/**
 * Returns the origin for links in emails: the origin of PUBLIC_URL. Returns null if email can't be sent. The request's
 * origin isn't used, because it comes from the Host header. An attacker could forge the header to put another domain
 * into a password reset link.
 */
export function toEmailOrigin(env: Env): string | null {
  if (toText(env.MAIL_URL) === null || toText(env.MAIL_FROM) === null) return null;
  const origin = toHttpOrigin(env.PUBLIC_URL);
  if (origin === null) warnOnce();
  return origin;
}

/** Logs the warning once per isolate, because every page calls `canSendEmail`. */
const warnOnce = lazy(() =>
  log("warn", "mail_off", {
    message:
      "MAIL_URL and MAIL_FROM are set, but no email is sent: PUBLIC_URL must be the service's http or https URL.",
  }),
);

/**
 * Sends one email through an HTTP API in the format of Resend
 * (https://resend.com/docs/api-reference/emails/send-email). Returns false and logs the error if the API didn't accept
 * the email.
 */
export async function sendEmail(env: Env, { to, subject, text }: Email): Promise<boolean> {
  const key = toText(env.MAIL_KEY);
  try {
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
    if (!response.ok) log("error", "mail_refused", { status: response.status });
    return response.ok;
  } catch (error) {
    log("error", "mail_failed", toLogged(error));
    return false;
  }
}
