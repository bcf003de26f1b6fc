import { describe, expect, it } from "vitest";
import { anthropic } from "../../src/models/anthropic";
import { openai } from "../../src/models/openai";
import { type JsonSchema, toStrictSchema } from "../../src/models/strict-schema";

const string = { type: "string" };
/** A closed object, all of whose members are required. */
const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const nested = (levels: number): JsonSchema => (levels === 1 ? object({}) : object({ in: nested(levels - 1) }));
const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, string]));
const node = object({ name: string, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } });
/** Each definition refers twice to the next one: as a tree, two to the power of forty. */
const doubling = object(
  { first: { $ref: "#/$defs/d0" } },
  {
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => {
        const next = i === 39 ? string : { $ref: `#/$defs/d${i + 1}` };
        return [`d${i}`, object({ a: next, b: next })];
      }),
    ),
  },
);

describe("strict mode", () => {
  it.each<[string, JsonSchema, openai: boolean, anthropic: boolean]>([
    ["a closed object of required members", object({ a: string, b: { type: "integer" } }), true, true],
    [
      "lists, enums, constants, several types",
      object({
        a: { type: "array", items: { type: "string", enum: ["x", null] } },
        b: { type: ["number", "null"] },
        c: { type: "string", const: "x" },
      }),
      true,
      true,
    ],
    ["a union within", object({ a: { anyOf: [string, object({ b: string })] } }), true, true],
    [
      "titles and descriptions",
      object({ a: { ...string, description: "of it", title: "A" } }, { title: "T" }),
      true,
      true,
    ],
    ["a definition", object({ a: { $ref: "#/$defs/d" } }, { $defs: { d: object({ b: string }) } }), true, true],
    ["a known format", object({ a: { ...string, format: "date-time" } }), true, true],
    ["a member named like a keyword", object({ default: string, $ref: string, oneOf: string }), true, true],
    ["definitions that meet again", doubling, true, true],

    ["a member that isn't required", object({ a: string, b: string }, { required: ["a"] }), false, true],
    ["more than 24 of them", object(members(25), { required: [] }), false, false],
    ["a recursive definition", object({ a: { $ref: "#/$defs/node" } }, { $defs: { node } }), true, false],
    ["the root within itself", object({ a: { anyOf: [{ $ref: "#" }, { type: "null" }] } }), true, false],
    ["bounds of numbers", object({ a: { type: "number", minimum: 0 } }), true, false],
    ["bounds of lists", object({ a: { type: "array", items: string, maxItems: 3 } }), true, false],
    ["a regular pattern", object({ a: { ...string, pattern: "^[A-Z]{2}-\\d+$" } }), true, false],
    ["a list that isn't empty", object({ a: { type: "array", items: string, minItems: 1 } }), true, true],
    ["a list of two", object({ a: { type: "array", items: string, minItems: 2 } }), true, false],
    ["an address as a format", object({ a: { ...string, format: "uri" } }), false, true],
    [
      "many unions",
      object(Object.fromEntries(Object.keys(members(17)).map((name) => [name, { type: ["string", "null"] }]))),
      true,
      false,
    ],

    ["an open object", object({ a: string }, { additionalProperties: true }), false, false],
    ["one that doesn't say", { type: "object", properties: { a: string }, required: ["a"] }, false, false],
    ["an open object within", object({ a: { type: "object", properties: {} } }), false, false],
    ["a required member that it hasn't", object({ a: string }, { required: ["a", "b"] }), false, false],
    ["a root that says no type", { properties: { a: string } }, false, false],
    ["a union at the root", object({ a: string }, { anyOf: [{ required: ["a"] }] }), false, false],
    ["a member that says nothing", object({ a: {} }), false, false],
    ["a member that is anything", object({ a: true }), false, false],
    ["a list of anything", object({ a: { type: "array" } }), false, false],
    ["one of several", object({ a: { oneOf: [string, { type: "null" }] } }), false, false],
    ["all of several", object({ a: { allOf: [string] } }), false, false],
    ["lengths of texts", object({ a: { ...string, minLength: 1 } }), false, false],
    ["names by pattern", object({}, { patternProperties: { "^x": string } }), false, false],
    ["a pattern that looks ahead", object({ a: { ...string, pattern: "^(?=x)" } }), false, false],
    ["an unknown format", object({ a: { ...string, format: "isbn" } }), false, false],
    ["an object among the values", object({ a: { type: "object", enum: [{ b: 1 }] } }), false, false],
    ["a reference to nowhere", object({ a: { $ref: "#/$defs/none" } }), false, false],
    ["a reference to elsewhere", object({ a: { $ref: "https://schemas.example/a" } }), false, false],
    [
      "a reference with more beside it",
      object({ a: { $ref: "#/$defs/d", minLength: 1 } }, { $defs: { d: string } }),
      false,
      false,
    ],
    ["eleven levels", nested(11), false, false],
    [
      "a thousand values and one",
      object({ a: { type: "integer", enum: Array.from({ length: 1_001 }, (_, i) => i) } }),
      false,
      false,
    ],
    ["names of 120,000 characters and more", object({ ["x".repeat(120_001)]: string }), false, false],
  ])("accepts or refuses %s", (_, schema, ...expected) => {
    const accepted = [openai, anthropic].map((provider) => toStrictSchema(schema, provider.strictSchema) !== null);
    expect(accepted).toEqual(expected);
  });

  it("gets the same schema without annotations", () => {
    const schema = object(
      { a: { ...string, default: "x", examples: ["y"], description: "of it" }, default: string },
      { $schema: "https://json-schema.org/draft/2020-12/schema", $comment: "ours" },
    );
    const plain = object({ a: { ...string, description: "of it" }, default: string });
    expect(toStrictSchema(schema, openai.strictSchema)).toEqual(plain);
    expect(toStrictSchema(schema, anthropic.strictSchema)).toEqual(plain);
    expect(schema.$comment).toBe("ours");
  });
});
