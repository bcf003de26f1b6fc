import { type SchemaDraft, Validator } from "@cfworker/json-schema";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { ParseRequest } from "../../../src/contract/parse";
import { mockParse, mockVerification } from "../../../src/endpoints/parse/mock";
import { MAX_QUOTE_CHARS, MAX_QUOTES } from "../../../src/model/limits";
import { isValid } from "../../support/is-valid";

type JsonSchema = Record<string, unknown>;

function parse(schema: JsonSchema | undefined, large = false): Record<string, unknown> {
  const request = { url: "https://example.com/", prompt: "Extract everything.", ...(schema && { schema }) };
  return mockParse(ParseRequest.parse(request), { large });
}

function validate(schema: JsonSchema, value: unknown, draft: SchemaDraft = "2020-12") {
  return new Validator(structuredClone(schema), draft).validate(value);
}

/** Returns the schema of an object with these properties. */
function object(properties: JsonSchema, more: JsonSchema = {}): JsonSchema {
  return { type: "object", properties, ...more };
}

const DRAFT_7 = { $schema: "http://json-schema.org/draft-07/schema#" };
const DRAFT_2019 = { $schema: "https://json-schema.org/draft/2019-09/schema" };

const FORMATS = "date-time date time duration email hostname ipv4 uri url uuid ipv6 uri-reference iri url";

