import { expect, it } from "vitest";
import { readAnswer } from "../../../src/endpoints/parse/answer";
import { readEvidenceAnswer, splitEvidence, toEvidenceSchema } from "../../../src/endpoints/parse/evidence-answer";
import type { SchemaObject } from "../../../src/json-schema/keywords";
import { schemaProblem } from "../../../src/json-schema/schema-problem";
import { findProblems } from "../../../src/json-schema/validate";

const envelope = (data: unknown, evidence: unknown = []) => JSON.stringify({ data, evidence });

it("requires the data and its quotes, and nothing else", () => {
  const { required, additionalProperties, properties } = toEvidenceSchema({ type: "object", title: "Lamp" });
  expect([required, additionalProperties]).toEqual([["data", "evidence"], false]);
  expect(properties).toMatchObject({
    data: { type: "object", title: "Lamp" },
    evidence: { items: { required: ["pointer", "quote"], additionalProperties: false } },
  });
});

it("drops quotes without a pointer or a text", () => {
  const evidence = [
    { pointer: "/a", quote: "x" },
    { pointer: "/a" },
    { quote: "x" },
    { pointer: 1, quote: "x" },
    null,
    "x",
  ];
  expect(splitEvidence({ data: { a: 1 }, evidence })).toEqual({
    data: { a: 1 },
    quotes: [{ pointer: "/a", quote: "x" }],
  });
});

it.each<[string, SchemaObject, unknown, unknown]>([
  [
    "definitions with the names of the new one",
    {
      properties: { a: { $ref: "#" }, b: { $ref: "#/$defs/data" }, c: { $ref: "#/$defs/data_" } },
      $defs: { data: { type: "null" }, data_: { type: "string" } },
    },
    { a: { b: null, c: "x" } },
    { a: { b: "x", c: null } },
  ],
  ["a plain schema", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }, { a: "x" }, { a: 5 }],
  [
    "definitions",
    { properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: { items: { $ref: "#/$defs/c" } }, c: { type: "null" } } },
    { a: [null] },
    { a: [1] },
  ],
  [
    "definitions under `definitions`",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { a: { $ref: "#/definitions/b" } },
      definitions: { b: { type: "null" } },
    },
    { a: null },
    { a: 1 },
  ],
  [
    "a recursive definition",
    { properties: { a: { $ref: "#" }, b: { type: "string" } } },
    { a: { a: { b: "x" } } },
    { a: { a: { b: 5 } } },
  ],
  [
    "a definition that refers to the root",
    {
      properties: { a: { $ref: "#/$defs/data" } },
      $defs: { data: { items: { $ref: "#" } } },
      additionalProperties: false,
    },
    { a: [{ a: [] }] },
    { a: [{ b: 1 }] },
  ],
  [
    "a root with a $ref",
    { $ref: "#/$defs/n", $defs: { n: { required: ["a"], properties: { a: { $ref: "#/$defs/n" } } } } },
    undefined,
    { a: {} },
  ],
  [
    "a reference to an unknown keyword",
    { properties: { a: { items: { type: "null" } }, b: { $ref: "#/properties/a/items" } } },
    { b: null },
    { b: 1 },
  ],
  [
    "an $id and an $anchor",
    {
      $id: "https://example.com/s",
      properties: { a: { $ref: "t" }, b: { $ref: "#x" } },
      $defs: { t: { $id: "t", type: "null" }, x: { $anchor: "x", type: "null" } },
    },
    { a: null, b: null },
    { a: null, b: 1 },
  ],
])("wraps %s without changing the valid values", (_, schema, valid, invalid) => {
  expect(schemaProblem(schema)).toBeNull();
  const wrapped = toEvidenceSchema(schema);
  expect(schemaProblem(wrapped)).toBeNull();
  if (valid !== undefined) expect(readAnswer(envelope(valid), wrapped).problems).toBeNull();
  const found = readAnswer(envelope(invalid), wrapped).problems ?? [];
  expect(found.map(({ path }) => path)).toEqual(findProblems(schema, invalid).map(({ path }) => `/data${path}`));
});

it("splits an answer into data and quotes, and drops malformed quotes", () => {
  const quote = { pointer: "/a", quote: "x" };
  expect(splitEvidence({ data: { a: 1 }, evidence: [quote, { pointer: 5, quote: "x" }, null] })).toEqual({
    data: { a: 1 },
    quotes: [quote],
  });
  expect(splitEvidence({ data: { a: 1 } })).toEqual({ data: { a: 1 }, quotes: [] });
  expect(splitEvidence({ data: [1], evidence: [] })).toBeNull();
  expect(findProblems(toEvidenceSchema(null), { data: { any: ["thing"] }, evidence: [] })).toEqual([]);
});

const open = { properties: { data: { type: "object" }, total: { type: "number" } } };
const full = { ...open, properties: { ...open.properties, data: { required: ["x"] } }, required: ["data", "total"] };
const quoted = [{ pointer: "/x", quote: "x 1" }];

it.each<[string, SchemaObject | null, SchemaObject, unknown, unknown[]?]>([
  ["data and evidence", null, { data: { x: 1 }, evidence: quoted }, { x: 1 }, quoted],
  ["data without evidence", null, { data: { x: 1 } }, { x: 1 }],
  ["the data itself", null, { x: 1 }, { x: 1 }],
  [
    "the data itself with a property `data` and others",
    null,
    { data: { x: 1 }, total: 2 },
    { data: { x: 1 }, total: 2 },
  ],
  ["the data itself with a list in `data`", null, { data: [1] }, { data: [1] }],
  ["an answer that is valid only as the data itself", full, { data: { x: 1 }, total: 2 }, { data: { x: 1 }, total: 2 }],
  ["an answer that is valid in both readings", open, { data: { x: 1 }, total: 2 }, { data: { x: 1 }, total: 2 }],
  ["the data itself with a property `data` of the schema", open, { data: { x: 1 } }, { data: { x: 1 } }],
  [
    "data and evidence, with a property `data` within the data",
    full,
    { data: { data: { x: 1 }, total: 2 }, evidence: quoted },
    { data: { x: 1 }, total: 2 },
    quoted,
  ],
])("reads %s", (_, schema, answer, data, quotes = []) => {
  expect(readEvidenceAnswer(JSON.stringify(answer), schema)).toEqual({ data, quotes });
});

it.each<[string, SchemaObject | null, SchemaObject, string]>([
  ["a list instead of an object", null, { data: [1], evidence: [] }, "/data"],
  ["a list instead of an object, with a schema", { required: ["x"] }, { data: [1], evidence: [] }, "/data"],
  [
    "invalid data with evidence",
    { properties: { x: { type: "string" } } },
    { data: { x: 1 }, evidence: [] },
    "/data/x",
  ],
  ["invalid data without evidence", { properties: { x: { type: "string" } } }, { x: 1 }, "/x"],
  ["a number that loses precision", null, { data: { x: [0] }, evidence: [] }, ""],
])("returns the path of the problem: %s", (_, schema, answer, path) => {
  const text = JSON.stringify(answer).replace("[0]", "[1e999]");
  expect(readEvidenceAnswer(text, schema)).toMatchObject({ data: null, problems: [{ path }] });
});
