import { invalidParameter } from "../../contract/invalid-request";
import { findSelectorProblem, findSyntaxProblem } from "../../html/css/selector-problem";
import { newPatternBudget, type PatternBudget } from "../../json-schema/schema-problem";
import { MAX_BATCH_CHECKED_CHARS } from "../../model/limits";

/**
 * The steps for checking one character. It takes at most 2 µs (nested pseudo-classes), and a step of the analysis of a
 * pattern 0.2 µs.
 */
const STEPS_PER_CHAR = 8;

/** The results of the slow checks of a batch's requests, and the budget that all these checks share. */
export interface BatchChecks {
  results: Map<string, unknown>;
  budget: PatternBudget;
}

export function newBatchChecks(): BatchChecks {
  return { results: new Map(), budget: newPatternBudget(MAX_BATCH_CHECKED_CHARS * STEPS_PER_CHAR) };
}

/**
 * Returns the result of `check`, which must only depend on `kind` and `value`. In a batch, a value that many requests
 * have is checked once, and all different values together have a budget, because one Worker checks the whole batch.
 * `path` is the path of the parameter. Throws AppError if the budget is used up.
 */
export function checkOnce<Result>(
  { checks }: { checks?: BatchChecks | undefined },
  { path, kind, value }: { path: string; kind: string; value: string },
  check: () => Result,
): Result {
  if (checks === undefined) return check();
  const key = `${kind} ${value}`;
  if (checks.results.has(key)) return checks.results.get(key) as Result;
  const { budget } = checks;
  if (value.length * STEPS_PER_CHAR > budget.stepsLeft) {
    const rule = `is too long for one batch: its different selectors, schemas and actions can have at most ${MAX_BATCH_CHECKED_CHARS} characters in total, or fewer with patterns. Send several batches`;
    throw invalidParameter(path, rule);
  }
  budget.stepsLeft -= value.length * STEPS_PER_CHAR;
  const result = check();
  checks.results.set(key, result);
  return result;
}

const FINDERS = { browser: findSyntaxProblem, conversion: findSelectorProblem } as const;

/** Throws AppError if `user` doesn't accept the selector. A browser accepts more selectors than the conversion. */
export function checkSelector(
  context: { checks?: BatchChecks | undefined },
  { path, selector, user }: { path: string; selector: string; user: keyof typeof FINDERS },
): void {
  const problem = checkOnce(context, { path, kind: user, value: selector }, () => FINDERS[user](selector));
  if (problem === null) return;
  throw invalidParameter(path, "must be a CSS selector", { given: selector, reason: problem });
}
