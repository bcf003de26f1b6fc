import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toEvidenceMeta, verifyEvidence } from "../../../src/endpoints/parse/evidence";
import type { SchemaObject } from "../../../src/json-schema/keywords";
import { MAX_EVIDENCE_CHARS, MAX_QUOTES } from "../../../src/model/limits";

const PAGE = `# Tide lamp

A **lamp** that follows the [tide](https://lamps.example/tides_(all)?a=1 "All tides"), made in “small” num\u00adbers — since 5. März 2019.
It costs 1.234,50\u00a0€ and weighs 2,5 kg; 12 000 people own one. Rated 4.5/5, −7 °C to 40 °C.

| Part | Code |
| --- | --- |
| Wick | W-1 |
| Glass¹ | GL\\_2 |

- Updated on 03/04/2024 by İpek Ağaoğlu
- 潮汐灯是手工制作的。
- 3.2 million visits, 19% fewer`;

function verify(data: SchemaObject, quotes: Record<string, string> = {}, pageText = PAGE) {
  return verifyEvidence({
    data,
    quotes: Object.entries(quotes).map(([pointer, quote]) => ({ pointer, quote })),
    pageText,
  });
}

it.each([
  ["that is literal", "A **lamp** that follows"],
  ["without the page's Markdown", "A lamp that follows the tide, made in small numbers"],
  [
    "with Markdown of its own",
    'a *lamp* that follows the [tide](https://lamps.example/tides_(all)?a=1 "All tides"), made',
  ],
  ["with other white space", "It costs\n 1.234,50 €   and"],
  ["in other quotation marks and dashes", "made in 'small' numbers - since 5. März 2019"],
  ["in capital letters", "TIDE LAMP"],
  ["with an ellipsis at its ends", "... follows the tide …"],
  ["across the cells of a table", "| Wick | W-1 |\n| Glass"],
  ["from the middle of a text without spaces", "手工制作"],
  ["with a letter that has two lowercase forms", "IPEK AĞAOĞLU".replace("I", "İ")],
  ["in full-width characters", "Ｔｉｄｅ　ｌａｍｐ"],
])("verifies a quote %s", (_, quote) => {
  expect(verify({ a: "x" }, { "/a": quote }).evidence).toEqual({ "/a": { quote, verified: true } });
});

it.each([
  ["with other words", "A lamp that leads the tide"],
  ["in another order", "lamp A that follows"],
  ["that omits words in the middle", "A lamp … made in small numbers"],
  ["with another number", "It costs 1.234,60 €"],
  ["with the beginning of a number", "people own one. Rated 4"],
  ["with another sign", "7 °C to -40 °C"],
  ["that is empty", "  "],
  ["with only Markdown characters", "***"],
  ["with a single letter", "A"],
  ["with two letters", "in"],
])("doesn't verify a quote %s", (_, quote) => {
  expect(verify({ a: "x" }, { "/a": quote }).evidence).toEqual({ "/a": { quote, verified: false } });
});

it("verifies a very short quote if it is the value", () => {
  expect(verify({ a: 5, b: "kg" }, { "/a": "5", "/b": "kg" }).evidence).toEqual({
    "/a": { quote: "5", verified: true },
    "/b": { quote: "kg", verified: true },
  });
});

it("verifies a quote of three letters that isn't the value", () => {
  expect(verify({ a: "x" }, { "/a": "own" }).evidence).toEqual({ "/a": { quote: "own", verified: true } });
});

it("prefers a verified quote for a value, otherwise the first", () => {
  const quotesOf = (...quotes: string[]) =>
    verifyEvidence({ data: { a: "x" }, quotes: quotes.map((quote) => ({ pointer: "/a", quote })), pageText: PAGE })
      .evidence;
  expect(quotesOf("not there", "Tide lamp", "people own one")).toEqual({
    "/a": { quote: "Tide lamp", verified: true },
  });
  expect(quotesOf("not there", "nor there")).toEqual({ "/a": { quote: "not there", verified: false } });
});

it("ignores quotes beyond the limit", () => {
  const quotes = Array.from({ length: MAX_QUOTES + 1 }, (_, at) => ({ pointer: `/a/${at}`, quote: "Tide lamp" }));
  const { evidence } = verifyEvidence({ data: { a: quotes.map(() => "x") }, quotes, pageText: PAGE });
  expect(Object.keys(evidence)).toHaveLength(MAX_QUOTES);
});

