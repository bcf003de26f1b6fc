import {
  MAX_PATTERN_ANALYSIS_STEPS,
  MAX_PATTERN_CHARS,
  MAX_SCHEMA_CHARS,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_NODES,
} from "../model/limits";
import { ContradictionFinder } from "./contradictions";
import { DRAFTS, draftOf } from "./dialect";
import { ruleProblem, type SchemaProblem } from "./keyword-rules";
import { isObject, type Path, type Schema, type SchemaObject, subschemas, toSchemas } from "./keywords";
import type { AnalysisBudget } from "./pattern-automaton";
import { estimateSteps, type RefusedPattern, toUnicodePattern } from "./patterns";
import { expandShorthand, toQuestion } from "./shorthand";
import { measureSize } from "./size";
import { createValidator, type SchemaValidator } from "./validate";

/** The remaining steps for analyzing the patterns of schemas. A pattern that occurs several times is analyzed once. */
export interface PatternBudget extends AnalysisBudget {
  accepted: Set<string>;
}

export function newPatternBudget(stepsLeft = MAX_PATTERN_ANALYSIS_STEPS): PatternBudget {
  return { stepsLeft, accepted: new Set() };
}

/** The search for contradictions may use this number of visits. A schema whose check needs more is accepted. */
const MAX_CHECK_VISITS = 20_000;
/** A visit takes about as long as this many steps of the analysis of a pattern. */
const STEPS_PER_VISIT = 5;

/**
 * Returns the first reason to refuse a schema, or null if there is none. A schema must follow draft 2020-12, 2019-09 or
 * 7, and must accept some object, as far as its keywords show. Its references must have targets in the schema, and its patterns must be fast to
 * match. The schemas of a batch share one budget.
 */
export function schemaProblem(schema: Schema, budget = newPatternBudget()): SchemaProblem | null {
  const problem =
    sizeProblem(schema) ?? shorthandProblem(schema) ?? draftProblem(schema) ?? keywordsProblem(schema, budget);
  return problem ?? referencesProblem(schema, budget);
}

/** Returns the size limit that a schema exceeds, or null. Accepts any JSON value. */
export function sizeProblem(schema: unknown): SchemaProblem | null {
  if (measureSize(schema, { depth: MAX_SCHEMA_DEPTH }) === null) {
    return { path: [], message: `must be nested at most ${MAX_SCHEMA_DEPTH} levels deep` };
  }
  if (measureSize(schema, { nodes: MAX_SCHEMA_NODES }) === null) {
    return { path: [], message: `must have at most ${MAX_SCHEMA_NODES} values` };
  }
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS) {
    return { path: [], message: `must have at most ${MAX_SCHEMA_CHARS} characters as JSON` };
  }
  return null;
}

/** A validator ignores unknown keywords, so it would accept `{"name": "string"}` and any result. */
function shorthandProblem(schema: Schema): SchemaProblem | null {
  const expanded = expandShorthand(schema);
  if (expanded === null) return null;
  const rule = "must be a JSON Schema, with a keyword such as type or properties at its root";
  const advice = toQuestion(expanded) ?? "Put its members into the keyword properties.";
  return { path: [], message: `${rule}. ${advice}` };
}

function draftProblem(schema: Schema): SchemaProblem | null {
  if (draftOf(schema) !== null) return null;
  return { path: ["$schema"], message: `must be omitted, or one of ${Object.keys(DRAFTS).join(", ")}` };
}

function keywordsProblem(root: Schema, budget: PatternBudget): SchemaProblem | null {
  const pending: (readonly [path: Path, schema: Schema])[] = [[[], root]];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const [path, schema] = next;
    if (typeof schema === "boolean") continue;
    const problem = ruleProblem(schema) ?? patternsProblem(schema, budget) ?? itemsProblem(schema, root);
    if (problem !== null) return { ...problem, path: [...path, ...problem.path] };
    for (const [innerPath, inner] of subschemas(schema)) pending.push([[...path, ...innerPath], inner]);
  }
  return null;
}

function patternsProblem(schema: SchemaObject, budget: PatternBudget): SchemaProblem | null {
  const patterns: (readonly [path: Path, pattern: string])[] = [];
  if (typeof schema.pattern === "string") patterns.push([["pattern"], schema.pattern]);
  for (const name of Object.keys(isObject(schema.patternProperties) ? schema.patternProperties : {})) {
    patterns.push([["patternProperties", name], name]);
  }
  for (const [path, pattern] of patterns) {
    const message = patternMessage(pattern, budget);
    if (message !== null) return { path, message };
  }
  return null;
}

function patternMessage(pattern: string, budget: PatternBudget): string | null {
  if (pattern.length > MAX_PATTERN_CHARS) return `must be a pattern of at most ${MAX_PATTERN_CHARS} characters`;
  if (budget.accepted.has(pattern)) return null;
  const unicode = toUnicodePattern(pattern);
  if (unicode === null) return "must be a regular expression that compiles with the flag u";
  const estimate = estimateSteps(unicode, budget);
  if (budget.stepsLeft < 0)
    return "must be a simpler pattern, because the patterns of the request take too long to check";
  if (typeof estimate === "string") return REFUSALS[estimate];
  budget.accepted.add(pattern);
  return null;
}

