import { MAX_QUOTES } from "../limits";
import { toPointer } from "../schema/places";
import { type Leaf, leavesOf, toLeafPath } from "./leaves";
import type { Quote } from "./merge";

/**
 * The quotes of an answer, for what a model has made of it since. A quote goes with its value to the same member of
 * whatever item holds that now; where as many places don't hold the value as before, nobody knows which one is gone, and
 * the quote is dropped: better none than one that vouches for its neighbour.
 */
export function requote(quotes: readonly Quote[], before: unknown, after: unknown): Quote[] {
  const [known, now] = [pointersByValue(before), pointersByValue(after)];
  return quotes.slice(0, MAX_QUOTES).flatMap(({ pointer, quote }) => {
    const path = toLeafPath(before, pointer);
    const place = path === null ? undefined : known.places.get(toPointer(path));
    if (place === undefined) return [];
    const left = now.groups.get(place.key) ?? [];
    const to = left.length === known.groups.get(place.key)?.length ? left[place.index] : undefined;
    return to === undefined ? [] : [{ pointer: to, quote }];
  });
}

interface Places {
  /** The pointers to each value at each shape, in order. */
  groups: ReadonlyMap<string, readonly string[]>;
  /** By pointer: in which group, and where in it. */
  places: ReadonlyMap<string, { key: string; index: number }>;
}

function pointersByValue(data: unknown): Places {
  const groups = new Map<string, string[]>();
  const places = new Map<string, { key: string; index: number }>();
  for (const leaf of leavesOf(data)) {
    const key = keyOf(leaf);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    const pointer = toPointer(leaf.path);
    places.set(pointer, { key, index: group.length });
    group.push(pointer);
  }
  return { groups, places };
}

function keyOf({ shape, value }: Leaf): string {
  return JSON.stringify([shape, value]);
}
