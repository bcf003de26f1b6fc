import * as fc from "fast-check";
import { expect, it } from "vitest";
import { verifyEvidence } from "../../../src/endpoints/parse/evidence";
import type { SchemaObject } from "../../../src/json-schema/keywords";

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
  ["word for word", "A **lamp** that follows"],
  ["without the marks of markdown", "A lamp that follows the tide, made in small numbers"],
  ["with its own", 'a *lamp* that follows the [tide](https://lamps.example/tides_(all)?a=1 "All tides"), made'],
  ["in other white space", "It costs\n 1.234,50 €   and"],
  ["in other quotation marks and dashes", "made in 'small' numbers - since 5. März 2019"],
  ["in capitals", "TIDE LAMP"],
  ["with an ellipsis at its ends", "... follows the tide …"],
  ["over the cells of a table", "| Wick | W-1 |\n| Glass"],
  ["from the middle of a text without spaces", "手工制作"],
  ["with a letter that has two small forms", "IPEK AĞAOĞLU".replace("I", "İ")],
  ["in full width", "Ｔｉｄｅ　ｌａｍｐ"],
])("finds a quote %s", (_, quote) => {
  expect(verify({ a: "x" }, { "/a": quote }).evidence).toEqual({ "/a": { quote, verified: true } });
});

it.each([
  ["of other words", "A lamp that leads the tide"],
  ["in another order", "lamp A that follows"],
  ["with something left out in the middle", "A lamp … made in small numbers"],
  ["with another number", "It costs 1.234,60 €"],
  ["with the beginning of a number", "people own one. Rated 4"],
  ["with another sign", "7 °C to -40 °C"],
  ["that is empty", "  "],
  ["of marks alone", "***"],
  ["of a letter", "A"],
])("doesn't take a quote %s", (_, quote) => {
  expect(verify({ a: "x" }, { "/a": quote }).evidence).toEqual({ "/a": { quote, verified: false } });
});

it("takes a very short quote when it is the value", () => {
  expect(verify({ a: 5, b: "kg" }, { "/a": "5", "/b": "kg" }).evidence).toEqual({
    "/a": { quote: "5", verified: true },
    "/b": { quote: "kg", verified: true },
  });
});

it("looks for the whole of a long quote, and gives back its beginning", () => {
  const text = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
  const { evidence } = verify({ a: "x", b: "y" }, { "/a": text, "/b": `${text} more` }, text);
  expect(evidence["/a"]).toEqual({ quote: text.slice(0, 1_000), verified: true });
  expect(evidence["/b"]?.verified).toBe(false);
});

it("knows leaves by their pointers, and drops what points elsewhere", () => {
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
  ["an address", "https://lamps.example/tides_(all)?a=1"],
  ["a code", "GL_2"],
  ["a decimal", 2.5],
  ["a grouped decimal", 1234.5],
  ["a number grouped by spaces", 12_000],
  ["a number with its word", 3_200_000],
  ["a share", 0.19],
  ["a negative number", -7],
  ["a number as a text", "1234.50"],
  ["a day in words", "2019-03-05"],
  ["a day in numbers", "2024-04-03"],
  ["a day in numbers, read the other way", "2024-03-04T00:00:00Z"],
  ["true", true],
  ["null", null],
  ["an empty text", ""],
])("finds %s", (_, value) => {
  expect(verify({ a: value }).unverified).toEqual([]);
});

it.each([
  ["another text", "Zorkmid 9000"],
  ["words that stand apart", "Tide Code"],
  ["another number", 19.5],
  ["a part of a number", 1234],
  ["the digits of a number without its point", 45],
  ["another day", "2019-03-06"],
])("doesn't find %s", (_, value) => {
  expect(verify({ a: [{ b: value }] }).unverified).toEqual(["/a/0/b"]);
});

