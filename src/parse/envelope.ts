import { isObject, type Schema, type SchemaObject, toArray } from "../schema/keywords";
import { toLocal } from "../schema/local";
import { mapInner } from "../schema/places";
import type { PartAnswer } from "./merge";

const EVIDENCE = {
  type: "array",
  description: "For each text, number and date in data: the words of the page that it was taken from.",
  items: {
    type: "object",
    properties: {
      pointer: { type: "string", description: "JSON pointer to the value within data, such as /items/0/price" },
      quote: { type: "string", description: "The shortest passage of the page, word for word, that shows the value" },
    },
    required: ["pointer", "quote"],
    additionalProperties: false,
  },
};

/**
 * The schema of an answer that brings its quotes: `{data, evidence: [{pointer, quote}]}`. The caller's definitions move to
 * the root, where their references find them; what refers to the caller's root finds that among them.
 */
export function withEvidence(schema: SchemaObject | null): SchemaObject {
  const local = (schema === null ? null : toLocal(schema)) ?? { type: "object" };
  const { $schema, $defs, definitions, ...data } = local;
  const root = `#/$defs/${toFreeName($defs)}`;
  const shape = moveReferences(data, root);
  const shared = mapInner({ ...($defs === undefined ? {} : { $defs }) }, (part) => move(part, root));
  const older = mapInner({ ...(definitions === undefined ? {} : { definitions }) }, (part) => move(part, root));
  const isReferred = JSON.stringify([shape, shared, older]).includes(`"${root}`);
  const defs = {
    ...(isObject(shared.$defs) ? shared.$defs : {}),
    ...(isReferred ? { [toFreeName($defs)]: shape } : {}),
  };
  return {
    ...($schema === undefined ? {} : { $schema }),
    type: "object",
    properties: { data: isReferred ? { $ref: root } : shape, evidence: EVIDENCE },
    required: ["data", "evidence"],
    additionalProperties: false,
    ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
    ...older,
  };
}

function toFreeName($defs: unknown): string {
  let name = "data";
  while (isObject($defs) && Object.hasOwn($defs, name)) name += "_";
  return name;
}

function move(part: Schema, root: string): Schema {
  return isObject(part) ? moveReferences(part, root) : part;
}

function moveReferences(schema: SchemaObject, root: string): SchemaObject {
  const inner = mapInner(schema, (part) => move(part, root));
  const { $ref } = inner;
  if (typeof $ref !== "string" || /^#\/(?:\$defs|definitions)\//.test($ref)) return inner;
  return { ...inner, $ref: root + $ref.slice(1) };
}

/** Null when there is no object in it. Quotes that aren't what was asked for are no reason to ask again: they are dropped. */
export function splitEvidence(envelope: SchemaObject): PartAnswer | null {
  if (!isObject(envelope.data)) return null;
  const quotes = toArray(envelope.evidence).flatMap((item) => {
    if (!isObject(item)) return [];
    const { pointer, quote } = item;
    return typeof pointer === "string" && typeof quote === "string" ? [{ pointer, quote }] : [];
  });
  return { data: envelope.data, quotes };
}
