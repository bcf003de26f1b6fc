import type { DataSource } from "../../../html/page-data/data-node";
import type { Path, SchemaObject } from "../../../json-schema/keywords";
import type { Scalar } from "./scalars";

/** The source of a value: a part of an HTML page, or a JSON document. */
export type AnswerSource = DataSource | "json";

/** The source of a value. The path starts at the value that has the mark. */
export interface Mark {
  path: Path;
  source: AnswerSource;
  quote: string;
}

export interface Filled<Value = unknown> {
  value: Value;
  marks: readonly Mark[];
}

export interface FilledObject {
  data: SchemaObject;
  marks: readonly Mark[];
}

/** Returns a scalar with its mark. */
export function toFilled(scalar: Scalar | null): Filled | null {
  return scalar && { value: scalar.value, marks: [{ path: [], source: scalar.source, quote: scalar.quote }] };
}

/** Returns an object, or null if it has no properties. */
export function toFilledObject({ data, marks }: FilledObject): Filled | null {
  return Object.keys(data).length === 0 ? null : { value: data, marks };
}

/** Returns a list of scalars with their marks. */
export function toList(scalars: readonly Scalar[]): Filled<readonly unknown[]> {
  return {
    value: scalars.map(({ value }) => value),
    marks: scalars.map(({ source, quote }, at) => ({ path: [String(at)], source, quote })),
  };
}
