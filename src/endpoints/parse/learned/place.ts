/**
 * An element of the page, or a member of the data that the page declares. Places are numbered in document order, so
 * that the descendants of a place have the numbers between `index` and `end`.
 */
export interface Place {
  index: number;
  end: number;
  parent: Place | null;
  /** The name of the element. Empty for declared data. */
  tag: string;
  /** The keys from the root to the place, joined by `>`. The path of declared data starts with `@` and its source. */
  path: string;
  /** The classes of the parent and of the element. Null if the element has no classes. */
  classes: string | null;
  /** The visible text with collapsed white space. Empty if there is none. Null if it is too long for a value. */
  text: string | null;
  /** False if the text is the text of one child element. */
  hasOwnText: boolean;
  /** True in navigations and in the footer of the site. Values aren't read there. */
  isAround: boolean;
  /** The attributes that can contain a value. */
  attributes: readonly (readonly [name: string, value: string])[];
  label: Label | null;
  /** The last heading before the place. Null if there is none. */
  heading: Place | null;
}

/** The places of a page from which an extractor can read values. */
export interface Outline {
  places: readonly Place[];
  /** The URL against which links are resolved. */
  baseUrl: string;
}

/** A text with a label, such as `Price: 19 EUR` or a description after its <dt>. */
export interface Label {
  /** The words of the label in lower case, without a colon. */
  words: string;
  text: string;
  /** True if the label is certainly one: a <dt>, a <th>, or a text that ends with a colon. */
  isTerm: boolean;
}
