import * as fc from "fast-check";
import { expect, it } from "vitest";
import { mockParse } from "../../../src/endpoints/parse/mock";
import { isValid } from "../../support/is-valid";

type JsonSchema = Record<string, unknown>;

const MAX_NODES = 2_100;
const MAX_CHARS = 400_000;

function countNodes(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((count: number, inner) => count + countNodes(inner), 1);
}

function inRequired(schema: JsonSchema): JsonSchema {
  return { type: "object", properties: { a: schema }, required: ["a"] };
}

function nest(levels: number, wrap: (schema: JsonSchema) => JsonSchema, inner: JsonSchema = {}): JsonSchema {
  return Array.from({ length: levels }).reduce<JsonSchema>((schema) => wrap(schema), inner);
}

/**
 * Returns a schema with 30 definitions that each refer to the next one twice. There are 2^30 paths to the last
 * definition.
 */
function doubled(wrap: (next: JsonSchema) => JsonSchema): JsonSchema {
  const steps = Array.from({ length: 30 }, (_, step) => [`d${step}`, wrap({ $ref: `#/$defs/d${step + 1}` })]);
  return { ...inRequired({ $ref: "#/$defs/d0" }), $defs: { ...Object.fromEntries(steps), d30: { type: "string" } } };
}

function many<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function mock(schema: JsonSchema, large = false): Record<string, unknown> | null {
  try {
    return mockParse({ prompt: "b", schema }, { large });
  } catch (error) {
    expect(error).toMatchObject({ code: "schema_mismatch" });
    return null;
  }
}

function expectBounded(schema: JsonSchema): void {
  const value = mock(schema);
  expect(mock(schema)).toEqual(value);
  if (value === null) return;
  expect(countNodes(value)).toBeLessThan(MAX_NODES);
  expect(JSON.stringify(value).length).toBeLessThan(MAX_CHARS);
  expect(isValid(schema, value)).toBe(true);
  expect(isValid(schema, mock(schema, true))).toBe(true);
}

const LETTERS = `${"a".repeat(50)}!`;

