import { describe, expect, it } from "vitest";
import { anthropic } from "../../src/models/anthropic";
import { openai } from "../../src/models/openai";
import { findStrictSchema, type JsonSchema } from "../../src/models/strict-schema";

const string = { type: "string" };
/** Returns the schema of a closed object that requires all of its properties. */
const object = (properties: Record<string, unknown>, more: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
/**
 * Each of 40 definitions refers to the next one twice. If the references were expanded, there would be 2^40 schemas.
 */
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
    ["a closed object with only required properties", object({ a: string, b: { type: "integer" } }), true, true],
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
    ["a nested union", object({ a: { anyOf: [string, object({ b: string })] } }), true, true],
    [
      "titles and descriptions",
      object({ a: { ...string, description: "of it", title: "A" } }, { title: "T" }),
      true,
      true,
    ],
    ["a definition", object({ a: { $ref: "#/$defs/d" } }, { $defs: { d: object({ b: string }) } }), true, true],
    ["a known format", object({ a: { ...string, format: "date-time" } }), true, true],
    ["a property named like a keyword", object({ default: string, $ref: string, oneOf: string }), true, true],
    ["definitions that two properties share", doubling, true, true],

    ["an optional property", object({ a: string, b: string }, { required: ["a"] }), false, true],
    ["bounds of numbers", object({ a: { type: "number", minimum: 0 } }), true, false],
    ["bounds of lists", object({ a: { type: "array", items: string, maxItems: 3 } }), true, false],
    ["a regular expression", object({ a: { ...string, pattern: "^[A-Z]{2}-\\d+$" } }), true, false],
    ["a list with at least one item", object({ a: { type: "array", items: string, minItems: 1 } }), true, true],
    ["the format uri", object({ a: { ...string, format: "uri" } }), false, true],

    ["an open object", object({ a: string }, { additionalProperties: true }), false, false],
    [
      "an object without additionalProperties",
      { type: "object", properties: { a: string }, required: ["a"] },
      false,
      false,
    ],
    ["a nested open object", object({ a: { type: "object", properties: {} } }), false, false],
    ["a required property that isn't declared", object({ a: string }, { required: ["a", "b"] }), false, false],
    ["a root without a type", { properties: { a: string } }, false, false],
    ["a union at the root", object({ a: string }, { anyOf: [{ required: ["a"] }] }), false, false],
    ["a property with an empty schema", object({ a: {} }), false, false],
    ["a property that is true", object({ a: true }), false, false],
    ["a list without an item schema", object({ a: { type: "array" } }), false, false],
    ["oneOf", object({ a: { oneOf: [string, { type: "null" }] } }), false, false],
    ["allOf", object({ a: { allOf: [string] } }), false, false],
    ["lengths of texts", object({ a: { ...string, minLength: 1 } }), false, false],
    ["patterns of property names", object({}, { patternProperties: { "^x": string } }), false, false],
    ["a pattern with look-ahead", object({ a: { ...string, pattern: "^(?=x)" } }), false, false],
    ["an unknown format", object({ a: { ...string, format: "isbn" } }), false, false],
    ["an object in an enum", object({ a: { type: "object", enum: [{ b: 1 }] } }), false, false],
    [
      "a reference with more beside it",
      object({ a: { $ref: "#/$defs/d", minLength: 1 } }, { $defs: { d: string } }),
      false,
      false,
    ],
    ["a pattern with a back-reference", object({ a: { ...string, pattern: "(a)\\1" } }), false, false],
    ["a pattern with a word boundary", object({ a: { ...string, pattern: "a\\b" } }), false, false],
    ["a pattern with a group that isn't captured", object({ a: { ...string, pattern: "(?:a|b)" } }), true, false],
    ["older definitions", object({ a: { $ref: "#/definitions/d" } }, { definitions: { d: string } }), true, false],
    ["a multiple", object({ a: { type: "integer", multipleOf: 5 } }), true, false],
  ])("accepts or refuses %s", (_, schema, ...expected) => {
    const accepted = [openai, anthropic].map((provider) => findStrictSchema(schema, provider.strictSchema) !== null);
    expect(accepted).toEqual(expected);
  });

  it("returns the same schema without annotations", () => {
    const schema = object(
      { a: { ...string, default: "x", examples: ["y"], description: "of it" }, default: string },
      { $schema: "https://json-schema.org/draft/2020-12/schema", $comment: "ours" },
    );
    const plain = object({ a: { ...string, description: "of it" }, default: string });
    expect(findStrictSchema(schema, openai.strictSchema)).toEqual(plain);
    expect(findStrictSchema(schema, anthropic.strictSchema)).toEqual(plain);
    expect(schema.$comment).toBe("ours");
  });
});