describe("the evidence in a job's meta", () => {
  const found = { quote: "x".repeat(900), verified: true };

  it("is complete if it is small", () => {
    expect(toEvidenceMeta({ evidence: { "/a": found }, unverified: ["/b"] })).toEqual({
      evidence: { "/a": found },
      unverified: ["/b"],
    });
  });

  it.each([
    ["quotes", 1_000, 0],
    ["unverified values", 0, 20_000],
  ])("is truncated to its maximum size if there are too many %s", (_, quotes, values) => {
    const meta = toEvidenceMeta({
      evidence: Object.fromEntries(Array.from({ length: quotes }, (_entry, at) => [`/a/${at}`, found])),
      unverified: Array.from({ length: values }, (_entry, at) => `/b/${at}/name`),
    });
    expect(meta.evidence_truncated).toBe(true);
    const size = JSON.stringify([meta.evidence, meta.unverified]).length;
    expect(size).toBeLessThanOrEqual(MAX_EVIDENCE_CHARS);
    expect(size).toBeGreaterThan(0.2 * MAX_EVIDENCE_CHARS);
  });
});

it("searches for the whole of a long quote, and returns its beginning", () => {
  const text = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
  const { evidence } = verify({ a: "x", b: "y" }, { "/a": text, "/b": `${text} more` }, text);
  expect(evidence["/a"]).toEqual({ quote: text.slice(0, 1_000), verified: true });
  expect(evidence["/b"]?.verified).toBe(false);
});

it("finds values by their pointers, and drops quotes without a value", () => {
  const data = JSON.parse('{"a/b":{"m~n":["x"]},"data":{"c":"y"},"n":null,"__proto__":"z"}');
  const { evidence } = verify(data, {
    "#/a~1b/m~0n/0": "Tide lamp",
    "/data/a~1b/m~0n/0": "not there",
    "/data/c": "not there",
    "/__proto__": "Wick",
    "/n": "Wick",
    "/a~1b": "Wick",
    "/a~1b/m~0n/1": "Wick",
    "/a~1b/m~0n/00": "Wick",
    "/toString": "Wick",
    "/a~2": "Wick",
    name: "Wick",
  });
  expect(Object.keys(evidence).sort()).toEqual(["/__proto__", "/a~1b/m~0n/0", "/data/c"]);
  expect(evidence["/a~1b/m~0n/0"]).toEqual({ quote: "Tide lamp", verified: true });
});

it.each([
  ["a text", "Tide lamp"],
  ["a text with other typography", 'in "small" numbers – since'],
  ["a URL", "https://lamps.example/tides_(all)?a=1"],
  ["a code", "GL_2"],
  ["a decimal", 2.5],
  ["a decimal with a thousands separator", 1234.5],
  ["a number with spaces as separators", 12_000],
  ["a number with a word such as million", 3_200_000],
  ["a percentage", 0.19],
  ["a negative number", -7],
  ["a number as a text", "1234.50"],
  ["a date with the month's name", "2019-03-05"],
  ["a numeric date", "2024-04-03"],
  ["a numeric date with day and month swapped", "2024-03-04T00:00:00Z"],
  ["true", true],
  ["null", null],
  ["an empty text", ""],
])("verifies %s", (_, value) => {
  expect(verify({ a: value }).unverified).toEqual([]);
});

it.each([
  ["another text", "Zorkmid 9000"],
  ["words that aren't adjacent", "Tide Code"],
  ["another number", 19.5],
  ["a part of a longer number", 1234],
  ["the digits of a number without its point", 45],
  ["another date", "2019-03-06"],
])("reports %s as unverified", (_, value) => {
  expect(verify({ a: [{ b: value }] }).unverified).toEqual(["/a/0/b"]);
});

