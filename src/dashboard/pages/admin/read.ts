import { AppError } from "../../../model/errors";
import { PLANS } from "../../../model/plan";
import type { AccountChange } from "../../../store/accounts";

const MAX_CREDITS = 1_000_000_000;

/** The plan and an account's own figures, of which an empty one is the plan's. Throws AppError for what isn't one. */
export function readLimits(form: Record<"plan" | "rate_per_minute" | "monthly_credits", string>): AccountChange {
  const plan = PLANS.find((name) => name === form.plan);
  if (plan === undefined) throw invalid("plan", `must be one of ${PLANS.join(", ")}`);
  return {
    plan,
    ratePerMinute: readFigure("rate_per_minute", form.rate_per_minute, 1),
    monthlyCredits: readFigure("monthly_credits", form.monthly_credits, 0),
  };
}

/** Credits to add; with a minus to take away. Commas stand between thousands alone: a decimal one isn't a thousand. */
export function readCredits(text: string): number {
  const isWhole = /^[+\-−]?(?:\d+|\d{1,3}(?:,\d{3})+)$/.test(text);
  const credits = isWhole ? Number(text.replaceAll(",", "").replace("−", "-")) : 0;
  if (credits === 0 || Math.abs(credits) > MAX_CREDITS)
    throw invalid("credits", "must be a whole number other than 0, such as 500 or -20");
  return credits;
}

/** `true` or `false`, from a hidden field. */
export function readSwitch(path: string, text: string): boolean {
  if (text !== "true" && text !== "false") throw invalid(path, "must be true or false");
  return text === "true";
}

function readFigure(path: string, text: string, least: number): number | null {
  if (text === "") return null;
  const figure = Number(text);
  if (!/^\d{1,9}$/.test(text) || figure < least) {
    throw invalid(path, `must be a whole number from ${least} up, or empty for the plan's`);
  }
  return figure;
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", `The field '${path}' ${message}.`, { details: [{ path, message }] });
}
