import { invalidParameter } from "../../contract/invalid-request";
import { findSelectorProblem, findSyntaxProblem } from "../../html/css/selector-problem";
import { checkOnce } from "./batch-checks";
import type { RequestContext } from "./definition";

const FINDERS = { browser: findSyntaxProblem, conversion: findSelectorProblem } as const;

/** Throws AppError if `user` doesn't accept the selector. A browser accepts more selectors than the conversion. */
export function checkSelector(
  context: RequestContext,
  { path, selector, user }: { path: string; selector: string; user: keyof typeof FINDERS },
): void {
  const problem = checkOnce(context, { path, kind: user, value: selector }, () => FINDERS[user](selector));
  if (problem === null) return;
  throw invalidParameter(path, "must be a CSS selector", { given: selector, reason: problem });
}
