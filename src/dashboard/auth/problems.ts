import type { Context } from "hono";
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from "../../model/limits";
import type { DashboardEnv } from "../ui/env";
import { Problems } from "../ui/form";
import type { AuthAnswer } from "./ask";

type Problem = NonNullable<AuthAnswer["problem"]>;

/** 429 with the time to wait after too many tries, else the given one. */
export function setStatus(c: Context<DashboardEnv>, problem: Problem, otherwise: 400 | 401): void {
  const isTooOften = problem.code === "RATE_LIMITED";
  c.status(isTooOften ? 429 : otherwise);
  if (isTooOften) c.header("Retry-After", String(problem.retryAfterSeconds ?? 60));
}

/** What better-auth refused, in our words; `otherwise` stands for everything but too many tries. */
export function toProblems(problem: Problem, otherwise?: string): Problems {
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
  VALIDATION_ERROR: "Fill in every field.",
  INVALID_EMAIL: "This is not an e-mail address.",
  PASSWORD_TOO_SHORT: `The password is too short: take ${MIN_PASSWORD_CHARS} characters or more.`,
  PASSWORD_TOO_LONG: `The password is too long: take ${MAX_PASSWORD_CHARS} characters at most.`,
  INVALID_TOKEN: "This link was used already, or has run out. Ask for another.",
  EMAIL_PASSWORD_SIGN_UP_DISABLED: "Signing up is closed here. Ask whoever operates this service for a link.",
};
