import { absoluteUrl } from "../../../html/parse/urls";
import type { Outline, Place } from "./place";

/** The number of characters of a hash. */
export const HASH_CHARS = 4;

/** A text of the page that a value can be read from. */
export interface Slot {
  text: string;
  place: Place;
}

/** A part of the page with the places that an extractor finds there, by their addresses. */
export interface Scope {
  /** The texts at each address, in document order. */
  slots: ReadonlyMap<string, readonly Slot[]>;
  /** The elements and objects at each address, in document order. Lists have their items there. */
  groups: ReadonlyMap<string, readonly Place[]>;
  /** The hashes of the addresses that tell if the part has something new. */
  known: ReadonlySet<string>;
  /** Returns the hashes of the addresses in and around places: a new one there is a sign of another template. */
  signsNear: (places: ReadonlySet<Place>) => ReadonlySet<string>;
  /** Returns the hashes of the words of a property's name that occur in the part. */
  wordsOf: (name: string) => string[];
}

/** Matches the first of several words. */
const FIRST_WORD = /^\p{L}{2,20} (?=\S)/u;
/** The levels below the siblings of a value in which a new element is a sign of another template. */
const SIBLING_LEVELS = 2;
const MIN_WORD_CHARS = 3;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const MAX_HEADING_CHARS = 60;
/** Data that has no effect on the page's content changes too often to be a sign of a new template. */
const CONTENT_DATA = /^@(?:json_ld|microdata|rdfa)>[^@]*$/;
/** The elements that only format words. The old price in <del> is content, so <del> and <s> aren't listed. */
const FORMATTING: ReadonlySet<string> = new Set(
  "a abbr b bdi bdo br cite code em font i kbd mark q small strong sub sup u var wbr".split(" "),
);

/**
 * Returns the addresses in a place, or in the whole page if `within` is null. A place can have several addresses:
 * - `path:` has the names of the elements between the scope and the place.
 * - `class:` has the classes of the place and of its parent.
 * - `label:` has the label of the place.
 * - `starts:` has the first word of the place and its path.
 * - `heading:` has the last heading before the place, and the path from the element around both.
 */
export function readScope({ places, baseUrl }: Outline, within: Place | null): Scope {
  const slots = new Map<string, Slot[]>();
  const groups = new Map<string, Place[]>();
  const known = new Set<string>();
  const inner = within === null ? places : places.slice(within.index, within.end);
  for (const place of inner) {
    if (place.isAround) continue;
    const path = toPath(place, within);
    const names = toAddresses(place, path, within);
    for (const name of names) add(groups, name, place);
    const { text, label, attributes } = place;
    if (text !== null && text !== "" && place.hasOwnText) {
      const [first] = FIRST_WORD.exec(text) ?? [];
      const own = first === undefined ? names : [...names, `starts:${first.trim().toLowerCase()}|${path}`];
      for (const name of own) add(slots, name, { text, place });
    }
    if (label !== null) add(slots, `label:${label.words}|${place.tag}`, { text: label.text, place });
    for (const [attribute, value] of attributes) {
      const isUrl = attribute === "href" || attribute === "src";
      const text = isUrl ? (absoluteUrl(value, baseUrl) ?? value) : value;
      for (const name of names) add(slots, `${name}@${attribute}`, { text, place });
    }
    for (const name of toSigns(place, path)) known.add(hash(name));
  }
  let text: string | undefined;
  return {
    ...{ slots, groups, known },
    signsNear: (found) => findSignsNear(inner, found, within),
    wordsOf: (name) => {
      text ??= toSearchText(inner);
      return findWords(text, name);
    },
  };
}

/**
 * Returns the signs of the places below `found`, of their siblings with two levels below, and of the siblings of the
 * elements around them.
 */
