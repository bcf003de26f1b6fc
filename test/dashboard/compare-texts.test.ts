import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFields, compareTexts, type Piece } from "../../src/dashboard/pages/jobs/compare-texts";

/** Returns the text of one side, without white space, from a comparison. */
function sideOf(before: string, after: string, side: "before" | "after"): string {
  const sections = compareTexts(before, after)?.sections ?? [];
  return sections
    .flatMap((section) => ("same" in section ? section.same : section[side].map(({ text }) => text)))
    .join("")
    .replace(/\s+/g, "");
}

const marked = (pieces: Piece[], kind: Piece["kind"]) => pieces.filter((each) => each.kind === kind);

describe("the comparison of two texts", () => {
  it("marks the changed words of a changed block, and leaves the other blocks unmarked", () => {
    const [head, tail] = ["# Lamp", "Free delivery."];
    const comparison = compareTexts(
      `${head}\n\nIt costs $20 today.\n\n${tail}`,
      `${head}\n\nIt costs $18 today.\n\n${tail}`,
    );
    expect(comparison?.sections).toEqual([
      { same: [head] },
      {
        before: [
          { kind: "same", text: "It costs $" },
          { kind: "removed", text: "20" },
          { kind: "same", text: " today." },
        ],
        after: [
          { kind: "same", text: "It costs $" },
          { kind: "added", text: "18" },
          { kind: "same", text: " today." },
        ],
      },
      { same: [tail] },
    ]);
    expect(comparison?.words).toEqual({ same: 6, removed: 1, added: 1 });
  });

  it("shows a new block as added", () => {
    const comparison = compareTexts("One.\n\nThree.", "One.\n\nTwo.\n\nThree.");
    expect(comparison?.sections[1]).toEqual({ before: [], after: [{ kind: "added", text: "Two." }] });
    expect(comparison?.words).toEqual({ same: 2, removed: 0, added: 1 });
  });

  it("compares scripts without spaces by character", () => {
    const [section] = compareTexts("価格は二十円です", "価格は三十円です")?.sections ?? [];
    if (section === undefined || "same" in section) throw new Error("The block is not marked as changed.");
    expect(marked(section.before, "removed")).toEqual([{ kind: "removed", text: "二" }]);
  });

  it("contains all of both texts", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", " ", "\n\n", "|", "é"), { maxLength: 40 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(sideOf(before, after, "before")).toBe(before.replace(/\s+/g, ""));
        expect(sideOf(before, after, "after")).toBe(after.replace(/\s+/g, ""));
      }),
    );
  });

  it("gives up on texts that are too different, and marks whole blocks if only their words are", () => {
    const numbers = (from: number, separator: string) =>
      Array.from({ length: 400 }, (_, i) => from + i).join(separator);
    expect(compareTexts(numbers(0, "\n\n"), numbers(1_000, "\n\n"), 10_000)).toBeNull();
    const comparison = compareTexts(`Same.\n\n${numbers(0, " ")}`, `Same.\n\n${numbers(1_000, " ")}`, 10_000);
    expect(comparison).toMatchObject({ isComplete: false, words: { same: 1, removed: 400, added: 400 } });
  });
});

it("the comparison of fields names the changed, added and removed leaves", () => {
  const before = { title: "Lamp", offers: [{ price: 20 }], old: null };
  const after = { title: "Lamp", offers: [{ price: 18 }, { price: 30 }] };
  expect(compareFields(before, after)).toEqual({
    changed: [
      { path: "offers.0.price", before: "20", after: "18" },
      { path: "old", before: "null", after: null },
      { path: "offers.1.price", before: null, after: "30" },
    ],
    same: 1,
    isCut: false,
  });
  const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, i) => [`field ${i}`, i]));
  expect(compareFields(many, many)).toEqual({ changed: [], same: 2_000, isCut: true });
});

describe("the comparison of fields", () => {
  it.each<[object, object, object[]]>([
    [{ price: 19.5 }, { price: "19.5" }, [{ path: "price", before: "19.5", after: '"19.5"' }]],
    [{ price: null }, { price: "null" }, [{ path: "price", before: "null", after: '"null"' }]],
    [
      { "a.b": 1 },
      { a: { b: 1 } },
      [
        { path: '"a.b"', before: "1", after: null },
        { path: "a.b", before: null, after: "1" },
      ],
    ],
  ])("tells types and paths apart: %j and %j", (before, after, changed) => {
    expect(compareFields(before, after).changed).toEqual(changed);
  });
});
