import { z } from "zod";
import { MAX_EMAIL_CHARS } from "../model/limits";

const Email = z.email().max(MAX_EMAIL_CHARS);

/** Whether a user may have this address: by the rule that better-auth has, too. */
export function isEmail(text: string): boolean {
  return Email.safeParse(text).success;
}