const SCHEMAS: [name: string, schema: JsonSchema, draft?: SchemaDraft][] = [
  ["types", object({ a: { type: "string" }, b: { type: "integer" }, c: { type: "boolean" }, d: { type: "null" } })],
  ["several types", object({ a: { type: ["integer", "null"] }, b: { type: ["null", "array"] } })],
  ["no type", { properties: { a: { minLength: 30 }, b: { minimum: 100 }, c: { items: { const: 1 } }, d: {} } }],
  ["bounds", object({ a: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, b: { maximum: -1e300 } })],
  [
    "whole-number bounds",
    object({ a: { type: "integer", exclusiveMaximum: -3 }, b: { type: "integer", minimum: 0.2 } }),
  ],
  ["multiples", object({ a: { type: "integer", minimum: 1000, multipleOf: 7 }, b: { multipleOf: 0.01, maximum: 5 } })],
  ["decimal multiples", object({ a: { multipleOf: 0.1, minimum: 0.25 }, b: { type: "number", multipleOf: 0.5 } })],
  ["lengths", object({ a: { type: "string", minLength: 500 }, b: { type: "string", maxLength: 2 } })],
  ["an exact length", object({ a: { type: "string", minLength: 4, maxLength: 4 }, b: { maxLength: 0 } })],
  ["formats", object(Object.fromEntries(FORMATS.split(" ").map((format) => [format, { type: "string", format }])))],
  ["a long URL", object({ a: { type: "string", format: "uri", minLength: 90 } })],
  ["a pattern", object({ sku: { type: "string", pattern: "^[A-Z]{3}-\\d{4}(-(red|blue))?$" } })],
  ["a pattern and a length", object({ a: { type: "string", pattern: "^[a-z]+$", minLength: 9, maxLength: 9 } })],
  ["constants", object({ a: { const: { k: [1] } }, b: { const: null }, c: { type: "string", enum: [null, "x"] } })],
  [
    "items",
    object({ a: { type: "array", items: { type: "string" }, minItems: 5 }, b: { type: "array", maxItems: 0 } }),
  ],
  ["tuples", object({ a: { type: "array", prefixItems: [{ type: "string" }, true], items: false, minItems: 2 } })],
  [
    "tuples of draft 7",
    { ...DRAFT_7, ...object({ a: { type: "array", items: [{ type: "string" }, { type: "integer" }], minItems: 2 } }) },
    "7",
  ],
  ["more properties than declared", object({ a: {} }, { minProperties: 5 })],
  ["a map with a minimum size", object({ a: { additionalProperties: { type: "number" }, minProperties: 3 } })],
  ["unique items", object({ a: { type: "array", uniqueItems: true, items: { enum: ["a", "b", "c"] }, minItems: 3 } })],
  ["required names that aren't declared", { type: "object", required: ["a", "__proto__", "constructor"] }],
  ["closed objects", object({ a: { type: "object", additionalProperties: false }, b: false })],
  ["patterns of names", { patternProperties: { "^x-[a-z]+$": { type: "integer" } }, additionalProperties: false }],
  [
    "references",
    object(
      { a: { $ref: "#/$defs/x" }, b: { $ref: "#there" } },
      { $defs: { x: { const: 1 }, y: { $anchor: "there", const: 2 } } },
    ),
  ],
  [
    "references to definitions",
    { ...DRAFT_7, ...object({ a: { $ref: "#/definitions/x" } }), definitions: { x: { const: 1 } } },
    "7",
  ],
  [
    "references to an $id",
    {
      $id: "https://example.com/root.json",
      ...object({ a: { $ref: "item.json" }, b: { $ref: "item.json#/$defs/q" } }),
      $defs: { i: { $id: "item.json", ...object({ k: { $ref: "#/$defs/q" } }), $defs: { q: { const: "Q" } } } },
    },
  ],
  [
    "keywords next to a reference",
    object({ a: { $ref: "#/$defs/n", minimum: 900 } }, { $defs: { n: { type: "integer" } } }),
  ],
  [
    "recursion",
    object({ name: { type: "string" }, self: { $ref: "#" }, list: { type: "array", items: { $ref: "#" } } }),
  ],
  [
    "a required recursion with an end",
    object({ next: { anyOf: [{ $ref: "#" }, { type: "null" }] } }, { required: ["next"] }),
  ],
  [
    "a recursion of draft 2019-09",
    { ...DRAFT_2019, $recursiveAnchor: true, ...object({ a: { $recursiveRef: "#" } }) },
    "2019-09",
  ],
  [
    "allOf",
    {
      allOf: [
        object({ a: { minLength: 30 } }, { required: ["a"] }),
        object({ a: { maxLength: 31, pattern: "^[a-z]+$" } }),
      ],
    },
  ],
  ["allOf with a closed part", { allOf: [{ ...object({ a: {} }), additionalProperties: false }, object({ b: {} })] }],
  ["anyOf", object({ a: { anyOf: [false, { type: "null" }, { type: "string" }] } })],
  [
    "oneOf with a discriminator",
    {
      oneOf: [
        object({ t: { const: 1 } }, { required: ["t"] }),
        object({ t: { const: 2 }, u: {} }, { required: ["t", "u"] }),
      ],
    },
  ],
  ["unevaluated properties", object({ a: {} }, { unevaluatedProperties: false, allOf: [object({ b: {} })] })],
  [
    "properties named like keywords",
    object({ $ref: { type: "string" }, required: { type: "boolean" }, enum: {}, not: {} }, { required: ["$ref"] }),
  ],
];

it.each(SCHEMAS)("returns a valid object: %s", (_, schema, draft) => {
  const before = structuredClone(schema);
  const value = parse(schema);
  expect(validate(schema, value, draft)).toEqual({ valid: true, errors: [] });
  expect(isValid(schema, value)).toBe(true);
  expect(parse(before)).toEqual(value);
  expect(schema).toEqual(before);
});

it("fills optional properties, and makes the items of an array differ", () => {
  const price = { type: "number", minimum: 0 };
  const schema = object({
    title: { type: "string" },
    price,
    in_stock: { type: "boolean" },
    published_at: { type: "string", format: "date-time" },
    condition: { enum: ["new", "used"] },
    reviews: {
      type: "array",
      items: object({ author: { type: "string" }, email: { format: "email" }, mood: { enum: ["good", "bad"] } }),
    },
    sizes: { type: "object", additionalProperties: price },
  });
  expect(parse(schema)).toEqual({
    title: "Mock title",
    price: 19.99,
    in_stock: true,
    published_at: "2026-03-11T09:30:00Z",
    condition: "new",
    reviews: [
      { author: "Mock author", email: "jane.doe.1@example.com", mood: "good" },
      { author: "Mock author 2", email: "jane.doe.2@example.com", mood: "bad" },
    ],
    sizes: { example_1: 19.99, example_2: 19.99 },
  });
});

