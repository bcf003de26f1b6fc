import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SchemaObject } from "../../src/json-schema/keywords";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { findProblems } from "../../src/json-schema/validate";
import { MAX_PROBLEMS } from "../../src/model/limits";
import { inProperty } from "./in-property";

const SEVEN = { $schema: "http://json-schema.org/draft-07/schema#" };

it.each<[string, SchemaObject, unknown]>([
  ["a recursion", { properties: { a: { $ref: "#" } }, additionalProperties: false }, { a: { a: {} } }],
  [
    "a recursion of draft 2019-09",
    { properties: { a: { $recursiveRef: "#" } }, required: [], maxProperties: 1 },
    { a: { a: {} } },
  ],
  ["a dynamic reference", { $dynamicAnchor: "n", properties: { a: { $dynamicRef: "#n" } } }, { a: { a: {} } }],
  [
    "draft 7, which ignores keywords next to a reference",
    { ...SEVEN, ...inProperty({ $ref: "#/definitions/b", type: "null" }), definitions: { b: { type: "string" } } },
    { a: "b" },
  ],
  ["a pattern with needless escapes", inProperty({ pattern: "^\\d{3}\\-\\d{4}$" }), { a: "555-1234" }],
  ["the unknown format url", inProperty({ format: "url" }), { a: `https://${"a".repeat(200)}.example/` }],
  ["a long text without a format", inProperty({ type: "string" }), { a: "a".repeat(100_000) }],
  [
    "many items",
    inProperty({ items: { properties: { b: { pattern: "^[a-z]+-\\d+$", type: "string" } }, required: ["b"] } }),
    { a: Array.from({ length: 5_000 }, (_, i) => ({ b: `item-${i}` })) },
  ],
  [
    "two formats",
    inProperty({ properties: { d: { format: "date" }, u: { format: "uri" } } }),
    { a: { d: "2024-02-29", u: "https://a.b/c" } },
  ],
])("accepts %s", (_, schema, value) => {
  expect(schemaProblem(schema)).toBeNull();
  expect(findProblems(schema, value)).toEqual([]);
});

it.each<[string, SchemaObject, unknown, string, RegExp]>([
  ["a wrong type", inProperty({ type: "string" }), { a: 5 }, "/a", /type "number".*"string"/],
  ["a missing property", { required: ["b"] }, {}, "", /required property "b"/],
  ["an additional property", { additionalProperties: false }, { "a/b~c d": 1 }, "/a~1b~0c d", /not allowed/],
  [
    "an error in a recursion",
    { properties: { a: { $ref: "#" } }, additionalProperties: false },
    { a: { b: 1 } },
    "/a/b",
    /not allowed/,
  ],
  [
    "an error in a dynamic recursion",
    { $dynamicAnchor: "n", properties: { a: { $dynamicRef: "#n" } }, additionalProperties: false },
    { a: { b: 1 } },
    "/a/b",
    /not allowed/,
  ],
  ["a wrong item", inProperty({ items: { minimum: 5 } }), { a: [5, 4] }, "/a/1", /4 is less than 5/],
  ["a wrong format", inProperty({ format: "date" }), { a: "2024-02-30" }, "/a", /format "date"/],
  ["a text that doesn't match the pattern", inProperty({ pattern: "^\\d+$" }), { a: "x" }, "/a", /pattern/],
  [
    "a value that isn't in an enum",
    inProperty({ anyOf: [{ type: "string" }, { type: "null" }] }),
    { a: 5 },
    "/a",
    /any subschemas/,
  ],
  ["a value that not excludes", inProperty({ not: { const: 5 } }), { a: 5 }, "/a", /matched "not"/],
  [
    "a long text with a format",
    inProperty({ format: "uri" }),
    { a: `https://${"a".repeat(2_000)}` },
    "/a",
    /too long to check against its format/,
  ],
  [
    "a pattern over a very long text",
    inProperty({ pattern: "^a+$" }),
    { a: "a".repeat(10_001) },
    "/a",
    /too long to check against its pattern; the limit is 10000/,
  ],
  [
    "a pattern of quadratic time on many long texts",
    inProperty({ items: { pattern: "\\s+$" } }),
    { a: Array.from({ length: 5 }, () => " ".repeat(5_000)) },
    "/a/2",
    /too long to match/,
  ],
  [
    "a pattern on many texts",
    {
      ...inProperty({ allOf: Array.from({ length: 1_600 }, () => ({ $ref: "#/$defs/costly" })) }),
      $defs: { costly: { pattern: "^[^@]+@.*\\..*$", anyOf: Array.from({ length: 700 }, () => ({ minLength: 1 })) } },
    },
    { a: "a@b.c" },
    "/a",
    /too long to check/,
  ],
  [
    "unique items that are long and nearly equal",
    inProperty({ uniqueItems: true }),
    { a: Array.from({ length: 300 }, (_, last) => [...Array(1_000).keys(), last]) },
    "/a",
    /too long to check/,
  ],
  ["an endless reference", { $ref: "#" }, {}, "", /refers to itself/],
])("returns the problem: %s", (_, schema, value, path, message) => {
  expect(schemaProblem(schema)).toBeNull();
  const [first] = findProblems(schema, value);
  expect(first?.path).toBe(path);
  expect(first?.message).toMatch(message);
});

