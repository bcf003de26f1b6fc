import { invalidParameter } from "../../contract/invalid-request";
import { findSyntaxProblem } from "../../html/css/selector-problem";

/**
 * Throws AppError if the text isn't a selector that the browser accepts. The browser supports more selectors than the
 * conversion.
 */
export function checkBrowserSelector(path: string, selector: string): void {
  checkSelector(path, selector, findSyntaxProblem(selector));
}

/** Throws AppError if a selector has a problem. `path` is the path of its parameter. */
export function checkSelector(path: string, selector: string, problem: string | null): void {
  if (problem === null) return;
  throw invalidParameter(path, "must be a CSS selector", { given: selector, reason: problem });
}
