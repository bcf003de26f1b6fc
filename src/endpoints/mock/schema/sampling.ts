import type { Checker } from "../../../json-schema/check";
import type { Schema, SchemaObject } from "../../../json-schema/keywords";

/** What one mock may still take: the caller's schema can ask for anything. */
export interface Budget {
  /** Values in the result. */
  nodes: number;
  /** Characters in the result. */
  chars: number;
  /** Work, that for discarded values too. */
  steps: number;
}

export const MAX_TEXT_CHARS = 10_000;
/** From here down only what is required is filled. */
export const FULL_DEPTH = 10;
export const MAX_DEPTH = 60;
/** So often a schema may stand within itself. */
export const MAX_REPEATS = 2;
/** Kept for what is required, when there is much that isn't. */
export const RESERVED_NODES = 500;

export function createBudget(): Budget {
  return { nodes: 2_000, chars: 300_000, steps: 12_000 };
}

/** A value, and whether nothing is known to be wrong with it. */
export interface Sample {
  value: unknown;
  ok: boolean;
}

/** Where in the result a value will stand. */
export interface Place {
  /** Of the property that it is in: values are made from names. */
  name: string;
  /** Of the array's item that it is in: items differ. */
  index: number;
  depth: number;
  /** The schemas of the values around it. */
  path: Path | null;
}

export interface Path {
  parts: ReadonlySet<SchemaObject>;
  up: Path | null;
}

export interface Sampling {
  budget: Budget;
  checker: Checker;
  /** A value for which all of these schemas hold. */
  sample(all: readonly Schema[], place: Place): Sample;
}
