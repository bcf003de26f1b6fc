import { isObject, type Schema, type SchemaObject } from "../../json-schema/keywords";
import { measureSize } from "../../json-schema/size";
import { findProblems, type Problem } from "../../json-schema/validate";
import { MAX_ANSWER_DEPTH, MAX_PROBLEM_CHARS, MAX_PROBLEMS } from "../../model/limits";
import { inexactNumbers } from "./inexact";

/** A model's answer: the object that was asked for, or what is wrong with it. */
export type Answer = { data: SchemaObject; problems: null } | { data: null; problems: readonly Problem[] };

/** Some models put it into a fence whatever they are told. */
const FENCED = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i;

/** What reasoning models on local servers say first; some templates swallow where that begins. */
const THOUGHTS = /^(?:[^{`][\s\S]*?)?<\/think(?:ing)?>/i;

/** The object that a model's text is, valid against the schema, if there is one. */
export function toAnswer(text: string, schema: Schema | null): Answer {
  const parsed = parseAnswer(text);
  if (parsed.data === null) return parsed;
  const found = schema === null ? [] : findProblems(schema, parsed.data);
  return found.length === 0 ? parsed : { data: null, problems: found };
}

/** The object, whatever is in it. Thoughts before it, a fence around it, a BOM and white space are let pass. */
export function parseAnswer(text: string): Answer {
  const trimmed = text.trim().replace(THOUGHTS, "").trim();
  const [, inner = trimmed] = FENCED.exec(trimmed) ?? [];
  if (inner.trim() === "") return toProblem("The answer is empty.");
  try {
    const value: unknown = JSON.parse(inner);
    if (!isObject(value)) return toProblem("The answer must be one JSON object.");
    if (measureSize(value, { depth: MAX_ANSWER_DEPTH }) === null) {
      return toProblem(`The answer is nested more than ${MAX_ANSWER_DEPTH} levels deep.`);
    }
    const inexact = inexactNumbers(inner);
    return inexact.length === 0
      ? { data: value, problems: null }
      : { data: null, problems: inexact.slice(0, MAX_PROBLEMS) };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.slice(0, MAX_PROBLEM_CHARS) : "it can't be parsed";
    return toProblem(`The answer is not valid JSON: ${reason}.`);
  }
}

function toProblem(message: string): Answer {
  return { data: null, problems: [{ path: "", message }] };
}

/** What a model is told of its answer: the problems, one a line, at their paths in the answer. */
export function toRepairTurn(found: readonly Problem[]): string {
  const lines = found.map(({ path, message }) => `- ${path === "" ? "The whole answer" : path}: ${message}`);
  return [
    "Your last answer doesn't hold against the JSON schema:",
    ...lines,
    "Answer again with the whole corrected JSON object and nothing else. Take the values from the page; invent none.",
  ].join("\n");
}