it("uses the first value in the schema, except empty defaults", () => {
  const schema = object({
    a: { type: "string", enum: ["x", "y"], default: "y" },
    b: { type: "string", default: "d", examples: ["e"] },
    c: { type: "string", examples: ["e", "f"] },
    d: { type: "array", default: [], items: { const: 1 } },
    e: { anyOf: [{ type: "string" }, { type: "null" }], default: null },
    f: { type: "boolean", default: false },
  });
  expect(parse(schema)).toEqual({ a: "x", b: "d", c: "e", d: [1, 1], e: "Mock e", f: false });
});

it("removes equal items if items must be unique", () => {
  expect(parse(object({ a: { uniqueItems: true, items: { examples: ["red"] } } }))).toEqual({ a: ["red"] });
});

it("ends a recursion after one level", () => {
  const schema = object({ name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } });
  expect(parse(schema)).toEqual({
    name: "Mock name",
    children: [
      { name: "Mock name", children: [] },
      { name: "Mock name 2", children: [] },
    ],
  });
});

it.each<[string, JsonSchema, RegExp]>([
  [
    "contradictory lengths",
    object({ a: { type: "string" }, b: { type: "string", minLength: 2, maxLength: 1 } }, { required: ["b"] }),
    /at \/b: .*Add 'default' or 'examples'/,
  ],
  ["an optional property", object({ a: { type: "string", minLength: 2, maxLength: 1 } }), /at \/a: /],
  ["an invalid default", object({ a: { type: "integer", default: "one" } }), /at \/a: .*Expected "integer"/],
  ["if and else", object({ a: { type: "integer", if: { minimum: 9 }, else: false } }), /No mock data was found/],
  ["not", object({ a: { type: "integer", not: { const: 1 } } }), /at \/a: /],
  ["contains", object({ a: { type: "array", contains: { const: "must" } } }), /at \/a: /],
  ["oneOf with an overlap", object({ a: { oneOf: [{ minimum: 3 }, { minimum: 5 }] } }), /at \/a: .*exactly one/],
  [
    "a pattern without a known matching text",
    object(
      { a: { type: "array", items: { type: "string", pattern: "^(?=.*q)(?=.*7)\\w{3}$" }, minItems: 1 } },
      { required: ["a"] },
    ),
    /at \/a\/0: .*pattern/,
  ],
  [
    "patterns of property names",
    { propertyNames: { pattern: "^[A-Z]{3}$" }, minProperties: 3 },
    /No mock data was found/,
  ],
])("fails with schema_mismatch instead of returning invalid data: %s", (_, schema, message) => {
  expect(() => parse(schema)).toThrow(expect.objectContaining({ code: "schema_mismatch" }));
  expect(() => parse(schema)).toThrow(message);
  expect(() => parse(schema)).toThrow(/[^.]\. Add 'default' or 'examples' to that part of the schema\.$/);
});

it("uses the examples of a schema for which it can't create data", () => {
  const schema = object({ a: { type: "string", pattern: "^(?=.*q)(?=.*7)\\w{3}$", examples: ["q_7"] } });
  expect(parse(schema)).toEqual({ a: "q_7" });
});

it("creates a text for a pattern that the validator can't compile", () => {
  expect(parse(object({ phone: { type: "string", pattern: "^\\d{3}\\-\\d{4}$" } }))).toEqual({ phone: "111-1111" });
});

it("repeats the request if the schema has no properties", () => {
  const mock = { mock: true, prompt: "Extract everything.", source: "https://example.com/" };
  expect(parse(undefined)).toMatchObject(mock);
  expect(parse({ type: "object" })).toMatchObject(mock);
  expect(mockParse(ParseRequest.parse({ html: "<p>a</p>", prompt: "b" }), { large: false })).toMatchObject({
    prompt: "b",
    source: "html",
  });
});

