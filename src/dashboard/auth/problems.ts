import { Problems } from "../components/form";
import type { AuthAnswer } from "./ask";

/** What better-auth refused, in our words; `otherwise` stands for everything but too many tries. */
export function toProblems(problem: NonNullable<AuthAnswer["problem"]>, otherwise?: string): Problems {
  if (problem.code === "RATE_LIMITED") {
    const wait = problem.retryAfterSeconds ?? 60;
    return new Problems(
      `Too many tries. Try again in ${wait < 90 ? `${wait} seconds` : `${Math.ceil(wait / 60)} minutes`}.`,
    );
  }
  const message = otherwise ?? (MESSAGES[problem.code] || `${problem.message.replace(/\.$/, "")}.`);
  return new Problems(message);
}

/** better-auth's codes that a user can do something about, in our words. */
const MESSAGES: Record<string, string> = {
  USER_ALREADY_EXISTS: "This address has signed up already. Sign in, or choose a new password.",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "This address has signed up already. Sign in, or choose a new password.",
  INVALID_PASSWORD: "The present password is another one.",
  INVALID_EMAIL: "This is not an e-mail address.",
  PASSWORD_TOO_SHORT: "The password is too short: take 10 characters or more.",
  PASSWORD_TOO_LONG: "The password is too long: take 128 characters at most.",
  INVALID_TOKEN: "This link was used already, or has run out. Ask for another.",
  EMAIL_PASSWORD_SIGN_UP_DISABLED: "Signing up is closed here. Ask whoever operates this service for a link.",
};
