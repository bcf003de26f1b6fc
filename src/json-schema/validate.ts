import { dereference, type OutputUnit, validate } from "@cfworker/json-schema";
import { MAX_PROBLEM_CHARS, MAX_PROBLEMS, MAX_VALIDATION_VISITS } from "../model/limits";
import { CostLimitExceeded, type References, ValidationBudget } from "./budget";
import { draftOf, toValidatorDialect } from "./dialect";
import { isObject, type Schema, type SchemaObject } from "./keywords";
import { PatternCompiler } from "./patterns";
import { toPointer } from "./pointer";
import { measureSize } from "./size";

/** The limits for a schema. The validator stores the path of every part of the schema and recurses into every part. */
const MAX_SCHEMA_SIZE = { nodes: 20_000, chars: 2_000_000, depth: 200, pathChars: 4_000_000 };
/**
 * If a validation takes more visits than this, the validator reports only the first error of each object. Reporting all
 * errors could exhaust the memory. A visit checks one value against one part of the schema.
 */
const MAX_VISITS_FOR_ALL_ERRORS = 50_000;

/** The pattern compilers by schema, so that a job analyzes the patterns of its schema only once. */
const COMPILERS = new WeakMap<object, PatternCompiler>();

function compilerOf(schema: Schema): PatternCompiler {
  const known = isObject(schema) ? COMPILERS.get(schema) : undefined;
  const compiler = known ?? new PatternCompiler();
  if (isObject(schema)) COMPILERS.set(schema, compiler);
  return compiler;
}

/** A schema that is prepared for validation. All validations share one budget. */
export interface SchemaValidator extends References {
  /** A copy of the caller's schema in the validator's dialect. */
  readonly schema: Schema;
  readonly budget: ValidationBudget;
  /** Returns true if the value is valid against the schema or a part of it. Returns null if the budget is exceeded. */
  isValid(part: Schema, value: unknown): boolean | null;
  /** Returns the validator's errors for a value. Throws CostLimitExceeded. */
  validate(part: Schema, value: unknown): readonly OutputUnit[];
}

/** Prepares a schema for validation. Null if it is too large or deep, or if an `$id` is invalid or repeated. */
export function createValidator(original: Schema, maxVisits = MAX_VALIDATION_VISITS): SchemaValidator | null {
  if (measureSize(original, MAX_SCHEMA_SIZE) === null) return null;
  // The library modifies the schema that it reads, so it gets a copy.
  const schema = toValidatorDialect(structuredClone(original));
  const draft = draftOf(original) ?? "2020-12";
  const lookup = toLookup(schema);
  if (lookup === null) return null;
  const ignoresRefSiblings = draft === "7";
  const budget = new ValidationBudget({ target, ignoresRefSiblings }, compilerOf(original), maxVisits);

  function target(part: SchemaObject): Schema | undefined {
    const address = part.__absolute_ref__;
    return typeof address === "string" ? lookup?.[address] : undefined;
  }

  function validatePart(part: Schema, value: unknown): readonly OutputUnit[] {
    const visits = budget.spend(part, value);
    try {
      return validate(value, part, draft, lookup ?? {}, visits > MAX_VISITS_FOR_ALL_ERRORS).errors;
    } catch {
      // The library throws if a keyword has an unexpected value, or if a property name has an unpaired surrogate.
      throw new CostLimitExceeded("can't be checked", []);
    }
  }

  function isValid(part: Schema, value: unknown): boolean | null {
    try {
      return validatePart(part, value).length === 0;
    } catch (error) {
      if (error instanceof CostLimitExceeded) return null;
      throw error;
    }
  }

  return { schema, budget, target, ignoresRefSiblings, isValid, validate: validatePart };
}

/** Maps the URI of each part of the schema to the part. Null if a URI is invalid or repeated. */
function toLookup(schema: Schema): Record<string, Schema> | null {
  try {
    return dereference(schema);
  } catch {
    return null;
  }
}

/** An error in a value: its JSON Pointer (`""` for the whole value), and a message for the model. */
export interface Problem {
  path: string;
  message: string;
}

/** Errors with these keywords only repeat the error of an inner value. */
const WRAPPERS = new Set(
  "$ref allOf if items prefixItems additionalItems unevaluatedItems properties patternProperties additionalProperties unevaluatedProperties propertyNames dependentSchemas".split(
    " ",
  ),
);

/**
 * Returns at most MAX_PROBLEMS problems that make the value invalid, in the order of the schema. Returns an empty list
 * for a valid value. A value that takes too long to validate also has a problem.
 */
export function findProblems(schema: Schema, value: unknown): Problem[] {
  const validator = createValidator(schema);
  if (validator === null) return [{ path: "", message: "The schema is too large to validate against." }];
  try {
    return toProblems(validator.validate(validator.schema, value));
  } catch (error) {
    if (!(error instanceof CostLimitExceeded)) throw error;
    return [{ path: toPointer(error.path), message: `The value ${error.message}.` }];
  }
}

function toProblems(errors: readonly OutputUnit[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of errors) {
    if (problems.size >= MAX_PROBLEMS) break;
    if (WRAPPERS.has(error.keyword)) continue;
    const problem = { path: decodeURIComponent(error.instanceLocation.slice(1)), message: toMessage(error) };
    problems.set(`${problem.path} ${problem.message}`, problem);
  }
  if (problems.size === 0 && errors.length > 0) return [{ path: "", message: "The value doesn't match the schema." }];
  return [...problems.values()];
}

function toMessage({ keyword, error }: OutputUnit): string {
  if (keyword === "false") return "This is not allowed here. Omit it.";
  const message = error.replace(/^Instance type/, "The type").replace(/^Instance\b/, "The value");
  return message.length > MAX_PROBLEM_CHARS ? `${message.slice(0, MAX_PROBLEM_CHARS)}…` : message;
}
