import { dereference, type SchemaDraft, validate } from "@cfworker/json-schema";
import { matches } from "../regex/match";
import { parseRegex, type Regex } from "../regex/parse";
import { isObject, type Schema, type SchemaObject } from "./keywords";
import { measure } from "./size";
import { createToll, type TollLimits } from "./toll";

/**
 * The library writes the path of every part of the schema, goes down by recursion and can't be stopped; larger schemas
 * than this aren't given to it.
 */
const CHECKED_SCHEMA = { nodes: 20_000, chars: 2_000_000, depth: 200, pathChars: 4_000_000 };

/** Of the parts of the schema, by all checks together: about 20 ms. */
const LIMITS: TollLimits = { visits: 30_000, visitsACheck: 10_000 };
const MAX_MATCH_STEPS = 200_000;
/** What each takes besides its own. */
const STEPS_OF_A_MATCH = 40;

/** One schema, ready for any number of questions. */
export interface Checker {
  /** The schema itself: where it is checked, a copy of the caller's. */
  readonly schema: Schema;
  /** What `$ref` leads to, when it is in the schema. */
  target(part: SchemaObject): Schema | undefined;
  /** Up to draft 7 what stands beside `$ref` has no meaning. */
  readonly refStandsAlone: boolean;
  /** Whether a value is valid against the schema or a part of it; null when finding out would take too long. */
  check(part: Schema, value: unknown): boolean | null;
  hasMatch(pattern: string, text: string): boolean | null;
  toRegex(pattern: string): Regex | null;
}

/** Whether the value is valid; false too when finding out would take too long, as with schemas made for that. */
export function isValid(schema: Schema, value: unknown): boolean {
  return createChecker(schema).check(schema, value) === true;
}

export function createChecker(original: Schema, limits = LIMITS): Checker {
  const isCheckable = measure(original, CHECKED_SCHEMA) !== null;
  // The library writes into the schema that it reads.
  const schema = isCheckable ? structuredClone(original) : original;
  const draft = toDraft(schema);
  const lookup = isCheckable ? toLookup(schema) : null;
  const regexes = new Map<string, Regex | null>();
  const found = new Map<string, Map<string, boolean | null>>();
  const steps = { left: MAX_MATCH_STEPS };

  function target(part: SchemaObject): Schema | undefined {
    const address = part.__absolute_ref__ ?? part.__absolute_recursive_ref__;
    return typeof address === "string" ? lookup?.[address] : undefined;
  }

  function toRegex(pattern: string): Regex | null {
    const known = regexes.get(pattern);
    if (known !== undefined) return known;
    const regex = parseRegex(pattern);
    regexes.set(pattern, regex);
    return regex;
  }

  function hasMatch(pattern: string, text: string): boolean | null {
    const regex = toRegex(pattern);
    if (regex === null) return null;
    const known = found.get(pattern) ?? new Map<string, boolean | null>();
    found.set(pattern, known);
    const answer = known.get(text);
    if (answer !== undefined) return answer;
    steps.left -= STEPS_OF_A_MATCH;
    const isMatch = matches(regex, text, steps);
    known.set(text, isMatch);
    return isMatch;
  }

  const refStandsAlone = draft === "4" || draft === "7";
  const toll = createToll({ target, hasMatch, refStandsAlone }, limits);

  function check(part: Schema, value: unknown): boolean | null {
    const asked = part === original ? schema : part;
    if (lookup === null || !toll.pay(asked, value)) return null;
    try {
      return validate(value, asked, draft, lookup).valid;
    } catch {
      // A keyword that isn't what the library takes for granted, such as a pattern that doesn't compile.
      return null;
    }
  }

  return { schema, target, refStandsAlone, check, hasMatch, toRegex };
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
