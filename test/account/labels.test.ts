import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLabels, toLabelTexts, writeLabels } from "../../src/account/storage/labels";

const word = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  fc.constantFrom('"', "\n", ",", '","', "a", "b", '["a","b"', "\\n", "number", "1", "true"),
);
const value = fc.oneof(word, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
const labels = fc.record({
  tags: fc.uniqueArray(word, { maxLength: 4 }),
  metadata: fc.dictionary(word, value, { maxKeys: 4 }).map((map) => Object.fromEntries(Object.entries(map))),
});

/** Returns true if the column contains every text of the filter. The SQL of the list makes the same comparison. */
function matches(column: string | null, filter: Parameters<typeof toLabelTexts>[0]): boolean {
  const texts = JSON.parse(toLabelTexts(filter) ?? "[]") as string[];
  return texts.every((text) => column?.includes(text) === true);
}

describe("the labels of a job", () => {
  it("are read as they were written", () => {
    fc.assert(
      fc.property(labels, (given) => {
        const column = writeLabels(given);
        const isEmpty = given.tags.length === 0 && Object.keys(given.metadata).length === 0;
        const read = readLabels(column);
        // JSON doesn't distinguish 0 and -0.
        expect(JSON.stringify(read)).toBe(JSON.stringify(isEmpty ? null : given));
      }),
    );
    expect(writeLabels(undefined)).toBeNull();
  });

  it("match exactly the filters whose tags and values they have", () => {
    fc.assert(
      fc.property(labels, word, word, (given, key, text) => {
        const column = writeLabels(given);
        expect(matches(column, { tags: [text] })).toBe(given.tags.includes(text));
        const own = Object.hasOwn(given.metadata, key) ? String(given.metadata[key]) : undefined;
        expect(matches(column, { metadata: { [key]: text } })).toBe(own === text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["a number matches its text", { metadata: { order: 42 }, tags: [] }, { metadata: { order: "42" } }, true],
    ["a longer number", { metadata: { order: 421 }, tags: [] }, { metadata: { order: "42" } }, false],
    ["a boolean matches its text", { metadata: { paid: true }, tags: [] }, { metadata: { paid: "true" } }, true],
    ["a value as a tag", { metadata: { order: "a" }, tags: [] }, { tags: ["a"] }, false],
    ["all tags", { metadata: {}, tags: ["a", "b"] }, { tags: ["b", "a"] }, true],
    ["one of two tags", { metadata: {}, tags: ["a"] }, { tags: ["a", "b"] }, false],
  ])("%s", (_, given, filter, expected) => {
    expect(matches(writeLabels(given), filter)).toBe(expected);
  });
});
