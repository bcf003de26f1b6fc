import { isObject, type Schema, type SchemaObject } from "../../../json-schema/keywords";
import { createValidator, type SchemaValidator } from "../../../json-schema/validate";
import { parseJson } from "../../../lib/json";
import { leavesOf } from "../member-schemas";
import { NO_ANSWER, type PageAnswer, readAnswer } from "./answer";
import type { Mark } from "./fill";
import { PromptScope } from "./prompt-scope";
import { toKey, toShape } from "./shape";

const MAX_DEPTH = 12;
/** Numbers with more characters can have more digits than a number can hold. */
const MAX_NUMBER_CHARS = 16;

/**
 * Answers the properties of a schema from a JSON document. Uses only members at the top level with exactly the name of a
 * property, and only if their value is valid. Objects keep the members that the schema lists.
 */
export function answerFromJson(text: string, { schema, prompt }: { schema: SchemaObject; prompt: string }): PageAnswer {
  const validator = createValidator(schema);
  const parsed = parseJson(text);
  const document = isObject(parsed) ? parsed : {};
  if (validator === null) return NO_ANSWER;
  const shape = toShape(validator.schema, validator);
  const scope = new PromptScope(prompt, schema);
  const data: SchemaObject = {};
  const marks: Mark[] = [];
  for (const [name, inner] of shape.properties) {
    if (!Object.hasOwn(document, name) || isDeep(document[name], 0)) continue;
    const { types, description } = toShape(inner, validator);
    if (scope.isNarrowed(toKey(name), { description, isText: types.has("string") })) continue;
    const value = project(document[name], inner, validator);
    if (value === null || value === "" || validator.isValid(inner, value) !== true) continue;
    const leaves = [...leavesOf({ [name]: value })];
    if (leaves.some((leaf) => typeof leaf.value === "number" && !isExact(leaf.value))) continue;
    Object.defineProperty(data, name, { value, enumerable: true, configurable: true, writable: true });
    marks.push(...leaves.map((leaf): Mark => ({ path: leaf.path, source: "json", quote: String(leaf.value) })));
  }
  return readAnswer({ value: data, marks }, validator);
}

/** Returns true if the value has more levels than can be read. */
function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth > MAX_DEPTH || Object.values(value).some((inner) => isDeep(inner, depth + 1));
}

/** Returns false for a number that can have lost digits. */
function isExact(value: number): boolean {
  return Number.isSafeInteger(value) || (!Number.isInteger(value) && String(value).length <= MAX_NUMBER_CHARS);
}

/** Returns the value with only the members of objects that the schema lists. */
function project(value: unknown, schema: Schema, validator: SchemaValidator): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { properties, items } = toShape(schema, validator);
  if (Array.isArray(value)) return items === null ? value : value.map((item) => project(item, items, validator));
  if (properties.size === 0) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const own = properties.get(name);
    return own === undefined ? [] : [[name, project(member, own, validator)] as const];
  });
  return Object.fromEntries(members);
}
