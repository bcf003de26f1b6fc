import * as fc from "fast-check";
import { expect, it } from "vitest";
import { mergeAnswers, type Quote } from "../../../src/endpoints/parse/merge";
import type { SchemaObject } from "../../../src/json-schema/keywords";

function merge(parts: readonly SchemaObject[], schema: SchemaObject | null = null) {
  return mergeAnswers(
    parts.map((data) => ({ data, quotes: [] })),
    schema,
  ).data;
}

const list = (more: SchemaObject) => ({ properties: { items: { type: "array", ...more } } });

it.each<[string, SchemaObject[], SchemaObject, (SchemaObject | null)?]>([
  ["concatenates lists in the order of the parts", [{ items: [3, 1] }, { items: [2] }], { items: [3, 1, 2] }],
  ["skips items of earlier parts", [{ items: ["a", "b"] }, { items: ["b", "c"] }], { items: ["a", "b", "c"] }],
  ["keeps equal items of one part", [{ items: [5, 5] }, { items: [7, 7] }], { items: [5, 5, 7, 7] }],
  [
    "ignores white space, the order of properties and null when it compares items",
    [{ items: [{ name: "Tide  lamp", price: 5, sku: null }] }, { items: [{ price: 5, name: " Tide lamp" }] }],
    { items: [{ name: "Tide  lamp", price: 5, sku: null }] },
  ],
  [
    "uses the first value that isn't empty",
    [
      { a: null, b: "", c: 0 },
      { a: "x", b: " " },
      { a: "y", b: "z", c: 5 },
    ],
    { a: "x", b: "z", c: 0 },
  ],
  [
    "treats placeholders such as N/A as empty if another part has a value",
    [
      { a: "N/A", b: "–", c: "not specified", d: "n. a." },
      { a: "x", b: "None", c: "Noneburg", d: "unknown" },
    ],
    { a: "x", b: "–", c: "Noneburg", d: "n. a." },
  ],
  [
    "uses an empty value instead of null if no part has another value",
    [{ a: null }, { a: "" }, { a: null }],
    { a: "" },
  ],
  [
    "omits a null that additionalProperties don't allow",
    [{ a: null, b: 1 }, { a: null }],
    { b: 1 },
    { additionalProperties: { type: "number" } },
  ],
  [
    "limits the lists that additionalProperties describe",
    [{ a: [1, 2] }, { a: [3, 4] }],
    { a: [1, 2, 3] },
    { additionalProperties: { maxItems: 3 } },
  ],
  [
    "doesn't concatenate a tuple of an older draft",
    [{ a: [1, 2] }, { a: [3, 4] }],
    { a: [1, 2] },
    { properties: { a: { items: [{ type: "number" }, { type: "number" }] } } },
  ],
  [
    "keeps a null if its schema can't be checked",
    [{ a: null }, { a: null }],
    { a: null },
    { properties: { a: { $ref: "#/$defs/none" } } },
  ],
  ["doesn't treat NA, the code of Namibia, as a placeholder", [{ a: "NA" }, { a: "ZA" }], { a: "NA" }],
  ["doesn't treat false as empty", [{ a: false }, { a: true }], { a: false }],
  [
    "merges objects property by property",
    [{ a: { x: 1, y: null } }, { a: { y: 2, z: { t: 1 } } }, { a: { z: { u: 2 } } }],
    { a: { x: 1, y: 2, z: { t: 1, u: 2 } } },
  ],
  [
    "uses the type of the first value if the types differ",
    [{ a: null }, { a: [1] }, { a: "x" }, { a: [2] }],
    { a: [1, 2] },
  ],
  ["keeps a list that is empty in all parts", [{ a: [] }, { a: [] }], { a: [] }],
  ["keeps null if there is no schema", [{ a: null }, { a: null }], { a: null }],
  [
    "keeps a null that the schema allows",
    [{ a: null }, {}],
    { a: null },
    { properties: { a: { type: ["string", "null"] } } },
  ],
  [
    "drops a null that the schema doesn't allow",
    [{ a: null, b: { c: null } }, {}],
    { b: {} },
    {
      properties: { a: { type: "string" }, b: { $ref: "#/$defs/b" } },
      $defs: { b: { properties: { c: { type: "number" } } } },
    },
  ],
  ["stops at maxItems", [{ items: [1, 2] }, { items: [3, 4] }], { items: [1, 2, 3] }, list({ maxItems: 3 })],
  [
    "finds maxItems behind references",
    [{ items: [1] }, { items: [2] }],
    { items: [1] },
    { ...list({ allOf: [{ $ref: "#/$defs/few" }] }), $defs: { few: { maxItems: 1 } } },
  ],
  [
    "doesn't concatenate tuples",
    [{ items: [1, 2] }, { items: [3, 4] }],
    { items: [1, 2] },
    list({ prefixItems: [{}, {}] }),
  ],
  [
    "handles properties with names such as __proto__",
    [{ constructor: 1 }, JSON.parse('{"__proto__":[1]}'), JSON.parse('{"__proto__":[2]}')],
    JSON.parse('{"constructor":1,"__proto__":[1,2]}'),
  ],
])("%s", (_, parts, merged, schema = null) => {
  expect(JSON.stringify(merge(parts, schema))).toBe(JSON.stringify(merged));
});

it("moves quotes with their values", () => {
  const quotes = (...pointers: string[]): Quote[] => pointers.map((pointer) => ({ pointer, quote: `of ${pointer}` }));
  const { data, quotes: moved } = mergeAnswers(
    [
      { data: { title: null, items: [{ a: 1 }] }, quotes: quotes("/title", "/items/0/a") },
      {
        data: { title: "T", items: [{ a: 1 }, { a: 2, "b/c": 3 }] },
        quotes: quotes("/title", "/items/0/a", "/items/1/a", "/items/1/b~1c", "x"),
      },
    ],
    null,
  );
  expect(data).toEqual({ title: "T", items: [{ a: 1 }, { a: 2, "b/c": 3 }] });
  expect(moved).toEqual([
    { pointer: "/items/0/a", quote: "of /items/0/a" },
    { pointer: "/title", quote: "of /title" },
    { pointer: "/items/1/a", quote: "of /items/1/a" },
    { pointer: "/items/1/b~1c", quote: "of /items/1/b~1c" },
  ]);
});

it.each(["/data/items/0/a", "#/items/0/a"])("moves a quote with the pointer %s", (pointer) => {
  const { quotes } = mergeAnswers(
    [
      { data: { items: [{ a: 1 }] }, quotes: [{ pointer, quote: "one" }] },
      { data: { items: [{ a: 2 }] }, quotes: [{ pointer, quote: "two" }] },
    ],
    null,
  );
  expect(quotes).toEqual([
    { pointer: "/items/0/a", quote: "one" },
    { pointer: "/items/1/a", quote: "two" },
  ]);
});

const json = fc
  .dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }))
  .map((value) => JSON.parse(JSON.stringify(value)));

it("returns a single answer unchanged", () => {
  fc.assert(
    fc.property(json, (data) => {
      expect(merge([data])).toBe(data);
      // An empty answer for one part changes nothing.
      expect(merge([data, {}])).toEqual(data);
    }),
  );
});

it("keeps the order of lists, and each item once", () => {
  const items = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.array(items, { minLength: 2, maxLength: 5 }), (parts) => {
      const { items: merged = [] } = merge(parts.map((part) => ({ items: part }))) as { items?: number[] };
      expect(merged).toEqual([...new Set(parts.flat())]);
    }),
  );
});
