import { expect, it } from "vitest";
import { parseAnswer, readAnswer, toRepairMessage } from "../../../src/endpoints/parse/answer";
import { MAX_ANSWER_DEPTH, MAX_PROBLEMS } from "../../../src/model/limits";

const schema = {
  type: "object",
  properties: { name: { type: "string" }, price: { type: "number" } },
  required: ["name", "price"],
  additionalProperties: false,
};

it("reads one JSON object", () => {
  expect(parseAnswer('{"a":1}')).toEqual({ data: { a: 1 }, problems: null });
});

it.each([
  ["an empty text", "", /empty/],
  ["an array", "[1]", /one JSON object/],
  ["null", "null", /one JSON object/],
  ["text around the JSON", 'Here it is: {"a":1}', /not valid JSON/],
  ["incomplete JSON", '{"a": 1', /not valid JSON/],
  ["two objects", '{"a":1} {"a":2}', /not valid JSON/],
])("rejects %s", (_, text, message) => {
  expect(parseAnswer(text)).toEqual({ data: null, problems: [{ path: "", message: expect.stringMatching(message) }] });
});

it.each([
  ["a number above the range of a double", '{"a":[{"b/c":1e400}]}', "1e400 in 'b/c'"],
  ["a number below the range of a double", '{"a":-1E+999}', "-1E+999 in 'a'"],
  ["an integer with too many digits", '{"id":1234567890123456789,"to":"x"}', "1234567890123456789 in 'id'"],
  ["the first integer that isn't safe", '{"id":9007199254740993}', "9007199254740993 in 'id'"],
])("rejects a number that would lose precision: %s", (_, text, named) => {
  expect(readAnswer(text, null).problems).toEqual([{ path: "", message: expect.stringContaining(named) }]);
});

it.each([
  "9007199254740991",
  "-9007199254740991",
  "100000000000000000000",
  "0.1000000000000000055",
  "1.5e300",
  "-0",
  "6.02e+23",
])("accepts the number %s", (number) => {
  expect(readAnswer(`{"a":${number},"b":"1234567890123456789 1e400"}`, null)).toEqual({
    data: { a: Number(number), b: "1234567890123456789 1e400" },
    problems: null,
  });
});

it("returns the object, or the problems if it isn't valid", () => {
  expect(readAnswer('{"name":"Tide lamp","price":19.5}', schema)).toEqual({
    data: { name: "Tide lamp", price: 19.5 },
    problems: null,
  });
  expect(readAnswer('{"price":"19.5","sku":1}', schema)).toEqual({
    data: null,
    problems: [
      { path: "", message: expect.stringMatching(/"name"/) },
      { path: "/price", message: expect.stringMatching(/"string".*"number"/) },
      { path: "/sku", message: expect.stringMatching(/not allowed/) },
    ],
  });
  expect(readAnswer('{"anything":[]}', null).problems).toBeNull();
});

it("names the whole answer in the repair message if a problem has no path", () => {
  const message = toRepairMessage([
    { path: "", message: "It is empty." },
    { path: "/a", message: "It is wrong." },
  ]);
  expect(message).toContain("\n- The whole answer: It is empty.\n- /a: It is wrong.\n");
});

it("limits the depth of an answer, the number of lossy numbers and the length of a reason", () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  expect(parseAnswer(nested(MAX_ANSWER_DEPTH)).problems).toBeNull();
  expect(parseAnswer(nested(MAX_ANSWER_DEPTH + 1)).problems?.[0]?.message).toContain(`${MAX_ANSWER_DEPTH} levels`);
  const lossy = JSON.stringify({ a: Array.from({ length: MAX_PROBLEMS + 1 }, () => 0) }).replaceAll("0", "1e400");
  expect(parseAnswer(lossy).problems).toHaveLength(MAX_PROBLEMS);
});

it("limits the length of the repair message", () => {
  const items = Array.from({ length: 5_000 }, () => ["x".repeat(1_000)]);
  const { problems } = readAnswer(JSON.stringify({ items }), {
    properties: { items: { items: { items: { enum: ["y".repeat(5_000)] } } } },
  });
  expect(problems).toHaveLength(20);
  const turn = toRepairMessage(problems ?? []);
  expect(turn).toContain("- /items/19/0: ");
  expect(turn.length).toBeLessThan(10_000);
});
