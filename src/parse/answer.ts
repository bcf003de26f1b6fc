import { MAX_ANSWER_DEPTH, MAX_PROBLEM_CHARS } from "../limits";
import { isObject, type Schema, type SchemaObject } from "../schema/keywords";
import { measure } from "../schema/size";
import { type Problem, problems } from "../schema/validate";

/** A model's answer: the object that was asked for, or what is wrong with it. */
export type Answer = { data: SchemaObject; problems: null } | { data: null; problems: readonly Problem[] };

/** Some models put it into a fence whatever they are told. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i;

const BOUNDS = { depth: MAX_ANSWER_DEPTH, nodes: Infinity, chars: Infinity, pathChars: Infinity };

/** The object that a model's text is, valid against the schema, if there is one. */
export function toAnswer(text: string, schema: Schema | null): Answer {
  const parsed = parseAnswer(text);
  if (typeof parsed === "string") return { data: null, problems: [{ path: "", message: parsed }] };
  const found = schema === null ? [] : problems(schema, parsed);
  return found.length === 0 ? { data: parsed, problems: null } : { data: null, problems: found };
}

/** The object, or a sentence that says why the text is none. A fence around it, a BOM and white space are let pass. */
export function parseAnswer(text: string): SchemaObject | string {
  const trimmed = text.trim();
  const [, inner = trimmed] = FENCED.exec(trimmed) ?? [];
  if (inner.trim() === "") return "The answer is empty.";
  try {
    const value: unknown = JSON.parse(inner);
    if (!isObject(value)) return "The answer must be one JSON object.";
    return measure(value, BOUNDS) === null ? `The answer is nested more than ${MAX_ANSWER_DEPTH} levels deep.` : value;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, MAX_PROBLEM_CHARS) : "it can't be parsed";
    return `The answer is not valid JSON: ${reason}.`;
  }
}

/** What a model is told of its answer: the problems, one a line. `within` is where in the answer their paths begin. */
export function toRepairTurn(found: readonly Problem[], within = ""): string {
  const lines = found.map(
    ({ path, message }) => `- ${within + path === "" ? "The whole answer" : within + path}: ${message}`,
  );
  return [
    "Your last answer doesn't hold against the JSON schema:",
    ...lines,
    "Answer again with the whole corrected JSON object and nothing else. Take the values from the page; invent none.",
  ].join("\n");
}