it.each(["^(a+)+$", "(", "(?<=a)b"])("doesn't match the pattern %s, which would be refused in a request", (pattern) => {
  const [first] = findProblems(inProperty({ pattern }), { a: `${"a".repeat(50)}!` });
  expect(first?.path).toBe("/a");
});

it("never throws and always terminates, for any schema and value", () => {
  const word = fc.constantFrom("a", "b", "$ref", "type", "__proto__", "\ud800", "x".repeat(50));
  const text = fc.constantFrom(
    "a",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
    "2024-01-01",
    "#",
    "#/$defs/a",
    "\ud800",
    "^(a+)+$",
    "(",
  );
  const { schema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom("object", "string", "array", "nonsense", ["null", "string"]),
          $ref: fc.constantFrom("#", "#/$defs/a", "#/properties/a", "b"),
          properties: fc.dictionary(word, tie("schema"), { maxKeys: 3 }),
          patternProperties: fc.dictionary(fc.constantFrom("^(a|a)*$", "a", "("), tie("schema"), { maxKeys: 2 }),
          $defs: fc.record({ a: tie("schema") }),
          items: fc.oneof(tie("schema"), fc.array(tie("schema"), { maxLength: 2 })),
          anyOf: fc.array(tie("schema"), { maxLength: 3 }),
          allOf: fc.array(tie("schema"), { maxLength: 3 }),
          not: tie("schema"),
          additionalProperties: tie("schema"),
          unevaluatedProperties: tie("schema"),
          required: fc.array(word, { maxLength: 3 }),
          pattern: text,
          format: fc.constantFrom("url", "uri", "date", "regex", "email"),
          enum: fc.array(tie("value"), { maxLength: 3 }),
          multipleOf: fc.double({ min: 0 }),
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.double({ noNaN: true }),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(word, tie("value")),
    ),
  }));
  const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(schema, fc.oneof(json, fc.dictionary(word, fc.oneof(text, json))), (made, value) => {
      const valid = typeof made === "object" ? JSON.parse(JSON.stringify(made)) : made;
      const refused = schemaProblem(valid as SchemaObject);
      const found = findProblems(valid as SchemaObject, value);
      expect(found.length).toBeLessThanOrEqual(MAX_PROBLEMS);
      // A property name with an unpaired surrogate can't be part of a URI, so the validator can't check it.
      const isText = !JSON.stringify(value ?? null).includes("\\ud800");
      if (refused === null && isText)
        expect(found.every(({ message }) => message !== "The value can't be checked.")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

describe("a reference to an object under an unknown keyword", () => {
  const refer = (shared: object) => ({
    type: "object",
    components: { shared },
    properties: { a: { $ref: "#/components/shared" } },
  });

  it("uses the replaced format, which takes linear time", () => {
    expect(findProblems(refer({ format: "url" }), { a: `http://${"a".repeat(29)}!` })).toEqual([]);
  });

  it("uses the pattern without needless escapes", () => {
    expect(findProblems(refer({ pattern: "^\\d{3}\\-\\d$" }), { a: "123-4" })).toEqual([]);
    expect(findProblems(refer({ pattern: "^\\d{3}\\-\\d$" }), { a: "1234" })).toHaveLength(1);
  });

  it("counts recursive references", () => {
    const $schema = "https://json-schema.org/draft/2019-09/schema";
    const allOf = Array.from({ length: 20 }, () => ({ $recursiveRef: "#" }));
    const schema = { $schema, $recursiveAnchor: true, $ref: "#/x/r", x: { r: { properties: { a: { allOf } } } } };
    const value = { a: { a: { a: { a: { a: { a: {} } } } } } };
    expect(findProblems(schema, value)).toEqual([
      expect.objectContaining({ message: expect.stringContaining("too long") }),
    ]);
  });

  it("leaves the values of data keywords unchanged", () => {
    const schema = { properties: { a: { const: { format: "url", pattern: "\\-" } } } };
    expect(findProblems(schema, { a: { format: "url", pattern: "\\-" } })).toEqual([]);
  });
});

describe("a text with characters outside Latin-1", () => {
  it.each([
    ["a Unicode class", "^\\p{L}*\\p{L}*\\p{L}*-", 477],
    ["a Unicode class in a simple pattern", "\\p{L}+@", 7_600],
    ["a negated class", "[^a]*[^a]*[^a]*-", 400],
  ])("is refused at a shorter length, because matching takes longer: %s", (_, pattern, length) => {
    const schema = { properties: { a: { pattern } } };
    const [problem] = findProblems(schema, { a: "日".repeat(length) });
    expect(problem?.message).toContain("too long to match");
  });

  it("is matched with common patterns", () => {
    const schema = { properties: { a: { pattern: "^[\\p{L} .'-]+$" } } };
    expect(findProblems(schema, { a: "İpek Ağaoğlu-Şahin 東京".replace(" 東京", "") })).toEqual([]);
  });
});
