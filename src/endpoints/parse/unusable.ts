import { AppError } from "../../model/errors";
import type { Outcome } from "../../model/job";
import { OUTCOME_HELP } from "../../model/outcome-help";

/** The outcomes for which no model is called. Pages with other outcomes have at least a part of the content. */
const UNUSABLE = new Set<Outcome>([
  "needs_rendering",
  "empty",
  "soft_404",
  "error_page",
  "login",
  "parked",
  "maintenance",
]);

/** Returns true if a page with this outcome must not be sent to a model. */
export function isUnusable(outcome: Outcome): boolean {
  return UNUSABLE.has(outcome);
}

/**
 * Throws AppError `unusable_page` if a page with this outcome doesn't have the content that the caller wants. The
 * message contains no text of the page, because agents trust error messages.
 */
export function refuseUnusable(outcome: Outcome): void {
  if (!isUnusable(outcome)) return;
  const { meaning } = OUTCOME_HELP[outcome];
  throw new AppError("unusable_page", `The outcome of the page is ${outcome}. ${meaning} No model was called.`);
}
