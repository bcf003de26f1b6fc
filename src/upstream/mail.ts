import { log, toLogged } from "../lib/log";
import { toText } from "../lib/variables";
import { MAIL_TIMEOUT_MS } from "../limits";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Whether mail can be sent at all: MAIL_URL and MAIL_FROM are set. */
export function hasMail(env: Env): boolean {
  return toText(env.MAIL_URL) !== null && toText(env.MAIL_FROM) !== null;
}

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
