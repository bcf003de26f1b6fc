import { dereference, type SchemaDraft, validate } from "@cfworker/json-schema";
import { isObject, type Schema, type SchemaObject } from "./keywords";
import { createPatterns, type Patterns } from "./patterns";
import { measure } from "./size";
import { createToll, type TollLimits } from "./toll";

/** The library writes the path of every part of a schema, goes down by recursion and can't be stopped. */
const MAX_SCHEMA = { nodes: 20_000, chars: 2_000_000, depth: 200, pathChars: 4_000_000 };

/** Of the parts of the schema, by all checks together: about 20 ms. */
const LIMITS: TollLimits = { visits: 30_000, visitsACheck: 10_000 };

/** One schema, ready for any number of questions. */
export interface Checker {
  /** A copy of the caller's schema. */
  readonly schema: Schema;
  readonly patterns: Patterns;
  /** What `$ref` leads to, when it is in the schema. */
  target(part: SchemaObject): Schema | undefined;
  /** Up to draft 7 what stands beside `$ref` has no meaning. */
  readonly refStandsAlone: boolean;
  /** How much there is in a part's own keywords, in tens. */
  weigh(part: SchemaObject): number;
  /** Whether a value is valid against the schema or a part of it; null when finding out would take too long. */
  check(part: Schema, value: unknown): boolean | null;
}

/** Whether the value is valid; false too when finding out would take too long, as with schemas made for that. */
export function isValid(schema: Schema, value: unknown): boolean {
  const checker = createChecker(schema);
  return checker !== null && checker.check(checker.schema, value) === true;
}

/** Null for a schema that is too large or too deep to be read at all. */
export function createChecker(original: Schema, limits = LIMITS): Checker | null {
  if (measure(original, MAX_SCHEMA) === null) return null;
  // The library writes into the schema that it reads.
  const schema = structuredClone(original);
  const draft = toDraft(schema);
  const lookup = toLookup(schema);
  const patterns = createPatterns();
  const refStandsAlone = draft === "4" || draft === "7";
  const toll = createToll({ target, patterns, refStandsAlone }, limits);

  function target(part: SchemaObject): Schema | undefined {
    const address = part.__absolute_ref__ ?? part.__absolute_recursive_ref__;
    return typeof address === "string" ? lookup?.[address] : undefined;
  }

  function check(part: Schema, value: unknown): boolean | null {
    if (lookup === null || !toll.pay(part, value)) return null;
    try {
      return validate(value, part, draft, lookup).valid;
    } catch {
      // A keyword that isn't what the library takes for granted, such as a pattern that doesn't compile.
      toll.payForError();
      return null;
    }
  }

  return { schema, patterns, target, refStandsAlone, weigh: toll.weigh, check };
}

function toDraft(schema: Schema): SchemaDraft {
  const named = isObject(schema) ? String(schema.$schema) : "";
  if (/draft-0?4/.test(named)) return "4";
  if (/draft-0?[67]/.test(named)) return "7";
  return named.includes("2019-09") ? "2019-09" : "2020-12";
}

/** Every part of the schema by its address; null when the schema's own addresses are wrong. */
function toLookup(schema: Schema): Record<string, Schema> | null {
  try {
    return dereference(schema);
  } catch {
    return null;
  }
}
