import { isObject, isSchema, type Path, type SchemaObject, TYPES } from "./keywords";
import { suggestType, toQuestion, toSchema } from "./shorthand";

/** The first error in a schema: its path from the root, and the rule that the schema breaks (`must be …`). */
export interface SchemaProblem {
  path: Path;
  message: string;
}

/** The length of the longest value that a message quotes. */
const MAX_QUOTED_CHARS = 40;

type Rule = readonly [holds: (value: unknown) => boolean, message: string];

const isCount = (value: unknown) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isNumber = (value: unknown) => typeof value === "number";
const isString = (value: unknown) => typeof value === "string";
const isMapOf = (holds: (value: unknown) => boolean) => (value: unknown) =>
  isObject(value) && Object.values(value).every(holds);
const isNames = (value: unknown): value is string[] => Array.isArray(value) && value.every(isString);
const isType = (value: unknown) => TYPES.some((type) => type === value);

const COUNT: Rule = [isCount, "must be a whole number of at least 0"];
const NUMBER: Rule = [isNumber, "must be a number"];
const TEXT: Rule = [isString, "must be a string"];
const BOOLEAN: Rule = [(value) => typeof value === "boolean", "must be true or false"];
const NAMES: Rule = [isNames, "must be a list of strings"];
const SCHEMA: Rule = [isSchema, "must be a schema: an object, true or false"];
const SCHEMAS: Rule = [
  (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  "must be a list of at least one schema",
];
const NAMED_SCHEMAS: Rule = [isMapOf(isSchema), "must be an object whose values are schemas"];

/** The rules for keywords, from the metaschemas of the three drafts. Other keywords may have any value. */
const RULES: Readonly<Record<string, Rule>> = {
  type: [
    (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
    `must be one of ${TYPES.join(", ")}, or a list of these`,
  ],
  enum: [Array.isArray, "must be a list"],
  multipleOf: [(value) => isNumber(value) && Number(value) > 0, "must be a number above 0"],
  maximum: NUMBER,
  exclusiveMaximum: NUMBER,
  minimum: NUMBER,
  exclusiveMinimum: NUMBER,
  maxLength: COUNT,
  minLength: COUNT,
  pattern: TEXT,
  format: TEXT,
  items: [(value) => isSchema(value) || SCHEMAS[0](value), "must be a schema, or a list of schemas"],
  prefixItems: SCHEMAS,
  additionalItems: SCHEMA,
  unevaluatedItems: SCHEMA,
  maxItems: COUNT,
  minItems: COUNT,
  uniqueItems: BOOLEAN,
  contains: SCHEMA,
  maxContains: COUNT,
  minContains: COUNT,
  properties: NAMED_SCHEMAS,
  patternProperties: NAMED_SCHEMAS,
  additionalProperties: SCHEMA,
  unevaluatedProperties: SCHEMA,
  propertyNames: SCHEMA,
  maxProperties: COUNT,
  minProperties: COUNT,
  required: NAMES,
  dependentRequired: [isMapOf(isNames), "must be an object whose values are lists of strings"],
  dependentSchemas: NAMED_SCHEMAS,
  dependencies: [
    isMapOf((value) => isSchema(value) || isNames(value)),
    "must be an object whose values are schemas or lists of strings",
  ],
  allOf: SCHEMAS,
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  not: SCHEMA,
  if: SCHEMA,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: SCHEMA,
  else: SCHEMA,
  $defs: NAMED_SCHEMAS,
  definitions: NAMED_SCHEMAS,
  $schema: TEXT,
  $id: TEXT,
  $anchor: TEXT,
  $dynamicAnchor: TEXT,
  $ref: TEXT,
  $dynamicRef: TEXT,
  $recursiveRef: TEXT,
  title: TEXT,
  description: TEXT,
  $comment: TEXT,
};

/** Returns the first rule for values of keywords that a schema breaks. Doesn't check its subschemas. */
export function ruleProblem(schema: SchemaObject): SchemaProblem | null {
  for (const [keyword, value] of Object.entries(schema)) {
    const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
    if (rule !== undefined && !rule[0](value)) return toRuleProblem(keyword, value, rule);
  }
  return null;
}

function toRuleProblem(keyword: string, value: unknown, [, message]: Rule): SchemaProblem {
  if (keyword === "type" && typeof value === "string") {
    const suggestion = suggestType(value);
    const quoted = value.length <= MAX_QUOTED_CHARS ? `, not '${value}'` : "";
    const question = suggestion === null ? "" : `. Did you mean '${suggestion}'?`;
    return { path: [keyword], message: `${message}${quoted}${question}` };
  }
  const [wrong] =
    keyword === "properties" && isObject(value) ? Object.entries(value).filter(([, inner]) => !isSchema(inner)) : [];
  return wrong === undefined ? { path: [keyword], message } : toPropertyProblem(...wrong);
}

/** Returns the problem of a property whose value isn't a schema, such as `"string"`. */
function toPropertyProblem(name: string, value: unknown): SchemaProblem {
  const question = toQuestion(toSchema(value));
  return { path: ["properties", name], message: `must be a schema${question === null ? "" : `. ${question}`}` };
}