const REFUSALS: Record<RefusedPattern, string> = {
  exponential:
    "must be a pattern without nested repetition, because a text can match it in too many ways; for example, write \\w+(\\s\\w+)* instead of (\\w+\\s?)+",
  slow: "must be a pattern with fewer repetitions of the same characters; patterns such as .*.*.*.* take too long to match",
  unsupported:
    "must be a shorter regular expression, without look-behind, back-references, flags and repeated empty groups",
};

/** Without `$schema`, `items` or `prefixItems` may list item schemas. Draft 2020-12 allows only `prefixItems`. */
function itemsProblem(schema: SchemaObject, root: Schema): SchemaProblem | null {
  const isStrict = isObject(root) && root.$schema !== undefined && draftOf(root) === "2020-12";
  if (!isStrict || !Array.isArray(schema.items)) return null;
  return { path: ["items"], message: "must be a schema; in draft 2020-12, use prefixItems for a list of schemas" };
}

function referencesProblem(schema: Schema, budget: PatternBudget): SchemaProblem | null {
  const maxVisits = Math.min(MAX_CHECK_VISITS, budget.stepsLeft / STEPS_PER_VISIT);
  const validator = createValidator(schema, maxVisits);
  if (validator === null)
    return {
      path: [],
      message: "must have property names and $ids that are valid in a URI, and each $id must be unique",
    };
  const paths = new Map<SchemaObject, Path>();
  const anchors = new Set<unknown>();
  collectPaths(validator.schema, [], paths);
  for (const [part, path] of paths) {
    if (part.$anchor !== undefined && anchors.size === anchors.add(part.$anchor).size) {
      return { path: [...path, "$anchor"], message: "must be unique in the schema" };
    }
    if (part.$ref === undefined) continue;
    const at = [...path, "$ref"];
    const target = validator.target(part);
    if (target === undefined) {
      return { path: at, message: "must refer to a part of this schema; other documents are not loaded" };
    }
    if (typeof target === "boolean" || paths.has(target)) continue;
    // The target isn't the value of a schema keyword, so it hasn't been checked yet.
    const problem = keywordsProblem(target, budget);
    if (problem !== null) return { path: at, message: `refers to an invalid schema: ${toSentence(problem)}` };
    collectPaths(target, at, paths);
  }
  const problem = rootProblem(validator) ?? contradictionProblem(validator, paths);
  budget.stepsLeft -= Math.min(maxVisits, maxVisits - validator.budget.visitsLeft) * STEPS_PER_VISIT;
  return problem;
}

function contradictionProblem(
  validator: SchemaValidator,
  paths: ReadonlyMap<SchemaObject, Path>,
): SchemaProblem | null {
  return new ContradictionFinder(validator, paths).find([validator.schema, { type: "object" }], []);
}

function collectPaths(root: Schema, path: Path, paths: Map<SchemaObject, Path>): void {
  if (typeof root === "boolean" || paths.has(root)) return;
  paths.set(root, path);
  for (const [innerPath, inner] of subschemas(root)) collectPaths(inner, [...path, ...innerPath], paths);
}

function toSentence({ path, message }: SchemaProblem): string {
  return `${path.join(".")} ${message}`.trim();
}

function rootProblem(validator: SchemaValidator): SchemaProblem | null {
  const root = validator.schema;
  if (canBeObject(root, validator, new Map())) return null;
  const isType = isObject(root) && !allowsObject(root.type);
  if (!isType) return { path: [], message: "must describe an object" };
  if (root.type !== "array") return { path: ["type"], message: "must be 'object'" };
  const question = toQuestion({ type: "object", properties: { items: root } }) ?? "Put the list into a property.";
  return { path: ["type"], message: `must be 'object', not 'array'. ${question}` };
}

/** Returns true if an object can be valid. Considers `type`, `const`, `enum`, references and combinations. */
function canBeObject(schema: Schema, validator: SchemaValidator, known: Map<SchemaObject, boolean>): boolean {
  if (typeof schema === "boolean") return schema;
  const answer = known.get(schema);
  if (answer !== undefined) return answer;
  known.set(schema, true);
  const can = (part: Schema) => canBeObject(part, validator, known);
  const some = (options: readonly Schema[]) => options.length === 0 || options.some(can);
  const found =
    can(validator.target(schema) ?? true) &&
    allowsObject(schema.type) &&
    (schema.const === undefined || isObject(schema.const)) &&
    (!Array.isArray(schema.enum) || schema.enum.some(isObject)) &&
    toSchemas(schema.allOf).every(can) &&
    some(toSchemas(schema.anyOf)) &&
    some(toSchemas(schema.oneOf));
  known.set(schema, found);
  return found;
}

function allowsObject(type: unknown): boolean {
  return type === undefined || [type].flat().includes("object");
}
