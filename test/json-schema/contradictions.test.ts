import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SchemaObject } from "../../src/json-schema/keywords";
import { newPatternBudget, schemaProblem } from "../../src/json-schema/schema-problem";
import { findProblems } from "../../src/json-schema/validate";

/** An object with one required property. */
function required(schema: unknown, more: SchemaObject = {}): SchemaObject {
  return { type: "object", properties: { a: schema }, required: ["a"], ...more };
}

const TEXT = { type: "string", minLength: 5, maxLength: 4 };

describe("a schema that no value satisfies", () => {
  it.each<[string, SchemaObject, string]>([
    ["a length", required(TEXT), "properties.a.minLength"],
    [
      "a length in allOf",
      required({ type: "string", minLength: 5, allOf: [{ maxLength: 4 }] }),
      "properties.a.minLength",
    ],
    ["a length behind a reference", required({ $ref: "#/$defs/x" }, { $defs: { x: TEXT } }), "$defs.x.minLength"],
    ["a range", required({ type: "number", minimum: 2, maximum: 1 }), "properties.a.minimum"],
    [
      "an exclusive range",
      required({ type: "number", exclusiveMinimum: 1, maximum: 1 }),
      "properties.a.exclusiveMinimum",
    ],
    ["a range without an integer", required({ type: "integer", minimum: 1.2, maximum: 1.8 }), "properties.a.minimum"],
    ["a number of items", required({ type: "array", minItems: 2, maxItems: 1 }), "properties.a.minItems"],
    ["an item", required({ type: "array", minItems: 1, items: TEXT }), "properties.a.items.minLength"],
    [
      "a listed item",
      required({ type: "array", minItems: 1, prefixItems: [TEXT] }),
      "properties.a.prefixItems.0.minLength",
    ],
    ["a number of properties", { type: "object", minProperties: 3, maxProperties: 2 }, "minProperties"],
    ["too many required properties", required({}, { maxProperties: 0 }), "maxProperties"],
    [
      "a required property that is forbidden",
      { required: ["b"], properties: {}, additionalProperties: false },
      "required",
    ],
    ["a property that is false", required(false), "required"],
    ["types", required({ type: "string", allOf: [{ type: "number" }] }), "properties.a.allOf.0.type"],
    ["a constant of another type", required({ type: "number", const: "x" }), "properties.a.const"],
    ["a constant outside its enum", required({ const: "x", enum: ["y", "z"] }), "properties.a.const"],
    ["two lists of values", required({ enum: ["x"], allOf: [{ enum: ["y"] }] }), "properties.a.enum"],
    ["an empty list of values", required({ enum: [] }), "properties.a.enum"],
    ["values that are too short", required({ enum: ["x", "yz"], minLength: 3 }), "properties.a.enum"],
    ["values outside the range", required({ enum: [1, 2], exclusiveMinimum: 2 }), "properties.a.enum"],
    [
      "all options",
      required({ anyOf: [TEXT, { type: "integer", minimum: 1, maximum: 0 }] }),
      "properties.a.anyOf.0.minLength",
    ],
    ["options of another type", required({ type: "string", oneOf: [{ type: "null" }] }), "properties.a.oneOf.0.type"],
    ["not", required({ not: {} }), "properties.a.not"],
    ["an infinite value", required({ $ref: "#" }), "properties.a"],
    ["a nested property", required(required(TEXT)), "properties.a.properties.a.minLength"],
  ])("is refused because of %s", (_, schema, path) => {
    expect(schemaProblem(schema)?.path.join(".")).toBe(path);
  });

  it("is refused with the values that contradict each other", () => {
    expect(schemaProblem(required(TEXT))?.message).toBe("must be lower; with maxLength 4, no value is valid");
  });
});

describe("a schema that a value satisfies", () => {
  const node = (next: unknown) =>
    required({ type: "string" }, { properties: { a: {}, next }, required: ["a", "next"] });
  it.each<[string, SchemaObject]>([
    ["an impossible optional property", { type: "object", properties: { a: TEXT, b: false } }],
    ["limits of another type", required({ type: ["string", "null"], minLength: 5, maxLength: 4 })],
    ["limits without a type", required({ minLength: 5, maxLength: 4 })],
    ["one possible option", required({ anyOf: [TEXT, { type: "null" }] })],
    ["items that an empty list doesn't need", required({ type: "array", items: TEXT })],
    ["a list that ends", node({ anyOf: [{ $ref: "#" }, { type: "null" }] })],
    ["a tree", required({ type: "array", items: { $ref: "#" } })],
    ["a range with one value", required({ type: "integer", minimum: 1, exclusiveMaximum: 2 })],
    ["a constant object", required({ type: "object", const: { x: 1, y: 2 }, enum: [{ y: 2, x: 1 }] })],
    [
      "a property that a pattern allows",
      { required: ["b"], patternProperties: { b: {} }, additionalProperties: false },
    ],
    [
      "keywords next to a reference in draft 7",
      {
        ...required({ $ref: "#/definitions/x", type: "null" }, { definitions: { x: { type: "string" } } }),
        $schema: "http://json-schema.org/draft-07/schema#",
      },
    ],
  ])("is accepted with %s", (_, schema) => {
    expect(schemaProblem(schema)).toBeNull();
  });

  const size = fc.integer({ min: 0, max: 3 });
  const json = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.integer({ min: 0, max: 3 }),
    fc.constant(null),
    fc.constant(0.5),
  );
  const simple = fc.record(
    {
      type: fc.constantFrom("string", "integer", "number", "array", "object", "null", ["string", "integer"]),
      ...{ minLength: size, maxLength: size, minimum: size, exclusiveMaximum: size, minItems: size, maxItems: size },
      ...{ maxProperties: size, enum: fc.array(json, { minLength: 1, maxLength: 3 }), const: json },
      required: fc.subarray(["a", "b"]),
    },
    { requiredKeys: [] },
  );
  const schemas = fc.array(simple, { minLength: 1, maxLength: 2 });
  const combined = fc.record(
    {
      properties: fc.record({ a: simple, b: fc.boolean() }, { requiredKeys: [] }),
      ...{ items: simple, prefixItems: schemas, additionalProperties: fc.boolean() },
      ...{ allOf: schemas, anyOf: schemas, not: simple },
    },
    { requiredKeys: [] },
  );
  const schema = fc.tuple(simple, combined).map(([own, inner]): SchemaObject => ({ ...own, ...inner }));
  const value = fc.oneof(json, fc.array(json, { maxLength: 3 }), fc.record({ a: json, b: json }, { requiredKeys: [] }));

  it("is never refused because of a contradiction", () => {
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 20, maxLength: 20 }), (inner, values) => {
        const outer = required(inner);
        const problem = schemaProblem(outer);
        if (problem !== null) expect(values.filter((a) => findProblems(outer, { a }).length === 0)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("is accepted within a number of steps, even if its options can be combined in 2^30 ways", () => {
    const step = (at: number) => required({ anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${at + 1}` })) });
    const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`d${at}`, step(at)]));
    const budget = newPatternBudget();
    const before = budget.stepsLeft;
    expect(schemaProblem({ ...step(-1), $defs: { ...$defs, d30: required(TEXT) } }, budget)).toBeNull();
    expect(before - budget.stepsLeft).toBeLessThan(110_000);
  });
});
