import { expect, it } from "vitest";
import { relocateQuotes, ungroundedValues } from "../../../src/endpoints/parse/repair";

it("moves quotes with their values, and drops them if the value changed", () => {
  const before = {
    title: "Fleet",
    ships: [
      { name: "Ada", flag: "PL" },
      { name: "Berta", flag: "PL", crew: 2 },
    ],
  };
  const after = { title: "Fleet", ships: [{ name: "Berta", flag: "PL", crew: 2 }] };
  const quotes = ["/title", "/ships/0/name", "/ships/0/flag", "/ships/1/name", "/ships/1/flag", "#/ships/1/crew"].map(
    (pointer) => ({ pointer, quote: `of ${pointer}` }),
  );
  expect(relocateQuotes(quotes, before, after)).toEqual([
    { pointer: "/title", quote: "of /title" },
    { pointer: "/ships/0/name", quote: "of /ships/1/name" },
    { pointer: "/ships/0/crew", quote: "of #/ships/1/crew" },
  ]);
  expect(relocateQuotes(quotes, before, before).map(({ quote }) => quote)).toEqual(quotes.map(({ quote }) => quote));
});

it("distinguishes list indexes from property names, and numbers from texts", () => {
  const quotes = [{ pointer: "/a/0", quote: "five" }];
  expect(relocateQuotes(quotes, { a: [5] }, { a: { 0: 5 } })).toEqual([]);
  expect(relocateQuotes(quotes, { a: [5] }, { a: ["5"] })).toEqual([]);
  expect(relocateQuotes(quotes, { a: [5] }, { a: [1, 5] })).toEqual([{ pointer: "/a/1", quote: "five" }]);
});

const pageText = "Ada costs 19.50 EUR. Berta is for hire.";
const schema = {
  properties: {
    items: {
      items: {
        anyOf: [
          { properties: { kind: { const: "ship" } } },
          { properties: { unit: { enum: ["EUR"] } } },
          { properties: { size: { enum: ["small", "large"] } } },
        ],
      },
    },
  },
};

it.each<[string, unknown, unknown, string[]]>([
  ["a value in the page", { n: "Ada" }, { n: "Ada", p: 19.5 }, []],
  ["a value that isn't in the page", { n: "Ada" }, { n: "Ada", p: 0 }, ["/items/0/p"]],
  ["a text that isn't in the page", { n: "Ada" }, { n: "Ada", flag: "Unknown" }, ["/items/0/flag"]],
  ["true, which is never in a page", { n: "Ada" }, { n: "Ada", sold: true }, ["/items/0/sold"]],
  ["a value from the answer for a part", { n: "Zork", p: 7, sold: false }, { p: 7, n: "Zork", sold: false }, []],
  ["a number that another property has", { n: 7 }, { n: 7, p: 7 }, ["/items/0/p"]],
  ["an empty text", { n: "Ada" }, { n: "Ada", p: null, flag: "", crew: [], owner: {} }, []],
  ["a value that the schema prescribes", { n: "Ada" }, { n: "Ada", kind: "ship", unit: "EUR" }, []],
  ["a value of an enum with several values", { n: "Ada" }, { n: "Ada", size: "small" }, ["/items/0/size"]],
  ["a prescribed value in another property", { n: "Ada" }, { n: "Ada", owner: "ship" }, ["/items/0/owner"]],
])("returns the ungrounded values: %s", (_, before, after, invented) => {
  const found = ungroundedValues({ before: { items: [before] }, after: { items: [after] }, schema, pageText });
  expect(found).toEqual(invented);
});
