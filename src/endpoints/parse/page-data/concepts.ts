import table from "./concepts.json";
import { toKey } from "./keys";

/** The way in which the values of a concept are read. See `toScalars`. */
export type Kind =
  | "text"
  | "title"
  | "name"
  | "number"
  | "amount"
  | "currency"
  | "date"
  | "duration"
  | "state"
  | "url"
  | "keywords"
  | "ingredients"
  | "steps"
  | "yield"
  | "object";

/** Something that many schemas ask for, and the places where pages declare it. */
export interface Concept {
  kind: Kind;
  /** The keys of the names. See `toKey`. */
  keys: ReadonlySet<string>;
  /** The paths in an object of schema.org, the best one first. The first path with a value is used. */
  paths: readonly (readonly string[])[];
  /** The names of meta elements. */
  meta: readonly string[];
  /** If given, the concept applies only to objects of these families. See `familyOf`. */
  families: ReadonlySet<string> | null;
  /** True if a declared value is used only if the page shows it. */
  mustBeShown: boolean;
}

/** A row of the table. Names are separated by commas, and paths, meta elements and families by spaces. */
interface ConceptRow {
  kind: Kind;
  names: string;
  paths: string;
  meta?: string;
  families?: string;
  mustBeShown?: boolean;
}

const BY_KEY = new Map<string, Concept[]>();
for (const { kind, names, paths, meta, families, mustBeShown = false } of table as ConceptRow[]) {
  const keys = new Set(names.split(", ").map(toKey));
  const concept = {
    kind,
    keys,
    paths: paths.split(" ").map((path) => path.split(".")),
    meta: meta?.split(" ") ?? [],
    families: families === undefined ? null : new Set(families.split(" ")),
    mustBeShown,
  };
  for (const key of keys) BY_KEY.set(key, [...(BY_KEY.get(key) ?? []), concept]);
}

/** Returns the concepts that a key can mean for an object of this family, or of any family by default. */
export function conceptsOf(key: string, family?: string): readonly Concept[] {
  const concepts = BY_KEY.get(key) ?? [];
  return family === undefined ? concepts : concepts.filter(({ families }) => families?.has(family) ?? true);
}

/** Returns the keys of all names with the same meaning, in all languages. */
export function synonymsOf(key: string): ReadonlySet<string> {
  return new Set([key, ...conceptsOf(key).flatMap(({ keys }) => [...keys])]);
}
