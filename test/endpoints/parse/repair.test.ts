import { expect, it } from "vitest";
import { keepQuotes, ungroundedValues } from "../../../src/endpoints/parse/repair";

it("keeps quotes of values that the repair hasn't changed", () => {
  const before = { title: "Fleet", ships: [{ name: "Ada", flag: "PL", crew: 2 }, { name: "Berta" }] };
  const after = { title: "Fleet", ships: [{ name: "Ada", flag: "NO", crew: "2" }] };
  const pointers = ["/title", "#/ships/0/name", "/ships/0/flag", "/ships/0/crew", "/ships/1/name", "/none"];
  const quotes = pointers.map((pointer) => ({ pointer, quote: `of ${pointer}` }));
  expect(keepQuotes(quotes, before, after)).toEqual(quotes.slice(0, 2));
  expect(keepQuotes(quotes, before, before)).toEqual(quotes.slice(0, 5));
  expect(keepQuotes([{ pointer: "/a/0", quote: "five" }], { a: [5] }, { a: { 0: 5 } })).toEqual([]);
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