function findSignsNear(inner: readonly Place[], found: ReadonlySet<Place>, within: Place | null): ReadonlySet<string> {
  const children = new Map<Place | null, Place[]>();
  for (const place of inner) add(children, place.parent, place);
  const signs = new Set<string>();
  const visited = new Set<Place | null>();
  const visit = (place: Place, levels: number) => {
    if (place.isAround) return;
    for (const sign of toSigns(place, toPath(place, within))) signs.add(hash(sign));
    if (levels > 0) for (const child of children.get(place) ?? []) visit(child, levels - 1);
  };
  for (const place of found) {
    visit(place, Number.POSITIVE_INFINITY);
    for (let at: Place | null = place; at !== null && at !== within; at = at.parent) {
      const isNew = !visited.has(at.parent);
      visited.add(at.parent);
      const levels = at === place ? SIBLING_LEVELS : 0;
      if (isNew || levels > 0) for (const sibling of children.get(at.parent) ?? []) visit(sibling, levels);
    }
  }
  return signs;
}

function toSearchText(places: readonly Place[]): string {
  const texts = places.flatMap(({ text, hasOwnText, isAround }) => (text && hasOwnText && !isAround ? [text] : []));
  return texts.join("\n").toLowerCase();
}

function findWords(text: string, name: string): string[] {
  return toNameWords(name).flatMap((word) => (text.includes(word) ? [hash(`word:${word}`)] : []));
}

/** Returns the words of a property's name in lower case. Plurals count as singulars. */
export function toNameWords(name: string): string[] {
  const words =
    name
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return words.filter(({ length }) => length >= MIN_WORD_CHARS).map((word) => word.replace(/(?<=\p{L}{2})s$/u, ""));
}

/** Returns the path from the scope to the place. */
function toPath(place: Place, within: Place | null): string {
  if (within === null) return place.path;
  return place === within ? "." : place.path.slice(within.path.length + 1);
}

function toAddresses(place: Place, path: string, within: Place | null): string[] {
  const { classes, heading } = place;
  const names = [`path:${path}`];
  if (classes !== null) names.push(`class:${classes}`);
  if (within === null && heading?.text && heading.text.length <= MAX_HEADING_CHARS && heading !== place) {
    names.push(`heading:${heading.text.toLowerCase()}|${toPathFrom(heading, place)}`);
  }
  return names;
}

/** Returns the path to `place` from the innermost element around both places. */
function toPathFrom(before: Place, place: Place): string {
  let around = place.parent;
  while (around !== null && !(around.index <= before.index && before.index < around.end)) around = around.parent;
  return around === null || around.path === "" ? place.path : place.path.slice(around.path.length + 1);
}

/** Returns the addresses whose first appearance on a page is a sign of something that wasn't there before. */
function toSigns({ text, label, classes }: Place, path: string): string[] {
  if (text === "" || (path.startsWith("@") && !CONTENT_DATA.test(path))) return [];
  const signs = [`path:${withoutFormatting(path)}`];
  if (classes !== null) signs.push(`class:${classes}`);
  if (label?.isTerm === true) signs.push(`label:${label.words}`);
  return signs;
}

/** Returns true if the hash of the address is in `Scope.known` of each page that has text at this address. */
export function isKnowable(address: string): boolean {
  if (address.startsWith("class:")) return !address.includes("@");
  const path = address.startsWith("path:") ? address.slice("path:".length) : "@";
  if (path.startsWith("@")) return CONTENT_DATA.test(path);
  return !path.includes("@") && withoutFormatting(path) === path;
}

function withoutFormatting(path: string): string {
  let end = path.length;
  for (let at = path.lastIndexOf(">"); at >= 0 && FORMATTING.has(path.slice(at + 1, end)); ) {
    end = at;
    at = path.lastIndexOf(">", at - 1);
  }
  return path.slice(0, end);
}

function add<Key, Value>(map: Map<Key, Value[]>, name: Key, value: Value): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [value]);
  else known.push(value);
}

/** Returns the address of a locator. */
export function toAddress(locator: string): string {
  return locator.slice(0, locator.indexOf("\t"));
}

/**
 * Returns a hash of a text (FNV-1a, 24 bits) with four characters. A collision hides one of several signs of another
 * template.
 */
export function hash(text: string): string {
  let code = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) code = Math.imul(code ^ text.charCodeAt(at), 0x01000193);
  const folded = (code ^ (code >>> 24)) & 0xffffff;
  return [18, 12, 6, 0].map((shift) => DIGITS.charAt((folded >>> shift) & 63)).join("");
}
