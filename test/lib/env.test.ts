import { expect, it } from "vitest";
import { isOn, toHttpOrigin, toOrigin, toPositiveNumber, toText, toWholeNumber } from "../../src/lib/env";

it.each([
  [undefined, null],
  ["", null],
  ["  ", null],
  [" a b ", "a b"],
])("reads the text %j as %j", (text, expected) => {
  expect(toText(text)).toBe(expected);
});

it.each([
  [undefined, null],
  ["", null],
  ["example.com", null],
  ["ftp://example.com", null],
  ["javascript:alert(1)", null],
  [" https://Example.com:8443/path?a=1 ", "https://example.com:8443"],
  ["http://example.com:80/", "http://example.com"],
])("reads the origin %j as %j", (text, expected) => {
  expect(toHttpOrigin(text)).toBe(expected);
});

it.each([
  [undefined, 7],
  ["", 7],
  ["  ", 7],
  ["abc", 7],
  ["0", 7],
  ["-1", 7],
  ["Infinity", 7],
  ["0.5", 0.5],
  [" 12 ", 12],
])("reads the positive number %j as %j with a default of 7", (text, expected) => {
  expect(toPositiveNumber(text, 7)).toBe(expected);
});

it.each([
  [undefined, 7],
  ["", 7],
  ["1.5", 7],
  ["-1", 7],
  ["1e3", 7],
  ["9".repeat(16), 7],
  ["0", 0],
  [" 12 ", 12],
])("reads the whole number %j as %j with a default of 7", (text, expected) => {
  expect(toWholeNumber(text, 7)).toBe(expected);
});

it.each([
  [undefined, false],
  ["", false],
  ["off", false],
  ["0", false],
  ["online", false],
  ["on", true],
  [" TRUE ", true],
  ["1", true],
  ["Yes", true],
])("reads the switch %j as %s", (text, expected) => {
  expect(isOn(text)).toBe(expected);
});

it("returns the origin of PUBLIC_URL for links, or the request's origin if it isn't set", () => {
  const request = "http://127.0.0.1:8787/v1/scrape?wait=true";
  expect(toOrigin({ PUBLIC_URL: "https://api.example/base" }, request)).toBe("https://api.example");
  expect(toOrigin({ PUBLIC_URL: "" }, request)).toBe("http://127.0.0.1:8787");
});
