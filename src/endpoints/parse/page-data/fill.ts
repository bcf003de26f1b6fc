import type { DataObject } from "../../../html/page-data/data-node";
import { isObject, type Schema, type SchemaObject } from "../../../json-schema/keywords";
import type { SchemaValidator } from "../../../json-schema/validate";
import { type Candidates, findCandidates, objectsIn, type Subject, toInnerSubject } from "./candidates";
import { conceptsOf } from "./concepts";
import { familyOf, isSubjectKey } from "./families";
import { type Filled, type FilledObject, type Mark, toFilled, toFilledObject, toList } from "./filled";
import { chooseItems, isListKey } from "./item-lists";
import { toKey, wordsOf } from "./keys";
import type { PageView } from "./page-view";
import type { PromptScope } from "./prompt-scope";
import { chooseScalar, chooseScalars } from "./scalar-choice";
import type { Reading, Scalar } from "./scalars";
import { type Shape, toShape } from "./shape";
import type { ShownText } from "./shown-text";
import { isCount, isShown } from "./shown-values";
import { fillSteps } from "./steps";

const MAX_DEPTH = 8;
const MAX_ITEMS = 500;
const MIN_SHARE_WITH_AMOUNT = 0.3;
const RATING = /\b(?:rating|star|score|bewertung)\b/;
const DEFAULT_SCALE = 5;
/** Matches the end of a scale, such as in “out of 5” and “1-10”. */
const SCALE = /(?:out of|\d\s*(?:to|-|–)|\/|maximum(?: is)?|von|sur)\s*(\d+(?:\.\d+)?)/i;
const PERCENT = /percent|%/i;
/** The number of groups around a property, such as in `{"product": {"details": {"price": …}}}`. */
const MAX_GROUPS = 2;
/** The number of properties that are filled for a page. Schemas that refer to themselves have endless properties. */
const MAX_PROPERTIES = 20_000;

/** Fills the properties of a schema with the values of a subject. */
export class Filler {
  readonly #page: PageView;
  readonly #validator: SchemaValidator;
  readonly #scope: PromptScope;
  #left = MAX_PROPERTIES;

  constructor({ page, validator, scope }: { page: PageView; validator: SchemaValidator; scope: PromptScope }) {
    this.#page = page;
    this.#validator = validator;
    this.#scope = scope;
  }

  /** True if the schema has too many properties. The data is then incomplete. */
  get isExhausted(): boolean {
    return this.#left <= 0;
  }

