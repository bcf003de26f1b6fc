import type { DataNode } from "../../../html/page-data/data-node";
import { isObject, type Path, type Schema, type SchemaObject } from "../../../json-schema/keywords";
import { toPointer } from "../../../json-schema/pointer";
import { createValidator, type SchemaValidator } from "../../../json-schema/validate";
import type { Quote } from "../merge";
import { type Filled, Filler } from "./fill";
import { type AnswerSource, toPageView } from "./page-view";
import { PromptScope } from "./prompt-scope";
import { toShape } from "./shape";
import { chooseSubject } from "./subject";

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

const NO_VALUES: Filled<SchemaObject> = { value: {}, marks: [] };
/** The answer for a schema that can't be read. */
export const NO_ANSWER: PageAnswer = { data: {}, sources: new Map(), quotes: [], missing: [], missingRequired: [] };

/**
 * Answers the properties of a schema from what the page declares, without a model. Leaves out a value if another one fits
 * as well, if the prompt qualifies the property, or if the page should show the value and doesn't. Lists are answered
 * completely or not at all.
 */
export function answerFromPage({
  nodes,
  schema,
  prompt,
}: {
  nodes: readonly DataNode[];
  schema: SchemaObject;
  prompt: string;
}): PageAnswer {
  const validator = createValidator(schema);
  if (validator === null) return NO_ANSWER;
  const shape = toShape(validator.schema, validator);
  const page = toPageView(nodes);
  const filler = new Filler({ validator, scope: new PromptScope(prompt, schema) });
  const found = filler.fillObject(shape, chooseSubject(shape, page, validator));
  return readAnswer(filler.isExhausted ? NO_VALUES : found, validator);
}

/** Returns the answer with these values. Lists the properties without a value. */
export function readAnswer({ value: data, marks }: Filled<SchemaObject>, validator: SchemaValidator): PageAnswer {
  const missing: Path[] = [];
  const missingRequired: Path[] = [];
  collectMissing(
    data,
    { schema: validator.schema, path: [], isRequired: true },
    { validator, missing, missingRequired },
  );
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
  lists: { validator: SchemaValidator; missing: Path[]; missingRequired: Path[] },
): void {
  const { properties, required } = toShape(schema, lists.validator);
  // A required property needn't be listed in `properties`.
  for (const name of new Set([...properties.keys(), ...required])) {
    const inner = properties.get(name);
    const own = [...path, name];
    const isOwnRequired = isRequired && required.has(name);
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined) {
      if (inner !== undefined || isOwnRequired) lists.missing.push(own);
      if (isOwnRequired) lists.missingRequired.push(own);
    } else if (isObject(value) && inner !== undefined)
      collectMissing(value, { schema: inner, path: own, isRequired: isOwnRequired }, lists);
  }
}
