import type { Kind } from "./concept";
import { toKey } from "./keys";
import { ORGANIZATION_CONCEPTS } from "./organization-concepts";
import { PAGE_CONCEPTS } from "./page-concepts";
import { PRODUCT_CONCEPTS } from "./product-concepts";
import { RECIPE_CONCEPTS } from "./recipe-concepts";

/** Something that many schemas ask for, and the places where pages declare it. */
export interface Concept {
  kind: Kind;
  /** The paths in an object of schema.org, the best one first. The first path with a value is used. */
  paths: readonly (readonly string[])[];
  /** The names of meta elements. */
  meta: readonly string[];
  /** The keys of the names, which labels on pages have, too. */
  keys: ReadonlySet<string>;
  /** If given, the concept applies only to objects of these families. See `familyOf`. */
  families: ReadonlySet<string> | null;
  /** True if several sources of a page must agree on the value. */
  isChecked: boolean;
  /** True if the page must show the value. */
  isShown: boolean;
  /** False if labels on the page aren't used. */
  isLabeled: boolean;
}

/** Kinds of values that labels don't have, or that have the same label as other values of a page. */
const UNLABELED = new Set<Kind>(["title", "url", "steps", "ingredients", "object", "keywords", "date"]);
const CHECKED = new Set<Kind>(["number", "amount", "currency", "date", "duration", "state", "yield"]);

const CONCEPTS: readonly Concept[] = [
  ...PAGE_CONCEPTS,
  ...PRODUCT_CONCEPTS,
  ...RECIPE_CONCEPTS,
  ...ORGANIZATION_CONCEPTS,
].map(({ kind, names, paths, meta = "", families, isShown = false, isUnlabeled = false }) => ({
  kind,
  paths: paths.split(" ").map((path) => path.split(".")),
  meta: meta.split(" ").filter((name) => name !== ""),
  keys: new Set(names.split(", ").map(toKey)),
  families: families === undefined ? null : new Set(families.split(" ")),
  isChecked: CHECKED.has(kind),
  isShown: isShown || kind === "amount" || kind === "state",
  isLabeled: !isUnlabeled && !UNLABELED.has(kind),
}));

const BY_KEY: ReadonlyMap<string, readonly Concept[]> = Map.groupBy(
  CONCEPTS.flatMap((concept) => [...concept.keys].map((key) => ({ key, concept }))),
  ({ key }) => key,
)
  .entries()
  .reduce(
    (map, [key, entries]) =>
      map.set(
        key,
        entries.map(({ concept }) => concept),
      ),
    new Map<string, Concept[]>(),
  );

/** Returns the concepts that a key can mean for an object of this family. */
export function conceptsOf(key: string, family: string): readonly Concept[] {
  return (BY_KEY.get(key) ?? []).filter(({ families }) => families === null || families.has(family));
}

/** Returns the concepts that a key can mean for any object. */
export function conceptsOfAny(key: string): readonly Concept[] {
  return BY_KEY.get(key) ?? [];
}

/** Returns true if the key is the name of a concept in any family. */
export function isConceptKey(key: string): boolean {
  return BY_KEY.has(key);
}

/** Returns the keys of all names with the same meaning, in all languages. */
export function synonymsOf(key: string): ReadonlySet<string> {
  return new Set([key, ...(BY_KEY.get(key) ?? []).flatMap(({ keys }) => [...keys])]);
}
