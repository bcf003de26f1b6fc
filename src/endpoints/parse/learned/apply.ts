import { isObject, memberOf, type SchemaObject } from "../../../json-schema/keywords";
import { toPointer } from "../../../json-schema/pointer";
import { toCanonicalJson } from "../../../lib/json";
import { MAX_QUOTE_CHARS } from "../../../model/limits";
import type { PartAnswer, Quote } from "../merge";
import { readScope, type Scope } from "./addresses";
import { toMembers, toProfile } from "./observe";
import type { Absence, GroupPattern, LeafPattern, ListPattern, Pattern, Profile, ScopePattern } from "./pattern";
import type { Outline, Place } from "./place";
import { read, type Scalar } from "./readings";

/** A value may be longer than the longest one so far by this factor, and by this many characters. */
const LONGER_FACTOR = 3;
const LONGER_CHARS = 20;

/** The values of a page, with the texts that show them. */
export interface AppliedAnswer extends PartAnswer {
  /** The visible texts that the values were read from. Texts of declared data and of attributes aren't visible. */
  shown: readonly string[];
}

/** The result of applying a pattern: the values, or the reason why there are none. */
export type Applied = AppliedAnswer | { data: null; reason: string };

/** Thrown if a value isn't certain. The message names the reason without any content of the page. */
class UncertainError extends Error {
  override readonly name = "UncertainError";
}

/**
 * Reads the values of a page by a pattern. Returns a reason instead if any value isn't certain: if the page has an
 * address near a value that no page before had, if a locator finds nothing, or if two locators find different values.
 */
export function applyPattern(learned: ScopePattern, outline: Outline, schema: SchemaObject): Applied {
  const reader = new Reader(outline);
  try {
    const data = reader.scope(learned, readScope(outline, null), { path: [], schema });
    if (!isObject(data)) return { data: null, reason: "The page has no values." };
    return { data, quotes: reader.quotes, shown: [...reader.shown] };
  } catch (error) {
    if (error instanceof UncertainError) return { data: null, reason: error.message };
    throw error;
  }
}

/** A part of the page, with the hashes of what the pages before had. */
interface KnownScope extends Scope {
  before: ReadonlySet<string>;
  /** The places of the values that were read. */
  found: Set<Place>;
}

interface Position {
  path: readonly string[];
  schema: SchemaObject;
}

class Reader {
  readonly #outline: Outline;
  readonly quotes: Quote[] = [];
  readonly shown = new Set<string>();

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  scope({ pattern, known }: ScopePattern, scope: Scope, position: Position): unknown {
    const before = new Set(known);
    const found = new Set<Place>();
    const value = this.#read(pattern, { ...scope, before, found }, position);
    const isNew = scope
      .signsNear(found)
      .values()
      .some((sign) => !before.has(sign));
    if (isNew) throw new UncertainError("The page has a new part near a value.");
    return value;
  }

  #read(pattern: Pattern, scope: KnownScope, { path, schema }: Position): unknown {
    switch (pattern.kind) {
      case "absent":
        return toAbsent(pattern.absent, scope, path);
      case "leaf":
        return this.#leaf(pattern, scope, { path, schema });
      case "list":
        return this.#list(pattern, scope, { path, schema });
      case "object": {
        const members = Object.entries(pattern.members).flatMap(([name, inner]) => {
          const own = memberOf(schema.properties, name);
          const position = { path: [...path, name], schema: isObject(own) ? own : {} };
          const value = this.#read(inner, scope, position);
          return value === undefined ? [] : [[name, value] as const];
        });
        return Object.fromEntries(members);
      }
    }
  }

  #leaf({ locators, profile, absent, values }: LeafPattern, scope: KnownScope, { path, schema }: Position): unknown {
    const pointer = toPointer(path);
    const members = toMembers(schema);
    const found = locators.map((locator) => {
      const at = locator.indexOf("\t");
      const address = locator.slice(0, at);
      const [slot, second] = scope.slots.get(address) ?? [];
      if (slot === undefined) return null;
      scope.found.add(slot.place);
      const value = second === undefined ? read(locator.slice(at + 1), slot.text, members) : undefined;
      if (value === undefined) throw new UncertainError(`${pointer}: A place has another text than expected.`);
      if (isVisible(address, slot.place)) this.shown.add(slot.text);
      return { value, text: slot.text };
    });
    const [first, ...others] = found.filter((one) => one !== null);
    if (first === undefined && absent !== null) return toAbsent(absent, scope, path);
    if (first === undefined || found.includes(null)) throw new UncertainError(`${pointer}: A place is missing.`);
    // So far, most pages have no such value. One value isn't enough to know its place.
    if (absent !== null && values.length < 2) throw new UncertainError(`${pointer}: The value was seen only once.`);
    if (others.some(({ value }) => value !== first.value)) {
      throw new UncertainError(`${pointer}: The places of the value have different values.`);
    }
    if (!fits(first.value, profile)) throw new UncertainError(`${pointer}: The value has another form than before.`);
    const [shortest = ""] = [first, ...others].map(({ text }) => text).sort((a, b) => a.length - b.length);
    this.quotes.push({ pointer, quote: shortest.slice(0, MAX_QUOTE_CHARS) });
    return first.value;
  }

  #list({ groups, empty }: ListPattern, scope: KnownScope, position: Position): unknown {
    const pointer = toPointer(position.path);
    const before = this.quotes.length;
    const lists = Object.entries(groups).map(([address, group]) => {
      this.quotes.length = before;
      const places = scope.groups.get(address) ?? [];
      for (const place of places) scope.found.add(place);
      return this.#group(group, places, position);
    });
    const [first, ...others] = lists;
    const isSame = others.every((other) => toCanonicalJson(other) === toCanonicalJson(first));
    if (!isSame) throw new UncertainError(`${pointer}: The places of the list have different items.`);
    if (first !== undefined && first.length > 0) return first;
    if (empty === null) throw new UncertainError(`${pointer}: The list is missing.`);
    return empty === "list" ? [] : toAbsent(empty, scope, position.path);
  }

  #group({ scope, isOneParent }: GroupPattern, places: readonly Place[], { path, schema }: Position): unknown[] {
    if (isOneParent && new Set(places.map(({ parent }) => parent)).size > 1) {
      throw new UncertainError(`${toPointer(path)}: The items are in several places.`);
    }
    const items = isObject(schema.items) ? schema.items : {};
    return places.map((place, at) =>
      this.scope(scope, readScope(this.#outline, place), { path: [...path, String(at)], schema: items }),
    );
  }
}

/** Returns true if the text at an address is visible: if it is neither an attribute's nor declared data. */
function isVisible(address: string, { tag }: Place): boolean {
  return tag !== "" && !address.includes("@");
}

/** Returns true if the value looks like the values so far. */
function fits(value: Scalar, { maxChars, characters }: Profile): boolean {
  const own = toProfile(value);
  if (typeof value === "number") return !own.characters.includes("-") || characters.includes("-");
  return (
    own.maxChars <= LONGER_FACTOR * maxChars + LONGER_CHARS &&
    [...own.characters].every((character) => characters.includes(character))
  );
}

/** Returns the form of a missing value. Throws if the page has a word of the property's name that no page before had. */
function toAbsent(absent: Absence, { wordsOf, before }: KnownScope, path: readonly string[]): null | "" | undefined {
  if (wordsOf(path.at(-1) ?? "").some((word) => !before.has(word))) {
    throw new UncertainError(`${toPointer(path)}: The page may have a value for the first time.`);
  }
  return { null: null, empty: "" as const, omitted: undefined }[absent];
}
