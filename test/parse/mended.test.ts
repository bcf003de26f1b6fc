import { expect, it } from "vitest";
import { requote } from "../../src/parse/mended";

it("takes quotes along with their values, and none for a value that isn't the one that was quoted", () => {
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
  expect(requote(quotes, before, after)).toEqual([
    { pointer: "/title", quote: "of /title" },
    { pointer: "/ships/0/name", quote: "of /ships/1/name" },
    { pointer: "/ships/0/crew", quote: "of #/ships/1/crew" },
  ]);
  expect(requote(quotes, before, before).map(({ quote }) => quote)).toEqual(quotes.map(({ quote }) => quote));
});

it("tells a place in a list from a member of that name, and a number from its digits", () => {
  const quotes = [{ pointer: "/a/0", quote: "five" }];
  expect(requote(quotes, { a: [5] }, { a: { 0: 5 } })).toEqual([]);
  expect(requote(quotes, { a: [5] }, { a: ["5"] })).toEqual([]);
  expect(requote(quotes, { a: [5] }, { a: [1, 5] })).toEqual([{ pointer: "/a/1", quote: "five" }]);
});