it.each<[string, string, unknown]>([
  ["superscript cents", "Only €19<sup>99</sup> today", 19.99],
  ["cents without a whole number", "Only $.99 today", 0.99],
  ["a fraction", "Add ½ cup", 0.5],
  ["a mixed fraction", "Add 1½ cups", 1.5],
  ["a fraction typed with a slash", "Add 1 1/2 cups", 1.5],
  ["a number with its minus", "1.2万円", 12_000],
  ["a number with many digits", "Order 123456789012345", 123456789012345],
  ["a month by its name", "In March 2024 it was built", "2024-03"],
  ["a numeric month", "built 03/2024", "2024-03"],
  ["the month of a date", "built on 5.3.2024", "2024-03"],
  ["a month with a day before the name", "5 maj 2024", "2024-05-05"],
  ["the first day of a range", "March 5–7, 2024", "2024-03-05"],
  ["the last day of a range", "March 5–7, 2024", "2024-03-07"],
  ["the first day of a German range", "vom 5.–7. März 2024", "2024-03-05"],
  ["a range across two months", "28 March to 2 April 2024", "2024-03-28"],
  ["a range across two months, with the month first", "March 28 - April 2, 2024", "2024-04-02"],
  ["a numeric range", "28.–30.03.2024", "2024-03-28"],
  ["a numeric range across two months", "28.03. - 02.04.2024", "2024-03-28"],
  ["a date in the 1900s", "born 5.3.99", "1999-03-05"],
  ["the first two-digit year of the 1900s", "born 5.3.70", "1970-03-05"],
  ["the last two-digit year of the 2000s", "until 5.3.69", "2069-03-05"],
  ["a date with spaces", "2024. 3. 5.", "2024-03-05"],
  ["a time in the afternoon", "Doors open at 2:30 pm.", "14:30"],
  ["a full hour", "Doors open at 2 p.m.", "14:00"],
  ["midnight and noon", "from 12 am", "00:00"],
  ["a time with seconds", "at 14:30", "14:30:00"],
  ["a German time", "ab 19.30 Uhr", "19:30"],
  ["a date and time", "March 5, 2024, 1:37 pm", "2024-03-05T13:37:00Z"],
  ["a date as midnight", "March 5, 2024", "2024-03-05T00:00:00Z"],
  ["an amount with number and currency swapped", "EUR 19.50", "19.50 EUR"],
  ["an amount with the currency symbol", "19,50 €", "€19.50"],
  ["an amount with the currency code", "19,50 €", "19.50 EUR"],
  ["the code for a currency symbol", "19,50 €", "EUR"],
  ["ß as SS", "LANGE STRASSE 5", "Lange Straße 5"],
  ["a number without its hyphens", "ISBN 978-3-16-148410-0", "9783161484100"],
  ["a number with hyphens as a JSON number", "ISBN 978-3-16-148410-0", 9783161484100],
  ["a number of seven digits without its hyphens", "Article 12-345-67", "1234567"],
  ["a time without a leading zero", "Doors open at 9:05", "9:05"],
  ["an amount with a hyphen before it", "Discount: 5 EUR", "- 5 EUR"],
  ["a number that ends with X", "ISBN 3-16-148410-X", "316148410X"],
  ["a number with hyphens that the page omits", "ISBN 9783161484100", "978-3-16-148410-0"],
  ["a name with punctuation", "We speak C++ and C#.", "C++"],
])("verifies %s", (_, pageText, value) => {
  expect(verify({ a: value }, {}, pageText).unverified).toEqual([]);
});

it.each<[string, string, unknown]>([
  ["a footnote instead of cents", "19<sup>99</sup> people", 19.99],
  ["a rating instead of a fraction", "4.5/5", 0.9],
  ["a number that only a wrong reading of ½ would give", "1½ cups", 11],
  ["the last digits of a long number", "Order 123456789012345", 123456789012999],
  ["a time that isn't in the page", "March 5, 2024", "2024-03-05T13:37:00Z"],
  ["another time", "at 2:30 pm", "02:30"],
  ["a price that looks like a time", "It costs 14.30 EUR", "14:30"],
  ["another month", "In March 2024", "2024-04"],
  ["another day of a month", "In March 2024", "2024-03-01"],
  ["a date outside the range", "March 5–9, 2024", "2024-03-06"],
  ["another currency", "19,50 € or 20 USD", "19.50 USD"],
  ["the code for a symbol of several currencies", "$5", "USD"],
  ["a name with punctuation that the page lacks", "We speak C.", "C++"],
  ["a name without its punctuation", "We speak C# alone.", "C"],
  ["a number of six digits without its hyphens", "Article 12-345-6", "123456"],
  ["another number with hyphens", "ISBN 978-3-16-148410-0", "9783161484101"],
])("reports %s as unverified", (_, pageText, value) => {
  expect(verify({ a: value }, {}, pageText).unverified).toEqual(["/a"]);
});

it("reports a value with another spelling as unverified, although its quote is verified", () => {
  expect(verify({ country: "DE" }, { "/country": "since 5. März 2019" })).toEqual({
    evidence: { "/country": { quote: "since 5. März 2019", verified: true } },
    unverified: ["/country"],
  });
});

it("finds every passage of a page that begins and ends at a word, and searches for long ones in one pass", () => {
  const words = fc.array(fc.constantFrom("a", "b", "ab", "12", "1.5", "漢", "字", "«x»", "**y**"), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(words, fc.nat(200), fc.nat(200), (all, from, length) => {
      const start = from % all.length;
      const quote = all.slice(start, start + 1 + length).join(" ");
      const value = { a: quote };
      expect(verify(value, {}, all.join("\n")).unverified).toEqual([]);
      expect(verify(value, {}, `${all.slice(0, start).join(" ")} zzz`).unverified.length).toBeLessThanOrEqual(1);
    }),
  );
});

it("handles a page of one repeated word with thousands of quotes", () => {
  const pageText = "la ".repeat(300_000);
  const quotes = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`/a/${i}`, `${"la ".repeat(i % 300)}lo`]));
  const data = { a: Array.from({ length: 2_000 }, (_, i) => `${"la ".repeat(1 + (i % 400))}`) };
  const { evidence, unverified } = verify(data, quotes, pageText);
  expect(Object.values(evidence).some(({ verified }) => verified)).toBe(false);
  expect(unverified).toEqual([]);
});
