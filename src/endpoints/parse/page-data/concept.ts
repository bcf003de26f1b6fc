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

/** A concept in a table. Names are separated by commas, and paths, meta elements and families by spaces. */
export interface ConceptDefinition {
  kind: Kind;
  names: string;
  paths: string;
  meta?: string;
  families?: string;
  /** True if a declared value is used only if the page shows it. Prices and states always have to be shown. */
  isShown?: true;
  /** True if texts with this label are often something else. */
  isUnlabeled?: true;
}