  /** Fills the properties that are found. The object can lack required properties. */
  fillObject(shape: Shape, subject: Subject, depth = 0): FilledObject {
    const entries: [string, unknown][] = [];
    const marks: Mark[] = [];
    for (const [name, schema] of shape.properties) {
      if (this.isExhausted) break;
      this.#left--;
      const filled = this.#fillProperty(name, schema, subject, depth);
      // The whole value must be valid, for example the number of a list's items.
      if (filled === null || this.#validator.isValid(schema, filled.value) !== true) continue;
      entries.push([name, filled.value]);
      marks.push(...filled.marks.map((mark) => ({ ...mark, path: [name, ...mark.path] })));
    }
    return { data: Object.fromEntries(entries), marks };
  }

  #fillProperty(name: string, schema: Schema, subject: Subject, depth: number): Filled | null {
    const shape = toShape(schema, this.#validator);
    const key = toKey(name);
    const [option] = shape.options ?? [];
    // A property such as `kind` with a single option gets this option, because pages don't show it. For a concept such
    // as the currency, the page must show the option.
    if (shape.options?.length === 1 && option !== null && !isConcept(key, subject)) return { value: option, marks: [] };
    if (key === "" || depth > MAX_DEPTH || this.#scope.isNarrowed(key, toMeaning(shape))) return null;
    if (shape.types.has("array") && shape.items !== null) return this.#fillArray(key, shape, subject, depth);
    if (shape.types.has("object")) return this.#fillInner(key, shape, subject, depth);
    if (shape.types.size === 0 || shape.types.has("array")) return null;
    const candidates = findCandidates(key, subject);
    if (candidates === null) return null;
    const scalar = chooseScalar(candidates, this.#toReading(key, shape, candidates), subject);
    if (scalar === null || !isShown(scalar, key, candidates, subject)) return null;
    return hasOtherScale(key, shape, subject) ? null : toFilled(scalar);
  }

  #toReading(key: string, shape: Shape, { kind }: Candidates): Reading {
    return { kind, shape, key, words: [...key.split(" "), ...wordsOf(shape.description)] };
  }

  /** Fills an object: the one that the property names, or a group of properties of the subject itself. */
  #fillInner(key: string, shape: Shape, subject: Subject, depth: number): Filled | null {
    if (shape.properties.size === 0) return null;
    const candidates = findCandidates(key, subject);
    const objects = candidates === null ? [] : candidates.declared.map(objectsIn);
    const [first] = objects;
    if (first !== undefined && first.length > 0) {
      // Several objects of one source, such as two authors, are ambiguous.
      if (objects.some((list) => list.length > 1)) return null;
      const inner = toInnerSubject(objects.flat(), familyOf(first[0]?.types ?? []), subject.shown);
      return toFilledObject(this.fillObject(shape, inner, depth + 1));
    }
    if (depth < MAX_GROUPS && isSubjectKey(key, subject.family))
      return toFilledObject(this.fillObject(shape, subject, depth + 1));
    return null;
  }

  #fillArray(key: string, shape: Shape, subject: Subject, depth: number): Filled | null {
    if (shape.items === null) return null;
    const items = toShape(shape.items, this.#validator);
    const candidates = findCandidates(key, subject);
    if (candidates?.kind === "steps") return fillSteps(candidates, items);
    if (items.types.has("object")) return this.#fillItems(key, items, { candidates, subject, depth });
    if (candidates === null) return null;
    const scalars = chooseScalars(candidates, this.#toReading(key, items, candidates));
    if (candidates.kind === "ingredients" && scalars !== null && !haveAmounts(scalars)) return null;
    return scalars === null ? null : toList(scalars.slice(0, shape.maxItems));
  }

  #fillItems(
    key: string,
    items: Shape,
    { candidates, subject, depth }: { candidates: Candidates | null; subject: Subject; depth: number },
  ): Filled | null {
    const fill = (objects: readonly DataObject[], shown: ShownText) => this.#fillEach(objects, { items, shown, depth });
    const [declared, ...others] = candidates?.declared ?? [];
    if (declared !== undefined) return others.length > 0 ? null : fill(objectsIn(declared), subject.shown);
    if (subject.page === null || depth > 1) return null;
    const { shownAnywhere } = this.#page;
    return chooseItems(this.#page, { fill: (objects) => fill(objects, shownAnywhere), isList: isListKey(key) });
  }

  /** Fills an item for each object. Returns null if one of them lacks a required property. */
  #fillEach(
    objects: readonly DataObject[],
    { items, shown, depth }: { items: Shape; shown: ShownText; depth: number },
  ): Filled<readonly SchemaObject[]> | null {
    if (objects.length === 0 || objects.length > MAX_ITEMS) return null;
    const value: SchemaObject[] = [];
    const marks: Mark[] = [];
    for (const object of objects) {
      const item = toInnerSubject([object], familyOf(object.types), shown);
      const { data, marks: own } = this.fillObject(items, item, depth + 1);
      if (Object.keys(data).length === 0 || [...items.required].some((name) => !Object.hasOwn(data, name))) return null;
      marks.push(...own.map((mark) => ({ ...mark, path: [String(value.length), ...mark.path] })));
      value.push(data);
    }
    return { value, marks };
  }
}

/** Returns false if most ingredients lack their amounts. Such lists are incomplete, or are the names of parts. */
function haveAmounts(scalars: readonly Scalar[]): boolean {
  const amounts = scalars.filter(({ value }) => /[\p{N}]/u.test(String(value)));
  return amounts.length >= MIN_SHARE_WITH_AMOUNT * scalars.length;
}

/** Returns true if pages can have the property, or if this page has it. */
function isConcept(key: string, subject: Subject): boolean {
  return conceptsOf(key, subject.family).length > 0 || findCandidates(key, subject) !== null;
}

/** Returns true if the schema requires another scale for a rating than the page has. The scale ends at 5 by default. */
function hasOtherScale(key: string, { schema, description }: Shape, subject: Subject): boolean {
  if (!RATING.test(key) || isCount(key)) return false;
  const declared = (findCandidates("best rating", subject)?.declared.flat() ?? []).flatMap((node) =>
    node.kind === "value" ? Number(node.value) : [],
  );
  const scale = declared[0] ?? DEFAULT_SCALE;
  const [, shown] = SCALE.exec(description) ?? [];
  const wanted = PERCENT.test(description) ? 100 : shown === undefined ? null : Number(shown);
  const maximum = isObject(schema) && typeof schema.maximum === "number" && declared.length > 0 ? schema.maximum : null;
  return [wanted, maximum].some((one) => one !== null && one !== scale);
}

/** Returns what the schema says about the meaning of a value. A number is only used if its unit is the same. */
function toMeaning({ types, description }: Shape): { description: string; isText: boolean } {
  return { description, isText: types.has("string") };
}
