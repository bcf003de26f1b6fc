import { log } from "../../lib/log";
import { hasMail, sendMail } from "../../upstream/mail";
import type { AuthOptions, Letter } from "./auth";
import { mayWrite } from "./guard";

const LETTERS: Record<Letter["kind"], { subject: string; text: (url: string) => string }> = {
  verify: {
    subject: "Confirm your address",
    text: (url) => `Confirm that this is your address, within a day:\n\n${url}\n\nIf you didn't sign up, do nothing.\n`,
  },
  reset: {
    subject: "Choose a new password",
    text: (url) =>
      `Choose a new password, within an hour:\n\n${url}\n\nIf you didn't ask for it, do nothing: your password stays as it is.\n`,
  },
};

/** How better-auth sends its letters; null where no mail can be sent. */
export function toSender(env: Env, origin: string): AuthOptions["send"] {
  if (!hasMail(env)) return null;
  return async ({ to, kind, token }) => {
    // Nobody is told: the answer is the same whether there is such a user or not.
    if (!(await mayWrite(env, to))) return log("warn", "letter_held_back", { kind });
    const { subject, text } = LETTERS[kind];
    await sendMail(env, { to, subject, text: text(`${origin}/dashboard/${kind}?token=${encodeURIComponent(token)}`) });
  };
}
