import { expect, it } from "vitest";
import type { SchemaObject } from "../../src/json-schema/keywords";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { inProperty } from "./in-property";

const SEVEN = "http://json-schema.org/draft-07/schema#";
const NEWEST = "https://json-schema.org/draft/2020-12/schema";

function nest(levels: number): SchemaObject {
  return Array.from({ length: levels }).reduce<SchemaObject>((inner) => ({ items: inner }), {});
}

it.each<[string, SchemaObject]>([
  ["nothing", {}],
  ["properties without a type", { properties: { a: { type: ["string", "null"] } } }],
  ["a root that may be null", { type: ["object", "null"] }],
  ["a root with one constant value", { const: { a: 1 } }],
  ["a root with a choice of values", { enum: [null, { a: 1 }] }],
  [
    "draft 7 with $schema",
    { $schema: SEVEN, definitions: { a: { type: "string" } }, properties: { a: { $ref: "#/definitions/a" } } },
  ],
  ["draft 7 without $schema", inProperty({ items: [{ type: "string" }, true], additionalItems: false })],
  ["dependencies of draft 7", { $schema: SEVEN, dependencies: { a: ["b"], c: { required: ["d"] } } }],
  [
    "draft 2019-09",
    { $schema: "https://json-schema.org/draft/2019-09/schema", properties: { a: { $recursiveRef: "#" } } },
  ],
  ["draft 2020-12", { $schema: NEWEST, properties: { a: { prefixItems: [{ type: "string" }] } } }],
  ["a root with a $ref", { $ref: "#/$defs/a", $defs: { a: { type: "object", properties: { a: { $ref: "#" } } } } }],
  ["an anchor", { $defs: { x: { $anchor: "here", type: "string" } }, properties: { a: { $ref: "#here" } } }],
  ["a dynamic anchor", { $dynamicAnchor: "node", properties: { a: { $dynamicRef: "#node" } } }],
  ["an $id", { $id: "https://example.com/a", $defs: { b: { $id: "b" } }, properties: { a: { $ref: "b" } } }],
  [
    "a reference to an unknown keyword",
    { components: { a: { type: "string" } }, properties: { a: { $ref: "#/components/a" } } },
  ],
  ["a pattern with needless escapes", inProperty({ pattern: "^\\d{3}\\-\\d{4}[\\w\\-\\@]$" })],
  [
    "properties named like keywords",
    { properties: { type: {}, $ref: {}, required: { type: "boolean" } }, required: ["type"] },
  ],
  ["an object as one of the options", { anyOf: [{ type: "array" }, { type: "object" }] }],
  ["a reference to itself", { $ref: "#" }],
  ["unknown keywords", { ...inProperty({ "x-order": 5, nullable: true, example: { $ref: 5 } }) }],
])("accepts %s", (_, schema) => {
  const before = JSON.stringify(schema);
  expect(schemaProblem(schema)).toBeNull();
  expect(JSON.stringify(schema)).toBe(before);
});

