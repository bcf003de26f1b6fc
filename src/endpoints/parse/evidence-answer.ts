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
 * Returns the schema of an answer with quotes: `{data, evidence: [{pointer, quote}]}`. The caller's definitions move to
 * the root, so that references to them stay valid. If the caller's schema refers to its own root, the whole schema
 * becomes a definition.
 */
export function toEvidenceSchema(schema: SchemaObject | null): SchemaObject {
  const local = (schema === null ? null : localizeReferences(schema)) ?? { type: "object" };
  const { $schema, $defs, definitions, ...data } = local;
  const root = `#/$defs/${toFreeName($defs)}`;
  const shape = moveReferences(data, root);
  const shared = mapSubschemas({ ...($defs === undefined ? {} : { $defs }) }, (part) => moveSubschema(part, root));
  const older = mapSubschemas({ ...(definitions === undefined ? {} : { definitions }) }, (part) =>
    moveSubschema(part, root),
  );
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

function moveSubschema(part: Schema, root: string): Schema {
  return isObject(part) ? moveReferences(part, root) : part;
}

function moveReferences(schema: SchemaObject, root: string): SchemaObject {
  const inner = mapSubschemas(schema, (part) => moveSubschema(part, root));
  const { $ref } = inner;
  if (typeof $ref !== "string" || /^#\/(?:\$defs|definitions)\//.test($ref)) return inner;
  return { ...inner, $ref: root + $ref.slice(1) };
}

/** An answer with its quotes, or its problems, whose paths start at the root of the answer. */
export type EvidenceAnswer = PartAnswer | { data: null; problems: readonly Problem[] };

/** The pointer to the data in an answer with quotes. */
export const DATA_POINTER = "/data";
const NOT_AN_OBJECT: EvidenceAnswer = {
  data: null,
  problems: [{ path: DATA_POINTER, message: "This must be one JSON object." }],
};

/**
 * Reads an answer with quotes. Some models return only the data, and the caller's schema can have a property `data`.
 * Therefore, an answer with other properties, or one that is itself valid and lacks `evidence`, is the data.
 */
export function readEvidenceAnswer(text: string, schema: SchemaObject | null): EvidenceAnswer {
  const answer = parseAnswer(text);
  if (answer.data === null) return answer;
  const { data, evidence, ...others } = answer.data;
  const split = splitEvidence(answer.data);
  const findIn = (value: SchemaObject) => (schema === null ? [] : findProblems(schema, value));
  const isOwnData = evidence === undefined && (split === null || memberOf(schema?.properties, "data") !== undefined);
  if (data === undefined || Object.keys(others).length > 0 || (isOwnData && findIn(answer.data).length === 0)) {
    const problems = findIn(answer.data);
    return problems.length === 0 ? { data: answer.data, quotes: [] } : { data: null, problems };
  }
  if (split === null) return NOT_AN_OBJECT;
  const problems = findIn(split.data).map(({ path, message }) => ({ path: DATA_POINTER + path, message }));
  return problems.length === 0 ? split : { data: null, problems };
}

/** Splits an answer into data and quotes. Drops malformed quotes. Returns null if `data` isn't an object. */
export function splitEvidence(answer: SchemaObject): PartAnswer | null {
  if (!isObject(answer.data)) return null;
  const quotes = toArray(answer.evidence).flatMap((item) => {
    if (!isObject(item)) return [];
    const { pointer, quote } = item;
    return typeof pointer === "string" && typeof quote === "string" ? [{ pointer, quote }] : [];
  });
  return { data: answer.data, quotes };
}
