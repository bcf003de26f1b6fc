import { expect, it } from "vitest";
import { describeJsonError } from "../../src/http/json-problem";

it.each([
  ['{"url":"https://example.com",}', "Line 1, column 30: remove the comma before '}'."],
  ['{"formats":["html",]}', "Line 1, column 20: remove the comma before ']'."],
  ["{'url':1}", "Line 1, column 2: strings and property names need double quotes, not single quotes."],
  ["{url:1}", "Line 1, column 2: 'url' is not a JSON value; strings and property names need double quotes."],
  [
    '{\n  "js_render": True\n}',
    "Line 2, column 16: 'True' is not a JSON value; strings and property names need double quotes.",
  ],
  ['{"a" 1}', "Line 1, column 6: ':' is expected, not '1'."],
  ['{"a":1 "b":2}', "Line 1, column 8: ',' or the end of the object or list is expected, not '\"b\"'."],
  ['{"a":1', "Line 1, column 7: the body ends, but '}' is expected."],
  ['{"a":"b}', "Line 1, column 6: the string has no closing double quote."],
  ['{"a":1} x', "Line 1, column 9: 'x' is not a JSON value; strings and property names need double quotes."],
  ['{"a":1}{"b":2}', "Line 1, column 8: the end of the body is expected, not '{'."],
  ['{"a":1, // note\n"b":2}', "Line 1, column 9: JSON has no comments."],
  ['{"a":"b\tc"}', "Line 1, column 6: a string can't contain a control character; write \\n for a line break."],
])("describes the first error of %j", (text, expected) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(describeJsonError(text)).toBe(expected);
});

it("doesn't quote long text, and gives up on deeply nested text", () => {
  expect(describeJsonError(`{"a": ${"x".repeat(1_000)}}`)?.length).toBeLessThan(150);
  expect(describeJsonError("[".repeat(1_000_000))).toBeNull();
});
