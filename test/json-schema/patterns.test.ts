import * as fc from "fast-check";
import { expect, it } from "vitest";
import { estimateSteps, PatternCompiler, toUnicodePattern } from "../../src/json-schema/patterns";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { MAX_MATCH_STEPS } from "../../src/model/limits";
import { countMatchSteps } from "../support/backtracking-matcher";
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
  ["the beginning of a URL", "^https?://", "https://example.com/"],
  ["a URL", "^https?://[\\w.-]+(\\.[a-z]{2,})(/\\S*)?$", "https://example.com/a"],
  ["the end of a URL", ".*\\.pdf$", "https://example.com/a.pdf"],
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
  ["a text of limited length", "^[\\s\\S]{1,1000}$", "text"],
  ["a word in a text", "^.*foo.*$", "a foo b"],
  ["a text without some words", "^(?!admin|root)\\p{Ll}{3,}$", "jane"],
  ["a password", "^(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d]{8,}$", "Abcdefg1"],
  ["letters of any script", "^\\p{Lu}[\\p{L}'’ -]*$", "Éva Nagy"],
  ["letters outside of ASCII", "^(?:ä|ö|ü|[a-z])+$", "müller"],
  ["a loose email address", "^\\S+@\\S+\\.\\S+$", "jane@mail.example.com"],
  ["an email address of any characters", "^.+@.+\\..+$", "jane@example.com"],
  ["an email address in a text", ".+@.+\\..+", "jane@example.com"],
  ["three parts", "^.+,.+,.+$", "a,b,c"],
  ["three lazy parts", "^.*?,.*?,.*$", "a,b,c"],
  ["a word between spaces", "^\\s*\\S+\\s*$", " a "],
  ["five words", "^(\\S+\\s+){4}\\S+$", "a b c d e"],
  ["an assignment", "^\\s*([\\w-]+)\\s*=\\s*(.*?)\\s*$", " key = value "],
  ["a US address", "^\\d+\\s+[\\w\\s.]+,\\s*[\\w\\s]+,\\s*[A-Z]{2}\\s+\\d{5}$", "1 Main St., New York, NY 10001"],
  [
    "any ISBN",
    "^(?:ISBN(?:-1[03])?:? )?(?=[0-9X]{10}$|(?=(?:[0-9]+[- ]){3})[- 0-9X]{13}$|97[89][0-9]{10}$|(?=(?:[0-9]+[- ]){4})[- 0-9]{17}$)(?:97[89][- ]?)?[0-9]{1,5}[- ]?[0-9]+[- ]?[0-9]+[- ]?[0-9X]$",
    "ISBN 978-3-16-148410-0",
  ],
  ["words between spaces", "^[^\\s]+(\\s+[^\\s]+)*$", "a b  c"],
  ["a long text", "^.{0,2000}$", "text"],
  ["a longer text", "^[\\s\\S]{1,5000}$", "text"],
  ["a long token", "^[A-Za-z0-9_-]{1,1024}$", "a_b-c"],
  ["a long title", "^[A-Za-z0-9 ]{3,2000}$", "A title"],
  ["a password of any characters", "^(?=.*[A-Z])(?=.*\\d).{8,}$", "Abcdefg1"],
  ["two spaces at the end", "\\s+\\s+$", "a  "],
  ["an assignment in a text", ".*=.*;", "a = b;"],
  ["three counted repetitions", "a{1,1000}a{1,1000}a{1,1000}$", "aaa"],
  ["optional characters", "a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaab", "aaaaaaaaaaaab"],
  ["repetitions in a look-ahead", "^(?=.*.*.*.*x)", "x"],
  ["needless escapes", "^\\d{3}\\-\\d{4}[\\w\\-\\@]*$", "555-1234@"],
])("allows %s", (_, pattern, text) => {
  const unicode = toUnicodePattern(pattern) ?? "";
  expect(unicode).not.toBe("");
  expect(text).toMatch(new RegExp(unicode, "u"));
  expect(schemaProblem(inProperty({ pattern }))).toBeNull();
  const steps = estimate(unicode);
  expect(typeof steps === "function" && steps(100)).toBeLessThan(MAX_MATCH_STEPS);
});

