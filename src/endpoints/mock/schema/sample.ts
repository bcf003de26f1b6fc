import type { Checker } from "../../../json-schema/check";
import { type Schema, type SchemaObject, TYPES, type Type, toArray } from "../../../json-schema/keywords";
import { measure } from "../../../json-schema/size";
import { sampleArray } from "./array";
import { sampleNumbers } from "./number";
import { sampleObject } from "./object";
import { countRepeats, isLean, nextChoice, toParts } from "./parts";
import { createBudget, MAX_DEPTH, type Place, type Sample, type Sampling } from "./sampling";
import { sampleTexts } from "./string";

const MAX_CANDIDATES = 64;
const NOTHING: Sample = { value: null, ok: false };

/** A value that is valid against the checker's schema, if one was found, and always the same one; else the nearest. */
export function sampleSchema(checker: Checker): unknown {
  const sampling: Sampling = { budget: createBudget(), checker, sample };
  const place: Place = { name: "", index: 0, depth: 0, path: null };

  /** Tries one candidate after the other; what a discarded one took up of the result is given back. */
  function sample(all: readonly Schema[], at: Place): Sample {
    const { budget } = sampling;
    budget.steps--;
    if (--budget.nodes < 0 || budget.steps <= 0 || at.depth > MAX_DEPTH) return NOTHING;
    const parts = toParts(all, sampling);
    if (parts === null) return NOTHING;

    const before = { ...budget };
    let first: { sample: Sample; left: { nodes: number; chars: number } } | undefined;
    let tried = 0;
    for (const candidate of sampleParts(parts, at, new Set(), sampling)) {
      const left = { nodes: budget.nodes, chars: budget.chars };
      if (candidate.ok && all.every((schema) => checker.check(schema, candidate.value) !== false)) return candidate;
      first ??= { sample: candidate, left };
      Object.assign(budget, { nodes: before.nodes, chars: before.chars });
      if (++tried >= MAX_CANDIDATES || budget.steps <= 0) break;
    }
    Object.assign(budget, first?.left);
    return { value: first?.sample.value ?? null, ok: false };
  }

  // The contract says that a root is an object; many schemas don't.
  return sample([{ type: "object" }, checker.schema], place).value;
}

/** Values for all these parts, the best first; whether they hold is for the caller to see. */
function* sampleParts(
  parts: readonly SchemaObject[],
  place: Place,
  decided: ReadonlySet<object>,
  sampling: Sampling,
): Generator<Sample> {
  const types = toTypes(parts);
  if (sampling.budget.steps <= 0 || types.length === 0) return;
  const constants = toConstants(parts);
  if (constants !== null) {
    for (const value of rotate(constants, place.index)) yield* sampleGiven(value, sampling);
    return;
  }
  const choice = nextChoice(parts, decided);
  if (choice !== undefined) {
    for (const option of inOrder(choice.options, place, sampling)) {
      const next = toParts([...parts, ...option], sampling);
      if (next !== null) yield* sampleParts(next, place, new Set([...decided, choice.key]), sampling);
    }
    return;
  }
  const given = parts.flatMap((part) => [...toArray(part.examples), ...[part.example, part.default].filter(isTelling)]);
  for (const value of rotate(given, place.index)) yield* sampleGiven(value, sampling);
  for (const type of types) yield* sampleType(type, parts, place, sampling);
}

function* sampleType(type: Type, parts: readonly SchemaObject[], place: Place, sampling: Sampling): Generator<Sample> {
  switch (type) {
    case "object":
    case "array": {
      const make = type === "object" ? sampleObject : sampleArray;
      const full = make(parts, place, true, sampling);
      yield full;
      // What is wrong with a full one is in what it must have, and the leanest must have that too.
      if (full.ok || hasDependents(parts)) yield make(parts, place, false, sampling);
      return;
    }
    case "string":
      for (const text of sampleTexts(parts, place, sampling)) {
        sampling.budget.chars -= text.length;
        yield { value: text, ok: true };
      }
      return;
    case "integer":
    case "number":
      for (const value of sampleNumbers(parts, place, type === "integer")) yield { value, ok: true };
      return;
    case "boolean":
      yield { value: place.index % 2 === 0, ok: true };
      yield { value: place.index % 2 !== 0, ok: true };
      return;
    case "null":
      yield { value: null, ok: true };
  }
}

function hasDependents(parts: readonly SchemaObject[]): boolean {
  return parts.some((part) => ["dependentRequired", "dependentSchemas", "dependencies"].some((word) => word in part));
}

/** A value that the schema itself gives, if there is still room for it. */
function* sampleGiven(value: unknown, { budget }: Sampling): Generator<Sample> {
  const size = measure(value, {
    nodes: Math.max(1, budget.nodes),
    chars: budget.chars,
    depth: MAX_DEPTH,
    pathChars: Infinity,
  });
  if (size === null) return;
  budget.nodes -= size.nodes - 1;
  budget.chars -= size.chars;
  yield { value, ok: true };
}

function toConstants(parts: readonly SchemaObject[]): readonly unknown[] | null {
  const lists = parts.flatMap((part) => [
    ...("const" in part ? [[part.const]] : []),
    ...(Array.isArray(part.enum) ? [part.enum.slice(0, MAX_CANDIDATES)] : []),
  ]);
  return lists.length === 0 ? null : lists.flat().sort((left, right) => Number(left === null) - Number(right === null));
}

/** Whether a default shows something: `null` and what is empty would only be in the way. */
function isTelling(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "";
}

/** Items of an array take turns; deep down the option comes first that leads out the soonest, elsewhere `null` comes last. */
function inOrder(
  options: readonly (readonly Schema[])[],
  place: Place,
  sampling: Sampling,
): readonly (readonly Schema[])[] {
  const ranked = options.slice(0, MAX_CANDIDATES).map((option) => {
    const parts = toParts(option, sampling) ?? [];
    const isNull = parts.some((part) => part.type === "null");
    const repeats = countRepeats(parts, place);
    return { option, isNull, rank: repeats > 1 || isLean(parts, place, sampling) ? repeats + 1 : isNull ? 1 : 0 };
  });
  const turned = [
    ...rotate(
      ranked.filter(({ isNull }) => !isNull),
      place.index,
    ),
    ...ranked.filter(({ isNull }) => isNull),
  ];
  return turned.sort((left, right) => left.rank - right.rank).map(({ option }) => option);
}

function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

const KEYWORDS_OF: readonly (readonly [Type, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "minProperties", "propertyNames"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "uniqueItems"]],
  ["string", ["pattern", "format", "minLength", "maxLength"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** The types that all parts allow, `null` last; where no part names one, first those that its keywords are of. */
function toTypes(parts: readonly SchemaObject[]): readonly Type[] {
  const named = parts.map((part) => part.type).filter((type) => type !== undefined);
  if (named.length === 0) {
    const likely = KEYWORDS_OF.filter(([, keywords]) => parts.some((part) => keywords.some((word) => word in part)));
    return [...new Set([...likely.map(([type]) => type), ...TYPES])];
  }
  const lists = named.map((type): readonly unknown[] => (Array.isArray(type) ? type : [type]));
  const allowed = (type: Type) =>
    lists.every((list) => list.includes(type) || (type === "integer" && list.includes("number")));
  const [order = []] = lists;
  const types = TYPES.filter(allowed).filter((type) => type !== "integer" || !allowed("number"));
  return types.sort((left, right) => toRank(left, order) - toRank(right, order));
}

function toRank(type: Type, order: readonly unknown[]): number {
  const at = order.indexOf(type);
  return type === "null" ? Infinity : at === -1 ? order.length : at;
}
