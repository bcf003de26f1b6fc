import { dereference, type OutputUnit, validate } from "@cfworker/json-schema";
import { draftOf, toValidatorWords } from "./dialect";
import type { Schema, SchemaObject } from "./keywords";
import { createPatterns, type MatchLimits, type Patterns } from "./patterns";
import { measure } from "./size";
import { createToll, type Obstacle, type TollLimits } from "./toll";

/** The library writes the path of every part of a schema, goes down by recursion and can't be stopped. */
const MAX_SCHEMA = { nodes: 20_000, chars: 2_000_000, depth: 200, pathChars: 4_000_000 };

export interface CheckLimits extends TollLimits {
  matches?: MatchLimits;
}

/** Of the parts of the schema, by all checks together: about 20 ms. */
const LIMITS: CheckLimits = { visits: 30_000, visitsACheck: 10_000 };

/** Above so many visits the validator stops at the first thing wrong in each object: all of them could fill the memory. */
const MAX_VISITS_IN_FULL = 50_000;

const UNCHECKED: Obstacle = { path: [], message: "can't be checked" };

/** One schema, ready for any number of questions. */
export interface Checker {
  /** A copy of the caller's schema, in the validator's words. */
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
  /** What is wrong with a value, as the validator says it; an obstacle when finding out would take too long. */
  explain(part: Schema, value: unknown): readonly OutputUnit[] | Obstacle;
}

/** Null for a schema that is too large or too deep to be read at all, or whose `$id`s are wrong. */
export function createChecker(original: Schema, limits = LIMITS): Checker | null {
  if (measure(original, MAX_SCHEMA) === null) return null;
  // The library writes into the schema that it reads.
  const schema = toValidatorWords(structuredClone(original));
  const draft = draftOf(original) ?? "2020-12";
  const lookup = toLookup(schema);
  if (lookup === null) return null;
  const patterns = createPatterns(limits.matches);
  const refStandsAlone = draft === "7";
  const toll = createToll({ target, patterns, refStandsAlone }, limits);

  function target(part: SchemaObject): Schema | undefined {
    const address = part.__absolute_ref__;
    return typeof address === "string" ? lookup?.[address] : undefined;
  }

  const explain = (part: Schema, value: unknown): readonly OutputUnit[] | Obstacle => {
    const visits = toll.pay(part, value);
    if (typeof visits !== "number") return visits;
    try {
      return validate(value, part, draft, lookup, visits > MAX_VISITS_IN_FULL).errors;
    } catch {
      // A keyword that isn't what the library takes for granted, or a name that is no text in UTF-16.
      toll.payForError();
      return UNCHECKED;
    }
  };

  function check(part: Schema, value: unknown): boolean | null {
    const errors = explain(part, value);
    return "path" in errors ? null : errors.length === 0;
  }

  return { schema, patterns, target, refStandsAlone, weigh: toll.weigh, check, explain };
}

/** Every part of the schema by its address; null when two have the same, or one has none that is a URI. */
function toLookup(schema: Schema): Record<string, Schema> | null {
  try {
    return dereference(schema);
  } catch {
    return null;
  }
}
