import { expect, it } from "vitest";
import { parseAnswer, toAnswer, toRepairMessage } from "../../../src/endpoints/parse/answer";

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
  ["thoughts before it", '<think>\nIs it {"a":2}? No.\n</think>\n\n{"a":1}'],
  ["thoughts whose beginning was swallowed, and a fence", 'Is it {"a":2}? No.</think>\n```json\n{"a":1}\n```'],
])("reads %s", (_, text) => {
  expect(parseAnswer(text)).toEqual({ data: { a: 1 }, problems: null });
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
  expect(parseAnswer(text)).toEqual({ data: null, problems: [{ path: "", message: expect.stringMatching(message) }] });
});

it.each([
  ['{"a":"</think>"}', "</think>"],
  ['```json\n{"a":"</think> {}"}\n```', "</think> {}"],
])("doesn't take words of the answer for thoughts: %s", (text, a) => {
  expect(parseAnswer(text).data).toEqual({ a });
});

it.each([
  ["more than a double holds", '{"a":[{"b/c":1e400}]}', "/a/0/b~1c"],
  ["as little", '{"a":-1E+999}', "/a"],
  ["more digits than it has", '{"id":1234567890123456789,"to":"x"}', "/id"],
  ["one more than it can count", '{"id":9007199254740993}', "/id"],
])("takes no number that would come out as another one: %s", (_, text, path) => {
  expect(toAnswer(text, null).problems).toEqual([{ path, message: expect.stringContaining("exactly") }]);
});

it.each([
  "9007199254740991",
  "-9007199254740991",
  "100000000000000000000",
  "0.1000000000000000055",
  "1.5e300",
  "-0",
  "6.02e+23",
])("takes the number %s", (number) => {
  expect(toAnswer(`{"a":${number},"b":"1234567890123456789 1e400"}`, null)).toEqual({
    data: { a: Number(number), b: "1234567890123456789 1e400" },
    problems: null,
  });
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
  const turn = toRepairMessage(problems ?? []);
  expect(turn).toContain("- /items/19/0: ");
  expect(turn.length).toBeLessThan(10_000);
});
