import { describe, expect, it } from "vitest";
import { addToKnown, fillWithNull, keepValid, toOpenSchema } from "../../../src/endpoints/parse/open-properties";

const text = { type: "string" };
const amount = { type: "number" };
const nullable = { type: ["string", "null"] };
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
});

describe("the valid part of found data", () => {
  it.each<[string, object, Record<string, unknown>, Record<string, unknown>]>([
    [
      "keeps valid properties and removes invalid ones",
      { name: text, price: amount },
      { name: "a", price: "b" },
      { name: "a" },
    ],
    [
      "keeps an object that lacks a required property",
      { offer: object({ price: amount, unit: text }, ["unit"]) },
      ...same({ offer: { price: 1 } }),
    ],
    [
      "removes a list with an item that lacks a required property",
      { name: text, items: { type: "array", items: object({ a: text, b: text }, ["a"]) } },
      { name: "n", items: [{ a: "1" }, { b: "2" }] },
      { name: "n" },
    ],
    ["removes a list that is too short", { tags: { type: "array", items: text, minItems: 2 } }, { tags: ["a"] }, {}],
    ["removes a value that isn't in the enum", { state: { enum: ["on", "off"] } }, { state: "maybe" }, {}],
  ])("%s", (_, properties, data, kept) => {
    expect(keepValid(object(properties as Record<string, unknown>, ["name"]), data)).toEqual(kept);
  });

  it("has no properties that the schema forbids", () => {
    const schema = { ...object({ name: text }), additionalProperties: false };
    expect(keepValid(schema, { name: "a", other: 1 })).toEqual({ name: "a" });
  });

  function same(data: Record<string, unknown>): [Record<string, unknown>, Record<string, unknown>] {
    return [data, data];
  }
});

describe("missing properties", () => {
  it("become null where the schema allows null, in the order of the schema", () => {
    const schema = object({ a: nullable, b: text, c: nullable, d: { $ref: "#/$defs/d" } });
    const filled = fillWithNull({ ...schema, $defs: { d: nullable } }, { c: "x", e: 1 });
    expect(filled).toEqual({ a: null, c: "x", d: null, e: 1 });
    expect(Object.keys(filled)).toEqual(["a", "c", "d", "e"]);
  });

  it("become null in objects and in the items of lists", () => {
    const item = object({ name: text, note: nullable });
    const schema = object({ one: item, many: { type: "array", items: item } });
    expect(fillWithNull(schema, { one: { name: "a" }, many: [{ name: "b" }, { name: "c", note: "d" }] })).toEqual({
      one: { name: "a", note: null },
      many: [
        { name: "b", note: null },
        { name: "c", note: "d" },
      ],
    });
  });
});

describe("the schema for the model", () => {
  it("has only the open properties, and requires only those", () => {
    const schema = object({ name: text, price: amount, brand: text }, ["name", "price"]);
    expect(toOpenSchema(schema, { name: "a" })).toEqual(object({ price: amount, brand: text }, ["price"]));
  });

  it("has the open properties of an object that was found in part", () => {
    const schema = object({ name: text, offer: object({ price: amount, unit: text }, ["price", "unit"]) }, ["offer"]);
    expect(toOpenSchema(schema, { name: "a", offer: { price: 1 } })).toEqual(
      object({ offer: object({ unit: text }, ["unit"]) }, ["offer"]),
    );
  });

  it("keeps the definitions that open properties refer to", () => {
    const schema = { ...object({ name: text, offer: { $ref: "#/$defs/offer" } }), $defs: { offer: object({}) } };
    expect(toOpenSchema(schema, { name: "a" })).toMatchObject({
      properties: { offer: { $ref: "#/$defs/offer" } },
      $defs: { offer: object({}) },
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["alternatives", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }],
    ["a condition", { if: { required: ["a"] }, else: { required: ["b"] } }],
    ["a minimum number of properties", { minProperties: 2 }],
    ["a reference to itself", { properties: { a: text, b: { $ref: "#" } } }],
    ["a reference to another property", { properties: { a: text, b: { $ref: "#/properties/a" } } }],
  ])("can't be made for a schema with %s", (_, keywords) => {
    expect(toOpenSchema({ ...object({ a: text, b: text }), ...keywords }, { a: "x" })).toBeNull();
  });
});

describe("the answer of the model", () => {
  it("is added to the found data, which it doesn't replace", () => {
    const schema = object({ name: text, offer: object({ price: amount, unit: text }), note: text });
    const data = addToKnown(
      schema,
      { note: "found", offer: { unit: "kg" } },
      { note: "invented", name: "a", offer: { unit: "g", price: 1 } },
    );
    expect(data).toEqual({ name: "a", offer: { price: 1, unit: "kg" }, note: "found" });
    expect(Object.keys(data)).toEqual(["name", "offer", "note"]);
  });
});
