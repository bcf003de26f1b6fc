import { describe, expect, it } from "vitest";
import { ERROR_HINTS } from "../../src/model/error-hints";
import { describeInvalidOperator, nameOperator } from "../../src/model/operator";

const HINT = ERROR_HINTS.account_suspended;

describe("a text that refers to the operator", () => {
  it.each([
    ["https://support.example/", "the operator of this service (https://support.example/)"],
    ["mailto:help@support.example", "the operator of this service (help@support.example)"],
  ])("names the contact %s", (SUPPORT_URL, expected) => {
    expect(nameOperator(HINT, { SUPPORT_URL })).toContain(expected);
  });

  it("stays readable without a contact, and other texts stay the same", () => {
    expect(nameOperator(HINT, { SUPPORT_URL: "" })).toBe(HINT);
    expect(nameOperator("Check the URL.", { SUPPORT_URL: "https://support.example/" })).toBe("Check the URL.");
  });
});

it.each([
  ["OPERATOR_NAME", "Harbor Data", 0],
  ["OPERATOR_NAME", "x".repeat(41), 1],
  ["OPERATOR_LOGO_URL", "https://logos.example/mark.svg", 0],
  ["OPERATOR_LOGO_URL", "/logo.svg", 0],
  ["OPERATOR_LOGO_URL", "//logos.example/mark.svg", 1],
  ["OPERATOR_LOGO_URL", "http://logos.example/mark.svg", 1],
  ["OPERATOR_COLOR", "#0B6b5f", 0],
  ["OPERATOR_COLOR", "teal", 1],
  ["OPERATOR_COLOR", "#abc", 1],
])("%s %j has %i problems", (name, value, count) => {
  expect(describeInvalidOperator({ [name]: value })).toHaveLength(count);
});

it.each([
  ["", "", 0],
  ["https://support.example/", "https://terms.example/", 0],
  ["mailto:help@support.example", "", 0],
  ["support.example", "", 2],
  ["mailto:nobody", "mailto:terms@example.com", 3],
  ["javascript:alert(1)", "ftp://terms.example/", 3],
])("the contact %j and TERMS_URL %j have %i problems", (contact, TERMS_URL, count) => {
  const variables = { SUPPORT_URL: contact, UPGRADE_URL: contact, TERMS_URL };
  expect(describeInvalidOperator(variables)).toHaveLength(count);
});
