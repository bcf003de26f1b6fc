import { log } from "../../lib/log";
import { sendMail, toMailOrigin } from "../../net/email";
import type { AuthOptions } from "./auth";
import { mayWrite } from "./guard";
import type { Letter } from "./protocol";

/** Returns the function that sends better-auth's mails. Returns null when mail isn't configured. */
export function toSender(env: Env): AuthOptions["send"] {
  const origin = toMailOrigin(env);
  if (origin === null) return null;
  return async (letter) => {
    const { to, kind } = letter;
    // The caller isn't told: the answer is the same whether the address is registered or not.
    if (!(await mayWrite(env, kind, to))) return log("warn", "letter_held_back", { kind });
    await sendMail(env, { to, ...toMail(letter, `${origin}/dashboard`) });
  };
}

function toMail(letter: Letter, dashboard: string): { subject: string; text: string } {
  if (letter.kind === "registered") {
    return {
      subject: "Someone tried to sign up with your email address",
      text: `Someone tried to sign up with this email address, which is already registered.\n\nIf it was you, sign in:\n\n${dashboard}/sign-in\n\nIf you don't know your password, choose a new one:\n\n${dashboard}/forgot\n\nIf it wasn't you, you don't need to do anything. Nothing has changed.\n`,
    };
  }
  const url = `${dashboard}/${letter.kind}?token=${encodeURIComponent(letter.token)}`;
  if (letter.kind === "verify") {
    return {
      subject: "Confirm your address",
      text: `Confirm that this is your address. The link works for a day:\n\n${url}\n\nIf you didn't sign up, don't open it.\n`,
    };
  }
  return {
    subject: "Choose a new password",
    text: `Choose a new password. The link works for an hour:\n\n${url}\n\nIf you didn't ask for it, do nothing: your password stays as it is.\n`,
  };
}
