import type { OutputUnit } from "@cfworker/json-schema";
import {
  MAX_CHECK_STEPS,
  MAX_CHECK_STEPS_A_MATCH,
  MAX_CHECK_VISITS,
  MAX_PROBLEM_CHARS,
  MAX_PROBLEMS,
} from "../model/limits";
import { type CheckLimits, createChecker } from "./check";
import type { Schema } from "./keywords";
import { toPointer } from "./places";

/** What is wrong with a value: where (RFC 6901, `""` is the whole), and what would be right. */
export interface Problem {
  path: string;
  message: string;
}

export const ANSWER_LIMITS: CheckLimits = {
  visits: MAX_CHECK_VISITS,
  visitsACheck: MAX_CHECK_VISITS,
  matches: { steps: MAX_CHECK_STEPS, stepsAMatch: MAX_CHECK_STEPS_A_MATCH },
};

/** What only says that something further in is wrong, which is told as well. */
const WRAPPERS = new Set([
  "$ref",
  "allOf",
  "if",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "dependentSchemas",
]);

/**
 * What a model would have to change for the value to be valid, in the order of the schema, at most 20 of them; empty for a
 * valid one. Bounded in time: what takes too long to check is a problem too.
 */
export function problems(schema: Schema, value: unknown): Problem[] {
  const checker = createChecker(schema, ANSWER_LIMITS);
  if (checker === null) return [{ path: "", message: "The schema is too large to check against." }];
  const found = checker.explain(checker.schema, value);
  if ("path" in found) return [{ path: toPointer(found.path), message: `The value ${found.message}.` }];
  const told = new Map<string, Problem>();
  for (const error of found) {
    if (told.size >= MAX_PROBLEMS) break;
    if (WRAPPERS.has(error.keyword)) continue;
    const problem = { path: toPath(error.instanceLocation), message: toMessage(error) };
    told.set(`${problem.path} ${problem.message}`, problem);
  }
  // What is invalid without a word of why.
  if (told.size === 0 && found.length > 0) return [{ path: "", message: "The value doesn't match the schema." }];
  return [...told.values()];
}

function toPath(location: string): string {
  return decodeURIComponent(location.slice(1));
}

function toMessage({ keyword, error }: OutputUnit): string {
  if (keyword === "false") return "This is not allowed here: leave it out.";
  const message = error.replace(/^Instance type/, "The type").replace(/^Instance\b/, "The value");
  return message.length > MAX_PROBLEM_CHARS ? `${message.slice(0, MAX_PROBLEM_CHARS)}…` : message;
}
