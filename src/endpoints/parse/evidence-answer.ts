import { isObject, mapSubschemas, memberOf, type Schema, type SchemaObject, toArray } from "../../json-schema/keywords";
import { localizeReferences } from "../../json-schema/relax";
import { findProblems, type Problem } from "../../json-schema/validate";
import { parseAnswer } from "./answer";
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
export function toEvidenceSchema(schema: SchemaObject | null): SchemaObject {
  const local = (schema === null ? null : localizeReferences(schema)) ?? { type: "object" };
  const { $schema, $defs, definitions, ...data } = local;
  const root = `#/$defs/${toFreeName($defs)}`;
  const shape = moveReferences(data, root);
  const shared = mapSubschemas({ ...($defs === undefined ? {} : { $defs }) }, (part) => move(part, root));
  const older = mapSubschemas({ ...(definitions === undefined ? {} : { definitions }) }, (part) => move(part, root));
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
  const inner = mapSubschemas(schema, (part) => move(part, root));
  const { $ref } = inner;
  if (typeof $ref !== "string" || /^#\/(?:\$defs|definitions)\//.test($ref)) return inner;
  return { ...inner, $ref: root + $ref.slice(1) };
}

/** What an answer is read as: data and quotes, or its problems, at their paths in the whole answer. */
export type Read = PartAnswer | { data: null; problems: readonly Problem[] };

/** Where the data is in an envelope. */
export const INNER = "/data";
const NO_OBJECT: Read = { data: null, problems: [{ path: INNER, message: "This must be one JSON object." }] };

/**
 * The data and quotes of an answer that was asked for as an envelope. Some models give the data alone, and the caller's
 * schema may have a `data` of its own: what is valid decides, and what looks like an envelope is tried as one first.
 */
export function readEvidenceAnswer(text: string, schema: SchemaObject | null): Read {
  const answer = parseAnswer(text);
  if (answer.data === null) return answer;
  const whole = { data: answer.data, quotes: [] };
  if (schema === null) return readWithoutSchema(answer.data);
  const split = splitEvidence(answer.data);
  const readings = toReadings(answer.data, schema, { split, whole });
  const valid = readings.find(({ data }) => findProblems(schema, data).length === 0);
  if (valid !== undefined) return valid;
  if (split !== null) return toMisread(schema, split.data, INNER);
  return readings.length === 0 ? NO_OBJECT : toMisread(schema, whole.data, "");
}

/** What has other members beside `data` and `evidence` is what the model chose to give. */
function readWithoutSchema(answer: SchemaObject): Read {
  const whole = { data: answer, quotes: [] };
  const { data, evidence, ...others } = answer;
  if (data === undefined || Object.keys(others).length > 0) return whole;
  return splitEvidence(answer) ?? (evidence === undefined ? whole : NO_OBJECT);
}

function toMisread(schema: SchemaObject, data: SchemaObject, within: string): Read {
  const found = findProblems(schema, data).map(({ path, message }) => ({ path: within + path, message }));
  return { data: null, problems: found };
}

/** The likely one first. An open schema lets anything pass: an envelope is data only where the schema has a `data`. */
function toReadings(
  answer: SchemaObject,
  schema: SchemaObject,
  { split, whole }: { split: PartAnswer | null; whole: PartAnswer },
): readonly PartAnswer[] {
  const wrapped = split === null ? [] : [split];
  const brings = Object.hasOwn(answer, "data") && Object.hasOwn(answer, "evidence");
  if (memberOf(schema.properties, "data") === undefined) return brings ? wrapped : [...wrapped, whole];
  return brings ? [...wrapped, whole] : [whole, ...wrapped];
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
