import { expect, it } from "vitest";
import { parseAnswer, toAnswer, toRepairTurn } from "../../src/parse/answer";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
  additionalProperties: false,
};

it.each([
  ["plain JSON", '{"a":1}'],
  ["white space and a byte order mark", '\uFEFF\n {"a":1}\n\n'],
  ["a fence", '```json\n{"a":1}\n```'],
  ["a fence without a language", '```\n{"a":\n1}```'],
])("reads %s", (_, text) => {
  expect(parseAnswer(text)).toEqual({ a: 1 });
});

it.each([
  ["nothing", "", /empty/],
  ["an empty fence", "```json\n\n```", /empty/],
  ["a list", "[1]", /one JSON object/],
  ["null", "null", /one JSON object/],
  ["words around it", 'Here it is: {"a":1}', /not valid JSON/],
  ["a broken one", '{"a": 1', /not valid JSON/],
  ["two", '{"a":1} {"a":2}', /not valid JSON/],
])("doesn't read %s", (_, text, message) => {
  expect(parseAnswer(text)).toMatch(message);
});

it("tells the object from what is wrong with it", () => {
  expect(toAnswer('{"name":"Tide lamp","price":19.5}', schema)).toEqual({
    data: { name: "Tide lamp", price: 19.5 },
    problems: null,
  });
  expect(toAnswer('{"price":"19.5","sku":1}', schema)).toEqual({
    data: null,
    problems: [
      { path: "", message: expect.stringMatching(/"name"/) },
      { path: "/price", message: expect.stringMatching(/"string".*"number"/) },
      { path: "/sku", message: expect.stringMatching(/not allowed/) },
    ],
  });
  expect(toAnswer('{"anything":[]}', null).problems).toBeNull();
});

it("keeps what it tells the model within bounds", () => {
  const items = Array.from({ length: 5_000 }, () => ["x".repeat(1_000)]);
  const { problems } = toAnswer(JSON.stringify({ items }), {
    properties: { items: { items: { items: { enum: ["y".repeat(5_000)] } } } },
  });
  expect(problems).toHaveLength(20);
  const turn = toRepairTurn(problems ?? []);
  expect(turn).toContain("- /items/19/0: ");
  expect(turn.length).toBeLessThan(10_000);
});