it.each<[string, string, unknown]>([
  ["raised cents", "Only €19<sup>99</sup> today", 19.99],
  ["bare cents", "Only $.99 today", 0.99],
  ["a fraction", "Add ½ cup", 0.5],
  ["a mixed fraction", "Add 1½ cups", 1.5],
  ["a typed fraction", "Add 1 1/2 cups", 1.5],
  ["a number with its sign", "1.2万円", 12_000],
  ["digits to the twelfth and on", "Order 123456789012345", 123456789012345],
  ["a month in words", "In March 2024 it was built", "2024-03"],
  ["a month in numbers", "built 03/2024", "2024-03"],
  ["the month of a day", "built on 5.3.2024", "2024-03"],
  ["a month as a day's own way", "5 maj 2024", "2024-05-05"],
  ["the first day of a range", "March 5–7, 2024", "2024-03-05"],
  ["its last day", "March 5–7, 2024", "2024-03-07"],
  ["the first day of a German range", "vom 5.–7. März 2024", "2024-03-05"],
  ["a range over two months", "28 March to 2 April 2024", "2024-03-28"],
  ["a range over two months, month first", "March 28 - April 2, 2024", "2024-04-02"],
  ["a range in numbers", "28.–30.03.2024", "2024-03-28"],
  ["a range over two months in numbers", "28.03. - 02.04.2024", "2024-03-28"],
  ["a day of the last century", "born 5.3.99", "1999-03-05"],
  ["a day with blanks in it", "2024. 3. 5.", "2024-03-05"],
  ["an afternoon", "Doors open at 2:30 pm.", "14:30"],
  ["a full hour", "Doors open at 2 p.m.", "14:00"],
  ["midnight and noon", "from 12 am", "00:00"],
  ["a time with its seconds", "at 14:30", "14:30:00"],
  ["a German time", "ab 19.30 Uhr", "19:30"],
  ["a moment", "March 5, 2024, 1:37 pm", "2024-03-05T13:37:00Z"],
  ["a day as its first moment", "March 5, 2024", "2024-03-05T00:00:00Z"],
  ["an amount the other way round", "EUR 19.50", "19.50 EUR"],
  ["an amount with the sign", "19,50 €", "€19.50"],
  ["an amount with the code", "19,50 €", "19.50 EUR"],
  ["the code of a sign", "19,50 €", "EUR"],
  ["a sharp s in capitals", "LANGE STRASSE 5", "Lange Straße 5"],
  ["a number without its hyphens", "ISBN 978-3-16-148410-0", "9783161484100"],
  ["a number with an X at its end", "ISBN 3-16-148410-X", "316148410X"],
  ["a number with hyphens that the page leaves out", "ISBN 9783161484100", "978-3-16-148410-0"],
  ["a name with signs", "We speak C++ and C#.", "C++"],
])("finds %s", (_, pageText, value) => {
  expect(verify({ a: value }, {}, pageText).unverified).toEqual([]);
});

it.each<[string, string, unknown]>([
  ["cents that are a footnote", "19<sup>99</sup> people", 19.99],
  ["a rating as a fraction", "4.5/5", 0.9],
  ["half of what ½ was read as", "1½ cups", 11],
  ["the last digits of a long number", "Order 123456789012345", 123456789012999],
  ["a time that nobody said", "March 5, 2024", "2024-03-05T13:37:00Z"],
  ["another time", "at 2:30 pm", "02:30"],
  ["a price as a time", "It costs 14.30 EUR", "14:30"],
  ["another month", "In March 2024", "2024-04"],
  ["a day of a month", "In March 2024", "2024-03-01"],
  ["a day out of a range", "March 5–9, 2024", "2024-03-06"],
  ["another currency", "19,50 € or 20 USD", "19.50 USD"],
  ["a sign with several currencies", "$5", "USD"],
  ["a name with signs where there are none", "We speak C.", "C++"],
  ["a name without its signs", "We speak C# alone.", "C"],
  ["another number with hyphens", "ISBN 978-3-16-148410-0", "9783161484101"],
])("doesn't find %s", (_, pageText, value) => {
  expect(verify({ a: value }, {}, pageText).unverified).toEqual(["/a"]);
});

it("says of a value that is written otherwise that it occurs nowhere, and of its quote that it does", () => {
  expect(verify({ country: "DE" }, { "/country": "since 5. März 2019" })).toEqual({
    evidence: { "/country": { quote: "since 5. März 2019", verified: true } },
    unverified: ["/country"],
  });
});

it("finds whatever is cut out of a page at its words, and goes through long ones in one go", () => {
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

it("comes to an end with a page of one word, thousands of quotes of it, and none", () => {
  const pageText = "la ".repeat(300_000);
  const quotes = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`/a/${i}`, `${"la ".repeat(i % 300)}lo`]));
  const data = { a: Array.from({ length: 2_000 }, (_, i) => `${"la ".repeat(1 + (i % 400))}`) };
  const { evidence, unverified } = verify(data, quotes, pageText);
  expect(Object.values(evidence).some(({ verified }) => verified)).toBe(false);
  expect(unverified).toEqual([]);
});
