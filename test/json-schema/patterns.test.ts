import * as fc from "fast-check";
import { expect, it } from "vitest";
import { MatchLimitExceeded, type PatternMatcher } from "../../src/json-schema/pattern-matcher";
import { compilePattern, toUnicodePattern } from "../../src/json-schema/patterns";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { MAX_MATCH_STEPS } from "../../src/model/limits";
import { inProperty } from "./in-property";

function toMatcher(pattern: string): PatternMatcher {
  const matcher = compilePattern(pattern);
  if (typeof matcher === "string") throw new Error(`The pattern is refused: ${matcher}.`);
  return matcher;
}

function searchUpTo(matcher: PatternMatcher, text: string, maxSteps: number) {
  try {
    return matcher.search(text, maxSteps);
  } catch (error) {
    if (error instanceof MatchLimitExceeded) return null;
    throw error;
  }
}

it.each([
  ["an ISO date", "^\\d{4}-\\d{2}-\\d{2}$", "2026-03-12"],
  ["an ISO time", "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$", "2026-03-12T09:30Z"],
  ["an email address", "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", "jane@mail.example.com"],
  ["an ASCII email address", "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "jane@mail.example.com"],
  ["a phone number", "^\\+?[1-9]\\d{1,14}$", "+12025550123"],
  ["a formatted phone number", "^\\+?[\\d\\s().-]{7,20}$", "+1 (202) 555-0123"],
  ["a US phone number", "^\\(?\\d{3}\\)?[-.\\s]?\\d{3}[-.\\s]?\\d{4}$", "202-555-0123"],
  [
    "an email address as HTML defines it",
    "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$",
    "jane@mail.example.com",
  ],
  [
    "an email address with a quoted part",
    '^(([^<>()[\\]\\.,;:\\s@"]+(\\.[^<>()[\\]\\.,;:\\s@"]+)*)|(".+"))@((\\[[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\])|(([a-zA-Z\\-0-9]+\\.)+[a-zA-Z]{2,}))$',
    "jane@mail.example.com",
  ],
  [
    "an international phone number",
    "^(\\+\\d{1,2}\\s?)?\\(?\\d{3}\\)?[\\s.-]?\\d{3}[\\s.-]?\\d{4}$",
    "+1 202-555-0123",
  ],
  ["a phone number of groups", "^\\+?\\d+([ .-]\\d+)*$", "+49 89 1234-567"],
  ["a written date", "^(0?[1-9]|[12][0-9]|3[01])[/.-](0?[1-9]|1[012])[/.-]\\d{4}$", "12/03/2026"],
  [
    "a long URL",
    "^https?:\\/\\/(www\\.)?[-a-zA-Z0-9@:%._\\+~#=]{1,256}\\.[a-zA-Z0-9()]{1,6}\\b([-a-zA-Z0-9()@:%_\\+.~#?&\\/=]*)$",
    "https://www.example.com/a?b=c#d",
  ],
  ["a URL of segments", "^https?://[^/\\s]+(/[^/\\s]+)*/?$", "https://example.com/a/b/"],
  ["a path with an optional query", "^/[^?#]*(\\?[^#]*)?(#.*)?$", "/a/b?c=d#e"],
  ["a price of either form", "^(\\d+|\\d{1,3}(,\\d{3})*)(\\.\\d+)?$", "1,234.50"],
  ["an amount with a currency", "^(?:USD|EUR|GBP|[$€£])\\s?\\d+(?:[.,]\\d{1,2})?$", "EUR 19,99"],
  ["Base64", "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", "YWJjZA=="],
  ["a quoted text", '^"(?:[^"\\\\]|\\\\.)*"$', '"a \\" b"'],
  ["a list of days", "^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:,(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun))*$", "Mon,Sat,Sun"],
  ["a list of sizes", "^(XS|S|M|L|XL|XXL)(, ?(XS|S|M|L|XL|XXL))*$", "S,M, XXL"],
  ["a name of capitalized parts", "^(?:[A-Z][a-z]+\\s?)+$", "Jane Mary Doe"],
  ["a name in any script", "^\\p{L}+(?:[ '-]\\p{L}+)*$", "Éva Nagy-Szabó"],
  ["a text without a word", "^(?:(?!foo).)*$", "a bar"],
  ["a MAC address", "^(?:[0-9A-Fa-f]{2}[:-]){5}[0-9A-Fa-f]{2}$", "00:1a:2B:3c:4d:5e"],
  ["a CSV line", "^[^,]*(,[^,]*)*$", "a,,b"],
  ["a duration", "^P(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?$", "P1DT2H"],
  ["a DOI", "^10\\.\\d{4,9}/[-._;()/:A-Za-z0-9]+$", "10.1000/xyz123"],
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
  ["optional characters", "a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaab", "aaaaaaaaaaaab"],
  ["needless escapes", "^\\d{3}\\-\\d{4}[\\w\\-\\@]*$", "555-1234@"],
])("allows %s", (_, pattern, text) => {
  const unicode = toUnicodePattern(pattern) ?? "";
  expect(unicode).not.toBe("");
  expect(text).toMatch(new RegExp(unicode, "u"));
  expect(schemaProblem(inProperty({ pattern }))).toBeNull();
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
  ["a known slow pattern of a URL", "^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$"],
  ["separators that overlap", "^(?:\\s*\\w+\\s*,?)+$"],
  ["parts of any characters", "^(.+?;)*$"],
  ["a repetition of optional content", "^(?:a?)*$"],
  ["nested repetition of an empty group", `^${"(?:".repeat(20)}${")+".repeat(20)}b`],
  ["high counts of an empty group", "^(?:){1000000000}b$"],
  ["a count of optional characters", "^(a?){30}a{30}$"],
  ["high counts of a group that can be empty", "(a?){100}a{100}"],
  ["nested large counts", "(?:a{1,30}){1,30}$"],
  ["nested counts", "^(a{0,20}){0,20}$"],
  ["a count of empty alternatives", "^x(?:|){30}$"],
])("refuses %s as nested repetition", (_, pattern) => {
  expect(compilePattern(pattern)).toBe("nested");
});

it.each([
  ["neighboring repetitions in an optional end", "^a(b*b*b*b*b*c)?"],
  ["many repetitions", "a*a*a*a*b"],
  ["many large counts", "a{1,1000}a{1,1000}a{1,1000}a{1,1000}$"],
  ["many repetitions in a look-ahead", "^(?=.*.*.*.*.*.*x)"],
])("refuses %s as slow", (_, pattern) => {
  expect(compilePattern(pattern)).toBe("slow");
});

it.each([
  ["look-behind", "(?<=a)b"],
  ["back-references", "(a)\\1"],
  ["named back-references", "(?<x>a)\\k<x>"],
  ["flags of a group", "(?i:a)"],
  ["very long patterns", "a".repeat(2_000)],
  ["large counts of a group", "(?:ab){5000}"],
  ["many Unicode properties", "\\p{L}".repeat(11)],
  ["deeply nested patterns", "(".repeat(1_000) + ")".repeat(1_000)],
  ["invalid patterns", "("],
])("doesn't support %s", (_, pattern) => {
  expect(compilePattern(pattern)).toBe("unsupported");
});

it.each([
  ["quadratic time", "\\s+$", `${" ".repeat(9_000)}a`],
  ["cubic time", "^.+@.+\\..+,$", "@.".repeat(500)],
  ["nested counts of one range", "(?:a{1,9}){1,9}$", `${"a".repeat(70)}!`],
  ["repetitions in a part of a list", "^(?:(a*a*a*b);)*$", `${"aaaaaaaab;".repeat(20)}!`],
  ["empty alternatives", `^x${"(?:|)".repeat(26)}$`, "xy"],
  ["alternatives of assertions", `^x${"(?:\\B|)".repeat(25)}$`, "xy"],
  ["empty alternatives in a look-ahead", `(?=${"(?:|)".repeat(26)}(?!))`, "a"],
  ["empty alternatives before an empty text", `x${"(?:|)".repeat(25)}[]`, "x"],
  ["empty alternatives after a character in a look-ahead", `^(?=x${"(?:|)".repeat(25)}$)`, "xy"],
])("stops matching %s at the limit", (_, pattern, text) => {
  expect(() => toMatcher(pattern).search(text, MAX_MATCH_STEPS)).toThrow(MatchLimitExceeded);
});

it.each([
  ["a long text", "^[\\s\\S]{1,10000}$"],
  ["words", "^\\S+(\\s+\\S+)*$"],
  ["a text without a word", "^(?:(?!foo).)*$"],
  ["letters of any script", "^[\\p{L} ]+$"],
])("matches %s of 10,000 characters", (_, pattern) => {
  const { found, steps } = toMatcher(pattern).search(`${"word ".repeat(1_999)}words`, MAX_MATCH_STEPS);
  expect(found).toBe(true);
  expect(steps).toBeLessThan(MAX_MATCH_STEPS / 10);
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

it("finds what the engine finds, and never takes more steps than its limit", () => {
  fc.assert(
    fc.property(randomPattern, pumpedText, (pattern, text) => {
      const matcher = compilePattern(pattern);
      if (typeof matcher === "string") return;
      const result = searchUpTo(matcher, text, 20_000);
      if (result === null) return;
      expect(result.found).toBe(new RegExp(pattern, "u").test(text));
      expect(result.steps).toBeLessThanOrEqual(20_000);
    }),
    { numRuns: 1_000 },
  );
}, 30_000);
