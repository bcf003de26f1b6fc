import { hash, isKnowable, toAddress } from "./addresses";
import type {
  AbsentPattern,
  GroupPattern,
  LeafPattern,
  ListPattern,
  ObjectPattern,
  Pattern,
  ScopePattern,
} from "./pattern";

/** The number of different values that a pattern remembers. */
const MAX_VALUES = 4;

/**
 * Returns the pattern of the pages of both patterns: it keeps the places that show the values of all these pages.
 * Returns null if there are none for a value. With `isStrict`, also returns null if the pages on the right have a new
 * place that shows one of the values: the value may come from there, and may differ from the known places on other pages.
 */
export function mergeScopes(
  left: ScopePattern,
  right: ScopePattern,
  { isStrict }: { isStrict: boolean },
): ScopePattern | null {
  const [before, after] = [left, right].map(({ known, once }) => new Set([...known, ...once]));
  if (before === undefined || after === undefined) return null;
  const pattern = mergePatterns(left.pattern, right.pattern, { left: before, right: after, isStrict });
  const known = new Set([...left.known, ...right.known, ...before.intersection(after)]);
  const once = before.union(after).difference(known);
  return pattern && { pattern, known: [...known], once: [...once] };
}

interface Known {
  /** The addresses that exist on the pages of each pattern. */
  left: ReadonlySet<string>;
  right: ReadonlySet<string>;
  isStrict: boolean;
}

function mergePatterns(left: Pattern, right: Pattern, known: Known): Pattern | null {
  if (left.kind === "leaf" && right.kind === "leaf") return mergeLeaves(left, right, known);
  if (left.kind === "leaf" && right.kind === "absent") return addAbsence(left, right, known.right);
  if (left.kind === "absent" && right.kind === "leaf") return addAbsence(right, left, known.left);
  if (left.kind === "absent" && right.kind === "absent") return right;
  if (left.kind === "object" && right.kind === "object") return mergeObjects(left, right, known);
  const lists = [left, right].map((pattern) => (pattern.kind === "absent" ? toEmptyList(pattern) : pattern));
  const [first, second] = lists;
  return first?.kind === "list" && second?.kind === "list" ? mergeLists(first, second, known) : null;
}

function mergeLeaves(left: LeafPattern, right: LeafPattern, known: Known): LeafPattern | null {
  const shared = new Set(right.locators);
  const locators = left.locators.filter((locator) => shared.has(locator));
  if (locators.length === 0 || (known.isStrict && hasNewPlace(right, new Set(locators), known.left))) return null;
  const characters = new Set(left.profile.characters + right.profile.characters);
  return {
    kind: "leaf",
    locators,
    values: [...new Set([...left.values, ...right.values])].slice(0, MAX_VALUES),
    count: left.count + right.count,
    profile: {
      maxChars: Math.max(left.profile.maxChars, right.profile.maxChars),
      characters: [...characters].sort().join(""),
    },
    absent: right.absent ?? left.absent,
  };
}

/** Returns true if the value is also shown by a place that earlier pages don't have. `kept` are the known locators. */
function hasNewPlace({ locators, places = [] }: LeafPattern, kept: ReadonlySet<string>, known: ReadonlySet<string>) {
  const keptPlaces = new Set(places.filter((_, at) => kept.has(locators[at] ?? "")));
  return locators.some((locator, at) => isNew(toAddress(locator), known) && !keptPlaces.has(places[at] ?? -1));
}

function isNew(address: string, known: ReadonlySet<string>): boolean {
  return isKnowable(address) && !known.has(hash(address));
}

/**
 * Returns the pattern of a value that some pages don't have. Keeps only the locators that find nothing on these pages.
 * Only addresses in `known` can prove this.
 */
function addAbsence(leaf: LeafPattern, { absent }: AbsentPattern, known: ReadonlySet<string>): LeafPattern | null {
  const locators = leaf.locators.filter((locator) => {
    const address = toAddress(locator);
    return isNew(address, known);
  });
  const { places: _, ...others } = leaf;
  return locators.length === 0 ? null : { ...others, locators, absent };
}

function mergeObjects(left: ObjectPattern, right: ObjectPattern, known: Known): ObjectPattern | null {
  const members: [string, Pattern][] = [];
  for (const name of new Set([...Object.keys(left.members), ...Object.keys(right.members)])) {
    const merged = mergePatterns(memberOf(left, name), memberOf(right, name), known);
    if (merged === null) return null;
    members.push([name, merged]);
  }
  return { kind: "object", members: Object.fromEntries(members) };
}

function memberOf({ members }: ObjectPattern, name: string): Pattern {
  const own = Object.hasOwn(members, name) ? members[name] : undefined;
  return own ?? { kind: "absent", absent: "omitted" };
}

function toEmptyList({ absent }: AbsentPattern): ListPattern {
  return { kind: "list", groups: {}, empty: absent, longest: 0 };
}

function mergeLists(left: ListPattern, right: ListPattern, known: Known): ListPattern | null {
  const longest = Math.max(left.longest, right.longest);
  const empty = right.empty ?? left.empty;
  if (left.longest === 0) return withEmpty(right, known.left, { empty, longest });
  if (right.longest === 0) return withEmpty(left, known.right, { empty, longest });
  const groups = Object.entries(left.groups).flatMap(([address, group]): [string, GroupPattern][] => {
    const other = Object.hasOwn(right.groups, address) ? right.groups[address] : undefined;
    const scope = other === undefined ? null : mergeScopes(group.scope, other.scope, known);
    if (scope === null || other === undefined) return [];
    return [[address, { scope, isOneParent: group.isOneParent && other.isOneParent }]];
  });
  return groups.length === 0 ? null : { kind: "list", groups: Object.fromEntries(groups), empty, longest };
}

/** Keeps the groups that don't exist on the pages where the list is empty. */
function withEmpty(
  { groups }: ListPattern,
  known: ReadonlySet<string>,
  { empty, longest }: Pick<ListPattern, "empty" | "longest">,
): ListPattern | null {
  const kept = Object.entries(groups).filter(([address]) => isNew(address, known));
  if (kept.length === 0 && longest > 0) return null;
  return { kind: "list", groups: Object.fromEntries(kept), empty, longest };
}
