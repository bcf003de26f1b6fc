import { isObject, type Schema, type SchemaObject } from "../../json-schema/keywords";
import { measureSize } from "../../json-schema/size";
import { findProblems, type Problem } from "../../json-schema/validate";
import { AppError } from "../../model/errors";
import { MAX_ANSWER_DEPTH, MAX_PROBLEM_CHARS, MAX_PROBLEMS } from "../../model/limits";

/** A model's answer: the parsed object, or the problems that make the answer invalid. */
export type Answer = { data: SchemaObject; problems: null } | { data: null; problems: readonly Problem[] };

/** Parses a model's answer. Validates it against the schema if there is one. */
export function readAnswer(text: string, schema: Schema | null): Answer {
  const parsed = parseAnswer(text);
  if (parsed.data === null) return parsed;
  const found = schema === null ? [] : findProblems(schema, parsed.data);
  return found.length === 0 ? parsed : { data: null, problems: found };
}

/** Parses a model's answer without a schema. */
export function parseAnswer(text: string): Answer {
  if (text === "") return toProblem("The model's answer is empty.");
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return toProblem("The answer must be one JSON object.");
    if (measureSize(value, { depth: MAX_ANSWER_DEPTH }) === null) {
      return toProblem(`The answer is nested more than ${MAX_ANSWER_DEPTH} levels deep.`);
    }
    const lossy = lossyNumbers(text);
    return lossy.length === 0
      ? { data: value, problems: null }
      : { data: null, problems: lossy.slice(0, MAX_PROBLEMS) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, MAX_PROBLEM_CHARS) : "it can't be parsed";
    return toProblem(`The answer is not valid JSON: ${reason}.`);
  }
}

function toProblem(message: string): Answer {
  return { data: null, problems: [{ path: "", message }] };
}

/** Returns the error for data that doesn't match the schema. `words` come before the first problem. */
export function toMismatch(words: string, [first]: readonly Problem[]): AppError {
  const where = first === undefined || first.path === "" ? "" : `${first.path}: `;
  const what = `${where}${first?.message ?? ""}`.slice(0, MAX_PROBLEM_CHARS).replace(/\.$/, "");
  return new AppError("schema_mismatch", `${words}: ${what}.`);
}

/** Returns the message that makes the model repair its answer, with one problem and its path per line. */
export function toRepairMessage(found: readonly Problem[]): string {
  const lines = found.map(({ path, message }) => `- ${path === "" ? "The whole answer" : path}: ${message}`);
  return [
    "Your last answer isn't valid against the JSON schema:",
    ...lines,
    "Answer again with the whole corrected JSON object and nothing else. Take the values from the page; invent none.",
  ].join("\n");
}

/** Matches JSON that may contain a lossy number. This test is faster than parsing the JSON. */
const MAYBE_LOSSY = /\d{16}|\d[eE]\+?\d\d/;
/** The maximum length of the number and of the property name in a message. */
const MAX_QUOTED_CHARS = 50;

/**
 * Returns the numbers in the JSON that lose precision when they are parsed. These are numbers beyond the range of a
 * double (`1e400`) and integers with too many digits. Decimals and numbers with an exponent are approximate anyway, so
 * rounding them is accepted.
 */
function lossyNumbers(json: string): Problem[] {
  if (!MAYBE_LOSSY.test(json)) return [];
  const found: Problem[] = [];
  JSON.parse(json, (name, value: unknown, context?: ReviverContext) => {
    if (typeof value === "number" && isLossy(value, context?.source)) {
      const number = String(context?.source ?? value).slice(0, MAX_QUOTED_CHARS);
      const message = `The number ${number} in '${name.slice(0, MAX_QUOTED_CHARS)}' can't be represented exactly as a JSON number: give it as a string with all of its digits where the schema allows one. Never round it.`;
      found.push({ path: "", message });
    }
    return value;
  });
  return found;
}

/** The third parameter of the callback of `JSON.parse`: https://github.com/tc39/proposal-json-parse-with-source */
interface ReviverContext {
  source?: string;
}

function isLossy(value: number, source: string | undefined): boolean {
  if (!Number.isFinite(value)) return true;
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return false;
  return source === undefined || (/^-?\d+$/.test(source) && JSON.stringify(value) !== source);
}
