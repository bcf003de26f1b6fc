import { collapseAndTrim } from "../../../html/parse/white-space";
import { isObject, memberOf, type SchemaObject, stringsOf, toArray } from "../../../json-schema/keywords";
import { hash, readScope, type Scope, type Slot } from "./addresses";
import { mergeScopes } from "./merge-patterns";
import {
  type Absence,
  type GroupPattern,
  type LeafPattern,
  type ListPattern,
  NotLearnable,
  type Pattern,
  type Profile,
  type ScopePattern,
} from "./pattern";
import type { Outline, Place } from "./place";
import { readingsOf, type Scalar } from "./readings";

/** The maximum number of locators of a value. All of them must agree, so more locators make the value safer. */
const MAX_LOCATORS = 24;
/** The maximum number of addresses of a list's items. */
const MAX_GROUPS = 8;
const MAX_TRIED_GROUPS = 60;
/** The maximum number of places that are read, and of texts that are compared with values. It bounds the time. */
const MAX_STEPS = 400_000;
/** A page with more addresses isn't learned. */
const MAX_KNOWN = 3_000;
const MAX_DEPTH = 6;

/**
 * Finds the places of the page that show the data, which a model extracted. Returns null if a value isn't at any place,
 * or if the page is too large.
 */
export function observe(data: SchemaObject, outline: Outline, schema: SchemaObject): ScopePattern | null {
  try {
    return new Observer(outline).scope(data, null, { schema, depth: 0 });
  } catch (error) {
    if (error instanceof NotLearnable) return null;
    throw error;
  }
}

/** The scope of a value. */
interface ObservedScope extends Scope {
  /** The words of the names of properties without a value that occur anyway. A new one is a sign of a value. */
  words: Set<string>;
  /** The name of the property. */
  name: string;
}

interface Within {
  /** The schema of the value. An empty one if it isn't known. */
  schema: SchemaObject;
  depth: number;
}

class Observer {
  readonly #outline: Outline;
  readonly #scopes = new Map<Place | null, Scope>();
  #steps = 0;

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  scope(value: unknown, place: Place | null, within: Within): ScopePattern {
    this.#count(place === null ? 1 : place.end - place.index);
    const known = this.#scopes.get(place) ?? readScope(this.#outline, place);
    this.#scopes.set(place, known);
    if (known.known.size > MAX_KNOWN || within.depth > MAX_DEPTH) throw new NotLearnable();
    const words = new Set<string>();
    const pattern = this.#pattern(value, { ...known, words, name: "" }, within);
    return { pattern, known: [], once: [...known.known, ...words] };
  }

  #pattern(value: unknown, scope: ObservedScope, { schema, depth }: Within): Pattern {
    const absent = toAbsence(value);
    if (absent !== null) {
      for (const word of scope.wordsOf(scope.name)) scope.words.add(word);
      return { kind: "absent", absent };
    }
    if (Array.isArray(value)) return this.#list(value, scope, { schema, depth });
    if (isObject(value)) {
      // A property without a value can be omitted, so the schema names the properties that must be watched.
      const names = new Set([
        ...Object.keys(value),
        ...Object.keys(isObject(schema.properties) ? schema.properties : {}),
      ]);
      const members = [...names].map((name): [string, Pattern] => {
        const own = memberOf(schema.properties, name);
        return [
          name,
          this.#pattern(
            memberOf(value, name),
            { ...scope, name },
            { schema: isObject(own) ? own : {}, depth: depth + 1 },
          ),
        ];
      });
      return { kind: "object", members: Object.fromEntries(members) };
    }
    return this.#leaf(value as Scalar, scope.slots, schema);
  }

  #leaf(value: Scalar, slots: ReadonlyMap<string, readonly Slot[]>, schema: SchemaObject): LeafPattern {
    const tidy = typeof value === "string" ? collapseAndTrim(value) : value;
    const members = toMembers(schema);
    const locators: string[] = [];
    const places: number[] = [];
    for (const [address, [slot, second]] of slots) {
      if (slot === undefined || second !== undefined || locators.length >= MAX_LOCATORS) continue;
      this.#count(1);
      for (const reading of readingsOf(tidy, slot.text, members)) {
        locators.push(`${address}\t${reading}`);
        places.push(slot.place.index);
      }
    }
    if (locators.length === 0) throw new NotLearnable();
    const values = [hash(String(tidy))];
    return { kind: "leaf", locators, places, values, count: 1, profile: toProfile(tidy), absent: null };
  }

  #list(values: readonly unknown[], scope: Scope, within: Within): ListPattern {
    if (values.length === 0) return { kind: "list", groups: {}, empty: "list", longest: 0 };
    const candidates = [...scope.groups]
      .filter(([, places]) => places.length === values.length && places[0]?.text !== null)
      .sort(([, [left]], [, [right]]) => (left?.text?.length ?? 0) - (right?.text?.length ?? 0));
    const groups: [string, GroupPattern][] = [];
    for (const [address, places] of candidates.slice(0, MAX_TRIED_GROUPS)) {
      const group = this.#group(values, places, within);
      if (group !== null) groups.push([address, group]);
      if (groups.length >= MAX_GROUPS) break;
    }
    if (groups.length === 0) throw new NotLearnable();
    return { kind: "list", groups: Object.fromEntries(groups), empty: null, longest: values.length };
  }

  /** Returns the items of a list, or null if the places don't show them. */
  #group(values: readonly unknown[], places: readonly Place[], { schema, depth }: Within): GroupPattern | null {
    const items = isObject(schema.items) ? schema.items : {};
    let scope: ScopePattern | null = null;
    for (const [at, place] of places.entries()) {
      try {
        const next = this.scope(values[at], place, { schema: items, depth: depth + 1 });
        scope = scope === null ? next : mergeScopes(scope, next, { isStrict: false });
      } catch (error) {
        if (error instanceof NotLearnable && this.#steps <= MAX_STEPS) return null;
        throw error;
      }
      if (scope === null) return null;
    }
    return scope && { scope, isOneParent: new Set(places.map(({ parent }) => parent)).size === 1 };
  }

  #count(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new NotLearnable();
  }
}

/** Returns how a value is absent, or null if it is present. */
function toAbsence(value: unknown): Absence | null {
  if (value === undefined) return "omitted";
  if (value === null) return "null";
  return typeof value === "string" && value.trim() === "" ? "empty" : null;
}

/** Returns the strings that the schema allows, if it lists them. */
export function toMembers(schema: SchemaObject): string[] {
  const members = toArray(schema.enum).filter((member) => typeof member === "string");
  return [...members, ...stringsOf([schema], "const")];
}

export function toProfile(value: Scalar): Profile {
  const text = String(value);
  const characters = new Set(
    text
      .replace(/\p{L}|\p{M}/gu, "L")
      .replace(/\p{N}/gu, "N")
      .replace(/\s/g, ""),
  );
  return { maxChars: text.length, characters: [...characters].sort().join("") };
}
