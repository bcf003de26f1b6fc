import * as fc from "fast-check";
import { expect, it } from "vitest";
import { estimateSteps, toUnicodePattern } from "../../src/json-schema/patterns";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { inProperty } from "./in-property";

function estimate(pattern: string, budget = { stepsLeft: Infinity }) {
  return estimateSteps(pattern, budget);
}

it.each([
  ["an ISO date", "^\\d{4}-\\d{2}-\\d{2}$", "2026-03-12"],
  ["an ISO time", "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$", "2026-03-12T09:30Z"],
  ["an email address", "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "jane@mail.example.com"],
  ["an ASCII email address", "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "jane@mail.example.com"],
  ["a phone number", "^\\+?[1-9]\\d{1,14}$", "+12025550123"],
  ["a formatted phone number", "^\\+?[\\d\\s().-]{7,20}$", "+1 (202) 555-0123"],
  ["a US phone number", "^\\(?\\d{3}\\)?[-.\\s]?\\d{3}[-.\\s]?\\d{4}$", "202-555-0123"],
  ["a slug", "^[a-z0-9]+(?:-[a-z0-9]+)*$", "a-long-slug"],
  ["a SKU", "^[A-Z]{2,5}-\\d{3,8}(-[A-Z0-9]+)?$", "AB-1234-XL"],
  [
    "a UUID",
    "^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$",
    "00000000-0000-4000-8000-000000000001",
  ],
  ["a price", "^\\d+(\\.\\d{1,2})?$", "19.99"],
  ["a price with separators", "^[€$£]?\\s?\\d{1,3}(,\\d{3})*(\\.\\d{2})?$", "€1,234.00"],
  ["a hex color", "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", "#1a2b3c"],
  ["a version", "^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?(?:\\+[0-9A-Za-z.-]+)?$", "1.2.3-beta.1"],
  [
    "the official pattern of a version",
    "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
    "1.2.3-beta.1+5",
  ],
  ["a country code", "^[A-Z]{2}$", "DE"],
  ["a language", "^[a-z]{2,3}(-[A-Z]{2})?$", "de-CH"],
  ["the beginning of an address", "^https?://", "https://example.com/"],
  ["an address", "^https?://[\\w.-]+(\\.[a-z]{2,})(/\\S*)?$", "https://example.com/a"],
  ["the end of an address", ".*\\.pdf$", "https://example.com/a.pdf"],
  ["an IP address", "^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)$", "192.0.2.1"],
  ["a host name", "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,}$", "www.example.com"],
  ["an IBAN", "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$", "DE89370400440532013000"],
  ["an ISBN", "^(?:\\d[- ]?){9}[\\dXx]$", "3-16-148410-0"],
  ["a name", "^[A-Z][a-z]+( [A-Z][a-z]+)*$", "Jane Doe"],
  ["a month", "^(January|February|March|April|May|June|July) \\d{4}$", "March 2026"],
  ["a time", "^([01]\\d|2[0-3]):[0-5]\\d$", "09:30"],
  ["a list", "^\\s*\\w+(\\s*,\\s*\\w+)*\\s*$", "a, b , c"],
  ["a text that isn't blank", "\\S", " a"],
  ["a trimmed text", "^\\S(.*\\S)?$", "a b"],
  ["a text of some length", "^[\\s\\S]{1,1000}$", "text"],
  ["a word in a text", "^.*foo.*$", "a foo b"],
  ["a text without some words", "^(?!admin|root)\\p{Ll}{3,}$", "jane"],
  ["a password", "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$", "Abcdefg1"],
  ["letters of any script", "^\\p{Lu}[\\p{L}'’ -]*$", "Éva Nagy"],
  ["letters outside of ASCII", "^(?:ä|ö|ü|[a-z])+$", "müller"],
  ["needless escapes", "^\\d{3}\\-\\d{4}[\\w\\-\\@]*$", "555-1234@"],
])("allows %s", (_, pattern, text) => {
  const unicode = toUnicodePattern(pattern) ?? "";
  expect(unicode).not.toBe("");
  expect(text).toMatch(new RegExp(unicode, "u"));
  expect(schemaProblem(inProperty({ pattern }))).toBeNull();
  const steps = estimate(unicode);
  expect(typeof steps === "function" && steps(1_000)).toBeLessThan(3_000_000);
});

it.each([
  ["nested repetition", "^(a+)+$"],
  ["nested repetition of what can be empty", "^(\\s*a*)*$"],
  ["nested repetition before a character", "^(a*)*b$"],
  ["nested counts", "^(a{0,20}){0,20}$"],
  ["nested counts of one range", "(?:a{1,9}){1,9}$"],
  ["repetition of the same option", "^(a|a)*$"],
  ["repetition of an option and its double", "^(a|aa)+$"],
  ["repetition of overlapping classes", "^(\\w|\\d)*$"],
  ["repetition of overlapping classes outside of ASCII", "^(\\p{Script=Greek}|\\p{L})*!$"],
  ["repetition of words", "^(\\w+\\s?)*$"],
  ["a known slow pattern of an email address", "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@[a-z0-9]+[.][a-z]{2,3}$"],
  ["repetition in a look-ahead", "(?=(a|a)*$)b"],
  ["neighboring repetitions", "\\s+\\s+$"],
  ["three repetitions of anything", ".*=.*;"],
  ["many repetitions of anything", "^(?=.*.*.*.*x)"],
  ["three counted repetitions", "a{1,1000}a{1,1000}a{1,1000}$"],
  ["many optional characters", "a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaab"],
  ["a count of optional characters", "^(a?){30}a{30}$"],
])("refuses %s", (_, pattern) => {
  expect(estimate(pattern)).toBe("slow");
});

it.each([
  ["look-behind", "(?<=a)b"],
  ["back-references", "(a)\\1"],
  ["named back-references", "(?<x>a)\\k<x>"],
  ["flags of a group", "(?i:a)"],
  ["very long patterns", "a".repeat(2_000)],
  ["very deep patterns", "(".repeat(1_000) + ")".repeat(1_000)],
  ["very many states", `(?:${"ab".repeat(20)}){30}`],
  ["high counts", "(a{1000}){1000}"],
  ["large counts in one another", "(?:a{1,30}){1,30}$"],
  ["high counts of nothing", "^(?:){1000000000}b$"],
  ["high counts of what can be empty", "(a?){100}a{100}"],
  ["invalid patterns", "("],
])("doesn't support %s", (_, pattern) => {
  expect(estimate(pattern)).toBe("unsupported");
});

it("takes linear time for a pattern without a choice, and quadratic time at most for others", () => {
  const [linear, quadratic] = [estimate("^\\d{4}-\\d{2}-\\d{2}$"), estimate("\\s+$")];
  if (typeof linear !== "function" || typeof quadratic !== "function") throw new Error("Both patterns are allowed.");
  expect(linear(1_000)).toBe(1_001);
  expect(quadratic(1_000)).toBeGreaterThan(500_000);
  expect(quadratic(2_000) / quadratic(1_000)).toBeCloseTo(4, 1);
});

it("limits the analysis of all patterns of a schema", () => {
  const patterns = Array.from({ length: 200 }, (_, at) => `^(?:${"[a-z]?x".repeat(40)}|${at})$`);
  const budget = { stepsLeft: 100_000 };
  expect(patterns.map((pattern) => estimate(pattern, budget)).at(-1)).not.toBeTypeOf("function");
  expect(budget.stepsLeft).toBeLessThan(0);
  const schema = {
    type: "object",
    properties: Object.fromEntries(patterns.map((pattern, at) => [`p${at}`, { pattern }])),
  };
  expect(schemaProblem(schema)?.message).toMatch(/^must be a simpler pattern|^must be a pattern that can't/);
});

/** Counts the steps of an engine that tries one way after the other, as the runtime's does. */
function countSteps(parts: readonly (readonly [character: string, isRepeated: boolean])[], text: string): number {
  let steps = 0;
  const run = (part: number, at: number): boolean => {
    steps++;
    const [character, isRepeated] = parts[part] ?? [];
    if (character === undefined) return at === text.length;
    const isMatch = at < text.length && (character === "." || character === text[at]);
    if (isMatch && isRepeated && run(part, at + 1)) return true;
    return isRepeated ? run(part + 1, at) : isMatch && run(part + 1, at + 1);
  };
  run(0, 0);
  return steps;
}

it("never counts too few steps", () => {
  const part = fc.tuple(fc.constantFrom("a", "b", "."), fc.boolean());
  const unit = fc.string({ unit: fc.constantFrom("a", "b", "!"), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 5 }), unit, fc.nat(20), (parts, repeated, count) => {
      const pattern = `^${parts.map(([character, isRepeated]) => character + (isRepeated ? "*" : "")).join("")}$`;
      const text = `${repeated.repeat(count)}!`;
      const steps = estimate(pattern);
      // The engine also takes a step for each part that it leaves out.
      if (typeof steps === "function") {
        expect(countSteps(parts, text)).toBeLessThanOrEqual((parts.length + 2) * steps(text.length));
      }
    }),
    { numRuns: 500 },
  );
});
