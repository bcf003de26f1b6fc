/** How the values of a concept are read. See `toScalars`. */
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
}