it.each<[string, JsonSchema | undefined]>([
  ["without a schema", undefined],
  [
    "in a text",
    object({ a: { type: "string" }, b: { type: "string", maxLength: 9 } }, { additionalProperties: false }),
  ],
  ["in an additional property", object({ a: { type: "integer" } })],
  [
    "in an object",
    object({ a: object({ b: { type: "string" } }, { additionalProperties: false }) }, { additionalProperties: false }),
  ],
  [
    "in an array",
    object({ a: { type: "array", items: { enum: ["x".repeat(500)] } } }, { additionalProperties: false }),
  ],
])("is larger than 1 MB if a large result is requested, %s", (_, schema) => {
  const value = parse(schema, true);
  expect(JSON.stringify(value).length).toBeGreaterThan(1024 * 1024);
  if (schema !== undefined) expect(validate(schema, value).valid).toBe(true);
  const names = Object.keys(parse(schema));
  expect(Object.keys(value as object)).toEqual(expect.arrayContaining(names));
});

it("stays valid if the schema allows no large result", () => {
  const schema = object({ a: { type: "integer" } }, { additionalProperties: false });
  expect(parse(schema, true)).toEqual({ a: 1 });
});

/** Generates random schemas that accept at least one value. */
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonSchema>(
      {},
      { type: "boolean" },
      { type: ["null", "number"] },
      { $ref: "#/$defs/shared" },
      { type: "string", format: "date-time" },
      { type: "string", pattern: "^[A-Z]{2}\\d+$", minLength: 6 },
    ),
    fc.tuple(fc.nat(50), fc.nat(50)).map(([min, more]) => ({ type: "string", minLength: min, maxLength: min + more })),
    fc
      .tuple(fc.integer({ min: -1000, max: 1000 }), fc.nat(100), fc.integer({ min: 1, max: 7 }))
      .map(([min, more, step]) => ({ type: "integer", minimum: min, maximum: min + step + more, multipleOf: step })),
    fc
      .uniqueArray(fc.jsonValue(), { minLength: 1, maxLength: 4 })
      .filter((values) => values.some((value) => value !== null))
      .map((values) => ({ enum: values })),
    fc
      .tuple(tie("schema"), fc.nat(3), fc.nat(3))
      .map(([items, min, more]) => ({ type: "array", items, minItems: min, maxItems: min + more })),
    fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => ({ prefixItems: [a, b], type: "array", items: false })),
    fc
      .tuple(fc.dictionary(fc.string({ maxLength: 8 }), tie("schema"), { maxKeys: 4 }), fc.boolean(), fc.boolean())
      .map(([properties, closed, required]) =>
        object(properties, {
          ...(closed && { additionalProperties: false }),
          ...(required && { required: Object.keys(properties) }),
        }),
      ),
  ),
}));

it("returns valid objects for arbitrarily nested schemas", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 8 }), anySchema, { maxKeys: 5 }), (properties) => {
      const schema = object(properties, {
        required: Object.keys(properties),
        $defs: { shared: { $ref: "#/$defs/end" }, end: object({ v: { type: "number" } }) },
      });
      expect(validate(schema, parse(schema))).toEqual({ valid: true, errors: [] });
    }),
    { numRuns: 300 },
  );
});

it("has a verified quote for each value of mock data, up to the limits", () => {
  expect(mockVerification({ a: "x", b: [1, true, null], c: { d: "y".repeat(MAX_QUOTE_CHARS + 1) } })).toEqual({
    evidence: {
      "/a": { quote: "x", verified: true },
      "/b/0": { quote: "1", verified: true },
      "/b/1": { quote: "true", verified: true },
      "/c/d": { quote: "y".repeat(MAX_QUOTE_CHARS), verified: true },
    },
    unverified: [],
  });
  const many = { a: Array.from({ length: MAX_QUOTES + 1 }, (_, at) => at) };
  expect(Object.keys(mockVerification(many).evidence)).toHaveLength(MAX_QUOTES);
});
