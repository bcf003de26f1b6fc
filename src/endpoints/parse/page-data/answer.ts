import type { DataNode, DataSource } from "../../../html/page-data/data-node";
import { isObject, type Path, type SchemaObject, stringsOf } from "../../../json-schema/keywords";
import type { Quote } from "../merge";

/** The part of a schema that the page's own data answers. */
export interface PageAnswer {
  /** The values that were found. A value is used only if it is unambiguous. */
  data: SchemaObject;
  /** The source of each value, by JSON Pointer. */
  sources: ReadonlyMap<string, DataSource>;
  /** The words that show each value. */
  quotes: readonly Quote[];
  /** The paths of the schema's properties without a value. */
  missing: readonly Path[];
  /** The paths of the required properties without a value. */
  missingRequired: readonly Path[];
}

/** Answers the properties of a schema from the page's own data, without a model. */
export function answerFromPage({
  schema,
}: {
  nodes: readonly DataNode[];
  schema: SchemaObject;
  prompt: string;
  pageText: string;
}): PageAnswer {
  const missing = isObject(schema.properties) ? Object.keys(schema.properties).map((name) => [name]) : [];
  const required = new Set(stringsOf([schema], "required"));
  return {
    data: {},
    sources: new Map(),
    quotes: [],
    missing,
    missingRequired: missing.filter(([name]) => name !== undefined && required.has(name)),
  };
}