it.each<[string, JsonSchema]>([
  ["nested properties", nest(5_000, inRequired)],
  ["nested not", { type: "object", ...nest(5_000, (not) => ({ not })) }],
  ["nested allOf", { type: "object", ...nest(5_000, (schema) => ({ allOf: [schema] })) }],
  ["allOf that doubles at each level", doubled((next) => ({ allOf: [next, next] }))],
  ["anyOf that doubles at each level", doubled((next) => ({ anyOf: [next, next] }))],
  ["oneOf that doubles at each level", doubled((next) => ({ oneOf: [next, next] }))],
  ["not that doubles at each level", doubled((next) => ({ not: { anyOf: [next, next] } }))],
  [
    "if that doubles at each level",
    doubled((next) => Object.fromEntries(["if", "then", "else"].map((word) => [word, next]))),
  ],
  [
    "properties that double at each level",
    doubled((next) => ({ properties: { a: next, b: next }, required: ["a", "b"] })),
  ],
  ["items that double at each level", doubled((items) => ({ type: "array", items, minItems: 10, uniqueItems: true }))],
  ["a reference to itself", { $ref: "#" }],
  ["allOf with a reference to itself", { type: "object", allOf: [{ $ref: "#" }, { $ref: "#" }] }],
  ["a required property with a reference to the root", inRequired({ $ref: "#" })],
  [
    "three required properties with references to the root",
    { required: ["a", "b", "c"], additionalProperties: { $ref: "#" } },
  ],
  ["a recursion of draft 2019-09", { type: "object", $recursiveRef: "#" }],
  [
    "many combinations of branches",
    inRequired(nest(20, (s) => ({ anyOf: [{ const: 1 }, { const: 2 }], allOf: [s] }), { not: {} })),
  ],
  ["a billion items", inRequired({ type: "array", items: { type: "string" }, minItems: 1e9 })],
  [
    "a billion unique items",
    inRequired({ type: "array", items: { type: "boolean" }, minItems: 1e9, uniqueItems: true }),
  ],
  ["a billion items for contains", inRequired({ type: "array", contains: { type: "string" }, minContains: 1e9 })],
  ["a billion characters", inRequired({ type: "string", minLength: 1e9 })],
  ["many long texts", inRequired({ type: "array", items: { type: "string", minLength: 10_000 }, minItems: 10_000 })],
  [
    "many schemas for many items",
    inRequired({ minItems: 1e4, items: { allOf: many(4_000, () => ({ type: "string" })) } }),
  ],
  [
    "many recursive options",
    { ...inRequired({ minItems: 500, items: { $ref: "#" } }), anyOf: many(4_000, () => ({ $ref: "#" })) },
  ],
  ["a long pattern many times", inRequired({ minItems: 1e4, items: { type: "string", pattern: "\\d".repeat(480) } })],
  ["a billion properties", { type: "object", minProperties: 1e9 }],
  ["a billion properties without names", { minProperties: 1e9, propertyNames: { pattern: "^a$" } }],
  ["a long list of required names", { type: "object", required: many(100_000, (index) => `r${index}`) }],
  ["many properties", { properties: Object.fromEntries(many(50_000, (index) => [`p${index}`, { type: "string" }])) }],
  ["many patterns", { patternProperties: Object.fromEntries(many(2_000, (index) => [`^p${index}[a-z]*$`, {}])) }],
  ["many options", inRequired({ anyOf: many(20_000, () => ({ type: "string", not: {} })) })],
  ["a long constant in many places", inRequired({ type: "array", items: { const: "x".repeat(1e6) }, minItems: 1e4 })],
  [
    "a long enum in many places",
    inRequired({ minItems: 1e4, items: { enum: many(1e4, String), not: { type: "string" } } }),
  ],
  ["a long name", inRequired({ properties: { ["k".repeat(1e6)]: { properties: { a: {}, b: {} } } } })],
  ["a pattern of a million letters", inRequired({ type: "string", pattern: "(a{1000}){1000}" })],
  ["an empty pattern", inRequired({ type: "string", pattern: "^(?:){1000000000}b((a*)*)*$" })],
  ["a long pattern", inRequired({ type: "string", pattern: "a".repeat(1e6) })],
  ["nested repetition", inRequired({ const: LETTERS, pattern: "^(a+)+$" })],
  ["nested repetition over a long text", inRequired({ const: LETTERS.repeat(500), pattern: "^(a+)+$" })],
  ["ambiguous options", inRequired({ const: LETTERS, pattern: "^(a|a|a)*$" })],
  ["ambiguous options ahead", inRequired({ const: LETTERS, pattern: "(?=(a|a)*$)b" })],
  ["ambiguous options behind", inRequired({ const: LETTERS, pattern: "(?<=(a|a)*)b" })],
  ["ambiguous property names", { required: [LETTERS], propertyNames: { pattern: "^(a|a)*$" } }],
  ["ambiguous patterns of property names", { required: [LETTERS], patternProperties: { "^(a|a)*$": {} } }],
  [
    "ambiguous options in many places",
    { properties: Object.fromEntries(many(500, (i) => [`p${i}`, { const: LETTERS, pattern: "^(a|a)*$" }])) },
  ],
  ["the format with the slow expression", inRequired({ const: `http://${"a".repeat(60)}`, format: "url" })],
  [
    "texts that no pattern matches",
    nest(12, (s) => ({ properties: { a: s, b: s }, required: ["a", "b"] }), { minLength: 2, maxLength: 1 }),
  ],
  [
    "keywords with invalid values",
    { type: ["strng", 5], properties: [1], required: true, anyOf: { a: 1 }, allOf: 5, $ref: 5, if: 4 },
  ],
  [
    "invalid patterns",
    { properties: { a: { pattern: "(" } }, patternProperties: { "(": {} }, propertyNames: { pattern: 5 } },
  ],
  [
    "invalid references",
    { properties: { a: { $ref: "https://other.example/" }, b: { $ref: "#/x" }, c: { $id: "http://[" } } },
  ],
  ["contradictions", inRequired({ type: "integer", minimum: 5, maximum: 1, multipleOf: 0, enum: [], anyOf: [] })],
  ["very large and very small numbers", inRequired({ type: "integer", multipleOf: 1e-300, minimum: 1e300 })],
])("terminates for %s, with a small valid object or an error", (_, schema) => {
  expectBounded(schema);
});

const KEYWORDS =
  "type properties required items prefixItems enum const pattern format minLength maxLength minimum maximum multipleOf minItems maxItems uniqueItems contains additionalProperties patternProperties minProperties propertyNames dependentRequired $ref $id $anchor $defs allOf anyOf oneOf not if then else default examples".split(
    " ",
  );

const junk = fc.letrec<{ any: unknown; schema: JsonSchema }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom<unknown>("string", "object", "array", "#", "#/$defs/a", "^a+$", 1e9, ["a", "b"]),
    tie("schema"),
    fc.array(tie("schema"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "^a", "__proto__", "$ref"), tie("schema"), { maxKeys: 3 }),
  ),
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie("any"), { maxKeys: 4 }),
}));

it("accepts any value as a schema", () => {
  fc.assert(
    fc.property(junk.schema, (schema) => {
      expectBounded(schema);
    }),
    { numRuns: 300 },
  );
});
