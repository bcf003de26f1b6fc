import { expect, it } from "vitest";
import { describeJsonError } from "../../src/http/json-problem";

it.each([
  ['{"url":"https://example.com",}', "Line 1, column 30: property name expected."],
  ['{"formats":["html",]}', "Line 1, column 20: value expected."],
  ["{'url':1}", "Line 1, column 2: invalid symbol."],
  ['{\n  "js_render": True\n}', "Line 2, column 16: invalid symbol."],
  ['{"a" 1}', "Line 1, column 6: colon expected."],
  ['{"a":1 "b":2}', "Line 1, column 8: comma expected."],
  ['{"a":1', "Line 1, column 7: close brace expected."],
  ['{"a":"b}', "Line 1, column 6: unexpected end of string."],
  ['{"a":1}{"b":2}', "Line 1, column 8: end of file expected."],
  ['{"a":1, // note\n"b":2}', "Line 1, column 9: invalid comment token."],
  ['{"a":"b\tc"}', "Line 1, column 6: invalid character."],
])("describes the first error of %j", (text, expected) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(describeJsonError(text)).toBe(expected);
});

it("gives up on deeply nested text", () => {
  expect(describeJsonError("[".repeat(1_000_000))).toBeNull();
});
