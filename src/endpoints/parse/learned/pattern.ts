/** The form of a property without a value in the data. */
export type Absence = "null" | "empty" | "omitted";

/** The features that the values of a property have in common. */
export interface Profile {
  maxChars: number;
  /** The kinds of characters in the values: letters (L), digits (N), and each other character that isn't white space. */
  characters: string;
}

/** A value that all pages so far have at the same places. */
export interface LeafPattern {
  kind: "leaf";
  /**
   * Each locator is an address and a reading, separated by a tab. Each of them returns the value of every page so far.
   */
  locators: readonly string[];
  /** The number of each locator's place. Only in the pattern of one page. */
  places?: readonly number[];
  /** The hashes of the first different values. They tell if the value varies. */
  values: readonly string[];
  /** The number of values so far. */
  count: number;
  profile: Profile;
  /** The form of the property where it has no value. Null if it always has one. */
  absent: Absence | null;
}

/** A property that no page so far has a value for. */
export interface AbsentPattern {
  kind: "absent";
  absent: Absence;
}

export interface ObjectPattern {
  kind: "object";
  members: Readonly<Record<string, Pattern>>;
}

/** A list that all pages so far have at the same places. */
export interface ListPattern {
  kind: "list";
  /** The items by the address of their elements. Each group returns the list of every page so far. */
  groups: Readonly<Record<string, GroupPattern>>;
  /** The form of a list without items: `[]` (list), or a property without a value. Null if no list was empty. */
  empty: Absence | "list" | null;
  /** The number of items in the longest list so far. */
  longest: number;
}

/** The items of a list. */
export interface GroupPattern {
  scope: ScopePattern;
  /** True if the elements of the items have the same parent on every page so far. */
  isOneParent: boolean;
}

export type Pattern = LeafPattern | AbsentPattern | ObjectPattern | ListPattern;

/** A part of the page with the values that are read from it: the whole page, or an item of a list. */
export interface ScopePattern {
  pattern: Pattern;
  /** The hashes of the addresses that at least two pages so far have. See `Scope.known`. */
  known: readonly string[];
  /** The hashes of the addresses that one page so far has. On the next such page, a value may be there. */
  once: readonly string[];
}

/** Thrown if a page or its data can't be learned. */
export class NotLearnable extends Error {
  override readonly name = "NotLearnable";
}
