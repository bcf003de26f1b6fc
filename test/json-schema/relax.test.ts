import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { SchemaObject } from "../../src/json-schema/keywords";
import { localizeReferences, relaxSchema } from "../../src/json-schema/relax";
import { findProblems } from "../../src/json-schema/validate";

function condition(when: unknown, otherwise: unknown): SchemaObject {
  return { if: when, else: otherwise };
}

it.each<[string, SchemaObject, unknown]>([
  [
    "required and minimum counts",
    { properties: { a: { type: "array", minItems: 2 } }, required: ["a", "b"], minProperties: 3 },
    { a: [] },
  ],
  [
    "null for any property",
    { properties: { a: { type: "string" }, b: { enum: ["x"] }, c: { $ref: "#/$defs/c" } }, $defs: { c: { const: 5 } } },
    { a: null, b: null, c: null },
  ],
  [
    "null for a property with a type and an enum",
    { properties: { a: { type: "string", enum: ["x", "y"] } } },
    { a: null },
  ],
  [
    "nested schemas",
    {
      properties: { a: { items: { $ref: "#/$defs/a" } } },
      $defs: { a: { properties: { b: { type: "number" } }, required: ["b"] } },
    },
    { a: [{ b: null }, {}] },
  ],
  [
    "oneOf",
    {
      oneOf: [
        { properties: { a: {} }, required: ["a"] },
        { properties: { b: {} }, required: ["b"] },
      ],
    },
    {},
  ],
  [
    "conditions and dependencies",
    {
      dependentRequired: { a: ["b"] },
      dependencies: { a: ["c"] },
      not: { required: ["a"] },
      ...condition({ required: ["z"] }, false),
    },
    { a: 1 },
  ],
])("relaxes %s", (_, schema, value) => {
  expect(findProblems(schema, value)).not.toEqual([]);
  expect(findProblems(relaxSchema(schema), value)).toEqual([]);
});

it.each<[string, SchemaObject, unknown]>([
  ["types", { properties: { a: { type: "string" } } }, { a: 5 }],
  ["names", { properties: { a: {} }, additionalProperties: false }, { b: 1 }],
  ["choices", { properties: { a: { enum: ["x", "y"] } } }, { a: "z" }],
  ["oneOf", { properties: { a: { oneOf: [{ const: "x" }, { const: "y" }] } } }, { a: "z" }],
  ["anyOf next to oneOf", { anyOf: [{ properties: { a: { const: 1 } } }], oneOf: [{ required: ["a"] }] }, { a: 2 }],
  ["oneOf next to anyOf", { anyOf: [{}], oneOf: [{ properties: { a: { const: 1 } } }] }, { a: 2 }],
  [
    "allOf next to oneOf and anyOf",
    { allOf: [{ properties: { a: { const: 1 } } }], anyOf: [{}], oneOf: [{ required: ["a"] }] },
    { a: 2 },
  ],
  ["recursions", { properties: { a: { $ref: "#" }, b: { type: "string" } } }, { a: { a: { b: 5 } } }],
])("keeps %s", (_, schema, value) => {
  expect(findProblems(relaxSchema(schema), value)).not.toEqual([]);
});

it("returns { type: 'object' } if a reference points into a removed keyword", () => {
  expect(relaxSchema({ not: { type: "array" }, properties: { a: { $ref: "#/not" } } })).toEqual({ type: "object" });
});

it("converts every reference to a JSON Pointer", () => {
  const schema = {
    $id: "https://example.com/root",
    properties: { a: { $ref: "b" }, c: { $ref: "#here" }, d: { $dynamicRef: "#node" }, e: { $ref: "#/$defs/yes" } },
    $defs: { b: { $id: "b", items: { $ref: "#/$defs/x y" }, $defs: { "x y": {} } }, c: { $anchor: "here" }, yes: true },
    $dynamicAnchor: "node",
  };
  expect(localizeReferences(schema)).toEqual({
    properties: { a: { $ref: "#/$defs/b" }, c: { $ref: "#/$defs/c" }, d: { $ref: "#" }, e: {} },
    $defs: { b: { items: { $ref: "#/$defs/b/$defs/x%20y" }, $defs: { "x y": {} } }, c: {}, yes: true },
  });
});

it("has no references if the target of the root's reference is a boolean", () => {
  expect(localizeReferences({ $ref: "#/$defs/a", $defs: { a: true } })).toEqual({ $defs: { a: true } });
  expect(localizeReferences({ $ref: "#/$defs/a", $defs: { a: false } })).toBeNull();
});

it("accepts every value that the original schema accepts", () => {
  const word = fc.constantFrom("a", "b", "c");
  const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.constant({ type: "string" }),
      fc.record(
        {
          type: fc.constantFrom("object", "string", "array", ["null", "number"]),
          properties: fc.dictionary(word, tie("schema"), { maxKeys: 3 }),
          required: fc.uniqueArray(word, { maxLength: 1 }),
          items: tie("schema"),
          minItems: fc.constantFrom(0, 1),
          anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
          not: tie("schema"),
          if: tie("schema"),
          else: tie("schema"),
          contains: tie("schema"),
          additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
          unevaluatedProperties: fc.boolean(),
          enum: fc.array(fc.constantFrom(null, "a", 5, {}), { minLength: 1 }),
          $ref: fc.constantFrom("#/$defs/x", "#/$defs/y"),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  const value = fc.dictionary(
    word,
    fc.oneof(
      fc.constantFrom(null, "a", 5),
      fc.array(fc.constantFrom("a", 5)),
      fc.dictionary(word, fc.constantFrom(null, "a", 5)),
    ),
  );
  fc.assert(
    fc.property(schema, schema, fc.array(value, { minLength: 1 }), (root, x, values) => {
      const whole = JSON.parse(JSON.stringify({ ...root, $defs: { x, y: { type: "number" } } }));
      const loose = relaxSchema(whole);
      for (const one of values) if (findProblems(whole, one).length === 0) expect(findProblems(loose, one)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