it.each([
  ["nested repetition", "^(a+)+$"],
  ["nested repetition of a group that can be empty", "^(\\s*a*)*$"],
  ["nested repetition before a character", "^(a*)*b$"],
  ["repetition of the same option", "^(a|a)*$"],
  ["repetition of an option and its doubled form", "^(a|aa)+$"],
  ["repetition of overlapping classes", "^(\\w|\\d)*$"],
  ["repetition of overlapping classes outside of ASCII", "^(\\p{Script=Greek}|\\p{L})*!$"],
  ["repetition of words", "^(\\w+\\s?)*$"],
  ["a known slow pattern of an email address", "^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*@[a-z0-9]+[.][a-z]{2,3}$"],
  ["repetition in a look-ahead", "(?=(a|a)*$)b"],
  ["nested repetition without an end", "(a+)+"],
  ["repetition in an optional end", "^a((b|b)*c)?"],
  ["nested repetition in an optional end", "[A-Z]{2}(-(\\d+)+x)?"],
  ["words that may be followed by a space", "(\\w+\\s?)+$"],
  ["loops in a long cycle", "^(?:abcdefghij|abcdefghi[j-z])*$"],
])("refuses %s as exponential", (_, pattern) => {
  expect(estimate(pattern)).toBe("exponential");
});

it.each([
  ["neighboring repetitions in an optional end", "^a(b*b*b*b*b*c)?"],
  ["many repetitions", "a*a*a*a*b"],
  ["nested counts of one range", "(?:a{1,9}){1,9}$"],
  ["a count of optional characters", "^(a?){30}a{30}$"],
])("refuses %s as slow", (_, pattern) => {
  expect(estimate(pattern)).toBe("slow");
});

it.each([
  ["look-behind", "(?<=a)b"],
  ["back-references", "(a)\\1"],
  ["named back-references", "(?<x>a)\\k<x>"],
  ["flags of a group", "(?i:a)"],
  ["very long patterns", "a".repeat(2_000)],
  ["deeply nested patterns", "(".repeat(1_000) + ")".repeat(1_000)],
  ["patterns with too many states", `(?:${"ab".repeat(20)}){30}`],
  ["high counts", "(a{1000}){1000}"],
  ["nested large counts", "(?:a{1,30}){1,30}$"],
  ["nested counts", "^(a{0,20}){0,20}$"],
  ["empty alternatives", `^x${"(?:|)".repeat(26)}$`],
  ["a count of empty alternatives", "^x(?:|){30}$"],
  ["alternatives of assertions", `^x${"(?:\\B|)".repeat(25)}$`],
  ["empty alternatives in a look-ahead", "(?=(?:|){26}(?!))"],
  ["empty alternatives before an empty text", `x${"(?:|)".repeat(25)}[]`],
  ["empty alternatives after a character in a look-ahead", `^(?=x${"(?:|)".repeat(25)}$)`],
  ["nested repetition of an empty group", `^${"(?:".repeat(20)}${")+".repeat(20)}b`],
  ["high counts of an empty group", "^(?:){1000000000}b$"],
  ["high counts of a group that can be empty", "(a?){100}a{100}"],
  ["invalid patterns", "("],
])("doesn't support %s", (_, pattern) => {
  expect(estimate(pattern)).toBe("unsupported");
});

it.each([
  ["linear", "^\\d{4}-\\d{2}-\\d{2}$", 1],
  ["quadratic", "\\s+$", 2],
  ["cubic", "^\\S+@\\S+\\.\\S+$", 3],
])("estimates %s time", (_, pattern, degree) => {
  const steps = estimate(pattern);
  if (typeof steps !== "function") throw new Error("The pattern is allowed.");
  expect(Math.log2(steps(8_000) / steps(4_000))).toBeCloseTo(degree, 1);
});

