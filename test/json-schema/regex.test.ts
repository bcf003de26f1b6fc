import * as fc from "fast-check";
import { expect, it } from "vitest";
import { sampleRegex } from "../../src/endpoints/mock/regex/sample";
import { matches } from "../../src/json-schema/regex/match";
import { parseRegex } from "../../src/json-schema/regex/parse";

const PATTERNS = [
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^(red|green|blue)$",
  "^[A-Z][a-z]+( [A-Z][a-z]+)*$",
  "^\\+?[1-9]\\d{1,14}$",
  "foo",
  "^$",
  "",
  "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$",
  "^\\p{Lu}\\p{L}*$",
  "^[а-я]{3}$",
  "^[\\u4e00-\\u9fa5]{2}$",
  "^\\u0041\\x42?\\u{43}$",
  "^a{0}b{2,3}?c*$",
  "^(?:(?:a|b){2}|c)+\\.$",
  "\\bword\\b",
  "^[\\w.-]+$",
  "^#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})$",
  "^(?<year>\\d{4})$",
  "^[\\]\\-^\\\\]$",
  "^[[({]\\)\\]\\}$",
  "^(a*)*$",
  "^\\t\\S\\W\\D.$",
  // Not for the flag `u`, and in many schemas all the same.
  "^\\d{3}\\-\\d{4}$",
];

it.each(PATTERNS)("makes texts that match %s", (pattern) => {
  const regex = parseRegex(pattern);
  for (const extra of [0, 1, 4]) {
    for (const index of [0, 1, 7]) {
      const text = regex && sampleRegex(regex, { extra, index, maxChars: 1_000 });
      expect(text).toMatch(new RegExp(pattern, pattern.includes("\\-\\d") ? "" : "u"));
    }
  }
});

it("finds a match exactly where the runtime's engine finds one", () => {
  const part = fc.constantFrom(
    ..."ab01 -",
    "\\d",
    "\\w",
    "\\s",
    ".",
    "[ab]",
    "[^a]",
    "^",
    "$",
    "\\b",
    "\\B",
    "(?:a|b)",
    "(ab?)",
    "(?=a)",
    "(?!b)",
    "|",
  );
  const quantified = fc
    .tuple(part, fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?"))
    .map(([atom, quantifier]) => (/^(\^|\$|\\b|\\B|\||\(\?[=!].*)$/.test(atom) ? atom : atom + quantifier));
  const pattern = fc.oneof(
    fc.array(quantified, { maxLength: 6 }).map((parts) => parts.join("")),
    fc.array(quantified, { minLength: 1, maxLength: 4 }).map((parts) => `^(${parts.join("")})+$`),
  );
  fc.assert(
    fc.property(pattern, fc.string({ unit: fc.constantFrom(..."ab01 -\n"), maxLength: 8 }), (source, text) => {
      const regex = parseRegex(source);
      expect(regex).not.toBeNull();
      const found = regex && matches(regex, text, { left: 100_000 });
      if (found !== null) expect(found).toBe(new RegExp(source, "u").test(text));
    }),
    { numRuns: 500 },
  );
});

it.each(["^(a+)+$", "^(a|a)*$", "^(a*)*b$", "(a+a+)+b", "(?=(a|a)*$)b", "^(?:){1000000000}b$"])(
  "gives up on %s instead of trying it to the end",
  (pattern) => {
    const regex = parseRegex(pattern);
    const steps = { left: 100_000 };
    expect(regex && matches(regex, `${"a".repeat(60)}!`, steps)).toBeNull();
    expect(steps.left).toBeGreaterThan(50_000);
  },
);

it.each(["(a{1000}){1000}", "((a{1000}){1000}){1000}", "(?:){1000000000}", "a{1000000000}"])(
  "makes nothing too long of %s",
  (pattern) => {
    const regex = parseRegex(pattern);
    expect(regex && sampleRegex(regex, { extra: 0, index: 0, maxChars: 10_000 })).toBeNull();
  },
);

it("takes one character in a row many times without a full stack", () => {
  const regex = parseRegex("^[a-z]+$");
  expect(regex && matches(regex, "a".repeat(9_000), { left: 100_000 })).toBe(true);
});

it.each([
  ["what isn't a pattern", "("],
  ["looking behind", "(?<=a)b"],
  ["references back", "(a)\\1"],
  ["flags of a part", "(?i:a)"],
  ["very long patterns", "a".repeat(2_000)],
  ["very deep ones", "(".repeat(100) + ")".repeat(100)],
])("has no answer to %s", (_, pattern) => {
  expect(parseRegex(pattern)).toBeNull();
});
