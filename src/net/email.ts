import { toHttpOrigin, toText } from "../lib/env";
import { lazy } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import { MAIL_TIMEOUT_MS } from "../model/limits";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Returns true when mail can be sent: MAIL_URL, MAIL_FROM and PUBLIC_URL are set. */
export function hasMail(env: Env): boolean {
  return toMailOrigin(env) !== null;
}

/**
 * Returns the origin that links in mails lead to, which is PUBLIC_URL's. Returns null when mail can't be sent. The request's
 * own origin is never used: a forged Host header would put an attacker's domain into a link that resets a password.
 */
export function toMailOrigin(env: Env): string | null {
  if (toText(env.MAIL_URL) === null || toText(env.MAIL_FROM) === null) return null;
  const origin = toHttpOrigin(env.PUBLIC_URL);
  if (origin === null) warnOnce();
  return origin;
}

/** Warns once in the life of an isolate: every page asks whether there is mail. */
const warnOnce = lazy(() =>
  log("warn", "mail_off", {
    message: "MAIL_URL and MAIL_FROM are set, but no mail is sent: PUBLIC_URL must be the service's http or https URL.",
  }),
);

/**
 * Sends one mail over HTTP, in the form of Resend's `POST /emails` (https://resend.com/docs/api-reference/emails/send-email).
 * False, and a line in the log, when the service didn't take it.
 */
export async function sendMail(env: Env, { to, subject, text }: Mail): Promise<boolean> {
  const key = toText(env.MAIL_KEY);
  try {
    const response = await fetch(env.MAIL_URL, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ from: env.MAIL_FROM, to: [to], subject, text }),
      signal: AbortSignal.timeout(MAIL_TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) log("error", "mail_refused", { status: response.status });
    return response.ok;
  } catch (error) {
    log("error", "mail_failed", toLogged(error));
    return false;
  }
}