it("counts the groups and assertions that read no character", () => {
  const [plain, groups] = [estimate("(?:a)*b"), estimate(`(?:${"()".repeat(150)}a)*b`)];
  if (typeof plain !== "function" || typeof groups !== "function") throw new Error("Both patterns are allowed.");
  expect(groups(1_000) / plain(1_000)).toBeGreaterThan(50);
  expect(groups(9_999)).toBeGreaterThan(MAX_MATCH_STEPS);
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
  expect(schemaProblem(schema)?.message).toMatch(/^must be a simpler pattern|^must be a pattern with fewer/);
  const simple = Array.from({ length: 3_000 }, (_, at) => `^(?:[a-z]{1,40}-)?x${at}$`);
  const compiler = new PatternCompiler();
  expect(simple.map((pattern) => compiler.compile(pattern)).at(-1)).toBeNull();
  expect(new PatternCompiler().compile(simple.at(-1) ?? "")).not.toBeNull();
});

it("analyzes a pattern once, even if it occurs many times in a schema", () => {
  const pattern = "^(?:[A-Z]{2}-)?\\S+@\\S+\\.\\S+$";
  const properties = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`p${at}`, { pattern }]));
  expect(schemaProblem({ type: "object", properties })).toBeNull();
});

it("stops the analysis of patterns with many distinct characters", () => {
  const characters = (from: number) => Array.from({ length: 480 }, (_, at) => String.fromCodePoint(0x4e00 + from + at));
  const budget = { stepsLeft: 1_000_000 };
  for (let at = 0; at < 66; at++) estimate(`^[]${characters(at * 300).join("")}[${characters(at).join("")}]`, budget);
  expect(budget.stepsLeft).toBeLessThan(0);
});

const character = fc.constantFrom("a", "b", "c", ".", "[ab]", "[^b]", "\\w", "\\d");
const quantifier = fc.constantFrom("*", "+", "?", "*?", "+?", "{2}", "{0,3}", "{2,}", "{0,40}");
const { alternatives } = fc.letrec<{ alternatives: string; sequence: string; element: string }>((tie) => ({
  alternatives: fc.array(tie("sequence"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("|")),
  sequence: fc.array(tie("element"), { maxLength: 4 }).map((parts) => parts.join("")),
  element: fc.oneof(
    { depthSize: "small" },
    character,
    fc.tuple(character, quantifier).map((parts) => parts.join("")),
    fc.constantFrom("\\b", "\\B", "^", "$", ""),
    tie("alternatives").map((body) => `(${body})`),
    fc.tuple(tie("alternatives"), quantifier).map(([body, count]) => `(?:${body})${count}`),
    tie("alternatives").map((body) => `(?=${body})`),
    tie("alternatives").map((body) => `(?!${body})`),
  ),
}));
const end = fc.constantFrom("", "$", "c", "!");
const randomPattern = fc
  .tuple(fc.constantFrom("", "^"), alternatives, end)
  .map(([head, body, tail]) => `${head}(?:${body})${tail}`);
const pumpedText = fc
  .tuple(
    fc.constantFrom("", "a", "ba"),
    fc.string({ unit: fc.constantFrom("a", "b", "c", "1"), minLength: 1, maxLength: 3 }),
    fc.nat(12),
    fc.constantFrom("", "!", "c"),
  )
  .map(([head, unit, count, tail]) => head + unit.repeat(count) + tail);

// The test matcher may take this many steps for each estimated step. Unlike the estimate, it counts rejected empty
// iterations, and it retries at each character even if the pattern begins with ^.
const MATCHER_STEPS_PER_STEP = 2;

it("never estimates fewer steps than a backtracking engine takes", () => {
  fc.assert(
    fc.property(randomPattern, pumpedText, (pattern, text) => {
      const estimated = estimate(pattern, { stepsLeft: 500_000 });
      if (typeof estimated !== "function") return;
      const limit = MATCHER_STEPS_PER_STEP * estimated(text.length);
      expect(countMatchSteps(pattern, text, { limit })).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
}, 30_000);
