import type { DataNode } from "../../../html/page-data/data-node";
import { isObject, type Path, type Schema, type SchemaObject, toSchemaEntries } from "../../../json-schema/keywords";
import { toPointer } from "../../../json-schema/pointer";
import { createValidator, type SchemaValidator } from "../../../json-schema/validate";
import type { Quote } from "../merge";
import { chooseSubject } from "./choose-subject";
import { Filler } from "./fill";
import type { AnswerSource, Mark } from "./filled";
import { toPageView } from "./page-view";
import { PromptScope } from "./prompt-scope";
import { withoutUnproved } from "./proofs";
import { toShape } from "./shape";

/** The part of a schema that the page's own data answers. */
export interface PageAnswer {
  /** The values that were found. A value is used only if it is unambiguous. */
  data: SchemaObject;
  /** The source of each value, by JSON Pointer. */
  sources: ReadonlyMap<string, AnswerSource>;
  /** The words that show each value. */
  quotes: readonly Quote[];
  /** The paths of the schema's properties without a value. */
  missing: readonly Path[];
  /** The paths of the required properties without a value. */
  missingRequired: readonly Path[];
}

/**
 * Answers the properties of a schema from the page's own data, without a model. Leaves out a value if another one fits as
 * well, if the prompt qualifies the property, or if neither the page nor the declaration shows the value. Lists are
 * answered completely or not at all.
 */
export function answerFromPage(input: {
  nodes: readonly DataNode[];
  schema: SchemaObject;
  prompt: string;
  /** The text of the page. It is read only if a value must be searched in it, because it can be expensive. */
  readonly pageText: string;
}): PageAnswer {
  const { nodes, schema, prompt } = input;
  const validator = createValidator(schema);
  if (validator === null) return toAnswer({ data: {}, marks: [] }, schema, null);
  const shape = toShape(validator.schema, validator);
  const page = toPageView(nodes);
  const filler = new Filler({ page, validator, scope: new PromptScope(prompt, schema) });
  const found = filler.fillObject(shape, chooseSubject(shape, page, validator));
  if (filler.isExhausted) return toAnswer({ data: {}, marks: [] }, validator.schema, validator);
  return toAnswer(withoutUnproved(found, { shape, validator, page, input }), validator.schema, validator);
}

/** Returns the answer with these values. Lists the properties without a value. */
export function toAnswer(
  { data, marks }: { data: SchemaObject; marks: readonly Mark[] },
  schema: Schema,
  validator: SchemaValidator | null,
): PageAnswer {
  const missing: Path[] = [];
  const missingRequired: Path[] = [];
  collectMissing(data, { schema, path: [], isRequired: true }, { validator, missing, missingRequired });
  return {
    data,
    sources: new Map(marks.map(({ path, source }) => [toPointer(path), source])),
    quotes: marks.map(({ path, quote }) => ({ pointer: toPointer(path), quote })),
    missing,
    missingRequired,
  };
}

/** Collects the properties without a value. A property whose object is missing isn't listed. */
function collectMissing(
  data: SchemaObject,
  { schema, path, isRequired }: { schema: Schema; path: Path; isRequired: boolean },
  lists: { validator: SchemaValidator | null; missing: Path[]; missingRequired: Path[] },
): void {
  const { validator, missing, missingRequired } = lists;
  const properties =
    validator === null
      ? new Map(toSchemaEntries(isObject(schema) ? schema.properties : undefined))
      : toShape(schema, validator).properties;
  const required =
    validator === null
      ? new Set(isObject(schema) ? [schema.required].flat() : [])
      : toShape(schema, validator).required;
  for (const [name, inner] of properties) {
    const own = [...path, name];
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined) {
      missing.push(own);
      if (isRequired && required.has(name)) missingRequired.push(own);
    } else if (isObject(value))
      collectMissing(value, { schema: inner, path: own, isRequired: isRequired && required.has(name) }, lists);
  }
  // A required property needn't be listed in `properties`.
  for (const name of required) {
    if (typeof name !== "string" || properties.has(name) || !isRequired) continue;
    missing.push([...path, name]);
    missingRequired.push([...path, name]);
  }
}
