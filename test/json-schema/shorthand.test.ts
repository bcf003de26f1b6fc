import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { expandShorthand, suggestType } from "../../src/json-schema/shorthand";

const objectOf = (properties: object) => ({ type: "object", properties });

describe("a shorthand", () => {
  it.each<[object, object]>([
    [{ name: "string" }, { name: { type: "string" } }],
    [
      { name: "string", price: "Number" },
      { name: { type: "string" }, price: { type: "number" } },
    ],
    [{ name: { type: "string" } }, { name: { type: "string" } }],
    [{ title: "string" }, { title: { type: "string" } }],
    [
      { description: "The name of the product", sizes: ["int"] },
      {
        description: { type: "string", description: "The name of the product" },
        sizes: { type: "array", items: { type: "integer" } },
      },
    ],
    [
      { tags: "string[]", seen: "date" },
      { tags: { type: "array", items: { type: "string" } }, seen: { type: "string", format: "date" } },
    ],
    [{ seller: { name: "string" } }, { seller: objectOf({ name: { type: "string" } }) }],
    [
      { price: 19.5, isNew: true, note: null, all: [] },
      { price: { type: "number" }, isNew: { type: "boolean" }, note: {}, all: { type: "array" } },
    ],
    [{ name: "The product's name" }, { name: { type: "string", description: "The product's name" } }],
  ])("%j is expanded to a schema", (shorthand, properties) => {
    expect(expandShorthand(shorthand as Record<string, unknown>)).toEqual(objectOf(properties));
    expect(schemaProblem(objectOf(properties))).toBeNull();
  });

  it("is refused with the schema that it stands for", () => {
    expect(schemaProblem({ name: "string" })).toEqual({
      path: [],
      message:
        'must be a JSON Schema, with a keyword such as type or properties at its root. Did you mean {"type":"object","properties":{"name":{"type":"string"}}}?',
    });
    const long = schemaProblem(Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`name_${i}`, "string"])));
    expect(long?.message).toMatch(/Put its members into the keyword properties\.$/);
  });

  it("of any values is expanded to a valid schema", () => {
    const leaf = fc.oneof(
      fc.constantFrom("string", "number[]", "date", "a text"),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const name = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom("a", "b", "c", "_") });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(name, tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value, { minKeys: 1, maxKeys: 4 }), (shorthand) => {
        const expanded = expandShorthand(shorthand);
        expect(expanded === null ? null : schemaProblem(expanded)).toBeNull();
      }),
    );
  });
});

it.each([
  {},
  { type: "object" },
  { title: "Product" },
  { title: "Product", properties: { name: {} } },
  { anyOf: [{ required: ["name"] }] },
  { $ref: "#/components/product", components: { product: { type: "object" } } },
  { additionalProperties: { type: "string" } },
  { required: ["name"] },
])("a schema isn't a shorthand: %j", (schema) => {
  expect(expandShorthand(schema)).toBeNull();
});

it.each([
  ["nubmer", "number"],
  ["int", "integer"],
  ["String", "string"],
  ["float", "number"],
  ["date", "string"],
  ["zork", null],
])("the type %s probably stands for %s", (type, expected) => {
  expect(suggestType(type)).toBe(expected);
});