it.each<[string, SchemaObject, string, RegExp]>([
  [
    "an unknown type",
    { type: "objekt" },
    "type",
    /^must be one of string, .*, not 'objekt'\. Did you mean 'object'\?$/,
  ],
  [
    "an unknown type in a nested schema",
    inProperty({ items: { type: ["string", "date"] } }),
    "properties.a.items.type",
    /^must be one of/,
  ],
  [
    "a root of another type",
    { type: "array", items: {} },
    "type",
    /^must be 'object', not 'array'\. Did you mean {"type":"object","properties":{"items":{"type":"array","items":{}}}}\?$/,
  ],
  [
    "a root of another type behind a reference",
    { $ref: "#/$defs/a", $defs: { a: { type: "array" } } },
    "",
    /^must describe an object$/,
  ],
  [
    "a root with only other types as options",
    { anyOf: [{ type: "array" }, { const: 5 }] },
    "",
    /^must describe an object$/,
  ],
  ["required that isn't a list", { required: true }, "required", /^must be a list of strings$/],
  ["properties that are a list", { properties: [{}] }, "properties", /^must be an object/],
  [
    "a property that isn't a schema",
    inProperty("string"),
    "properties.a",
    /^must be a schema\. Did you mean {"type":"string"}\?$/,
  ],
  ["an empty anyOf", inProperty({ anyOf: [] }), "properties.a.anyOf", /^must be a list of at least one schema$/],
  ["a negative length", inProperty({ minLength: -1 }), "properties.a.minLength", /^must be a whole number/],
  [
    "exclusiveMinimum of draft 4",
    inProperty({ exclusiveMinimum: true }),
    "properties.a.exclusiveMinimum",
    /^must be a number$/,
  ],
  ["draft 4", { $schema: "http://json-schema.org/draft-04/schema#" }, "$schema", /2020-12.*2019-09.*draft-07/],
  ["a custom metaschema", { $schema: 5 }, "$schema", /2020-12.*2019-09.*draft-07/],
  [
    "a list in items in draft 2020-12",
    { $schema: NEWEST, ...inProperty({ items: [{}] }) },
    "properties.a.items",
    /prefixItems/,
  ],
  [
    "a reference to another document",
    inProperty({ $ref: "https://example.com/a" }),
    "properties.a.$ref",
    /^must refer to a part/,
  ],
  ["a reference without a target", inProperty({ $ref: "#/$defs/b" }), "properties.a.$ref", /^must refer to a part/],
  [
    "a reference to an invalid schema",
    { ...inProperty({ $ref: "#/x/b" }), x: { b: { type: 5 } } },
    "properties.a.$ref",
    /invalid schema: type must/,
  ],
  ["duplicate $ids", { $defs: { a: { $id: "https://a.b/" }, b: { $id: "https://a.b/" } } }, "", /\$id/],
  ["duplicate anchors", { $defs: { a: { $anchor: "x" }, b: { $anchor: "x" } } }, "$defs.b.$anchor", /^must be unique/],
  [
    "an invalid pattern",
    inProperty({ pattern: "(" }),
    "properties.a.pattern",
    /^must be a regular expression that compiles/,
  ],
  [
    "an invalid pattern of property names",
    { patternProperties: { "[": {} } },
    "patternProperties.[",
    /^must be a regular expression/,
  ],
  [
    "a slow pattern",
    inProperty({ pattern: "^(a+)+$" }),
    "properties.a.pattern",
    /^must be a pattern without nested repetition/,
  ],
  [
    "a slow pattern of property names",
    { patternProperties: { "(a|a)*$": {} } },
    "patternProperties.(a|a)*$",
    /^must be a pattern without nested repetition/,
  ],
  [
    "a slow pattern in a definition",
    { ...inProperty({ $ref: "#/$defs/b" }), $defs: { b: { items: { pattern: "\\s*\\s*\\s*\\s*$" } } } },
    "$defs.b.items.pattern",
    /^must be a pattern with fewer repetitions/,
  ],
  [
    "a high count",
    inProperty({ pattern: "(a{100}){100}" }),
    "properties.a.pattern",
    /^must be a shorter regular expression/,
  ],
  ["look-behind", inProperty({ pattern: "(?<=a)b" }), "properties.a.pattern", /without look-behind/],
  ["back-references", inProperty({ pattern: "(a)\\1" }), "properties.a.pattern", /without look-behind/],
  ["a long pattern", inProperty({ pattern: "a".repeat(1_001) }), "properties.a.pattern", /at most 1000/],
  ["a deep schema", nest(70), "", /^must be nested at most 64 levels deep$/],
  ["a very deep schema", nest(100_000), "", /^must be nested at most 64 levels deep$/],
  ["a large schema", { enum: Array.from({ length: 10_000 }, () => ({})) }, "", /^must have at most 10000 values$/],
  ["a long schema", { description: "a".repeat(70_000) }, "", /^must have at most 65536 characters as JSON$/],
])("refuses %s, and returns its path", (_, schema, path, message) => {
  const problem = schemaProblem(schema);
  expect(problem?.path.join(".")).toBe(path);
  expect(problem?.message).toMatch(message);
});

it("checks a definition once, even if it can be reached in 2^30 ways", () => {
  const steps = Array.from({ length: 30 }, (_, step) => [
    `d${step}`,
    { anyOf: [{ $ref: `#/$defs/d${step + 1}` }, { $ref: `#/$defs/d${step + 1}` }] },
  ]);
  const $defs = { ...Object.fromEntries(steps), d30: { type: "string" } };
  expect(schemaProblem({ $ref: "#/$defs/d0", $defs })?.message).toBe("must describe an object");
});
