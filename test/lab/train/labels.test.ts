import { describe, expect, it } from "vitest";
import {
  alignedShares,
  labelsByRecipe,
  labelsBySnippets,
  labelsByText,
  sharesInText,
} from "../../../lab/train/labels.ts";

const TEXT = "The ferry leaves from the old pier each morning. It carries forty people and their dogs. Price 12 euros.";

describe("the share of a line in the expected text", () => {
  it.each([
    ["The ferry leaves from the old pier each morning.", 1],
    ["The ferry leaves from a new pier", 4 / 7],
    ["Boats", 0],
    ["price 12", 0.8],
    ["ferry", 0.3],
    ["dogs and people", 0],
  ])("%s", (line, share) => {
    expect(sharesInText([line], TEXT)[0]).toBeCloseTo(share, 5);
  });

  it("counts words that follow each other over the end of a line", () => {
    expect([...sharesInText(["It carries", "forty", "people and their"], TEXT)]).toEqual([1, 1, 1]);
  });
});

describe("the share of a line in the aligned text", () => {
  it.each([
    ["The ferry leaves from the old pier each morning.", 1],
    ["The ferry leaves from a new pier", 5 / 7],
    ["Boats", 0],
    ["price 12", 1],
    ["dogs or people", 1 / 3],
  ])("%s", (line, share) => {
    expect(alignedShares([line], TEXT)[0]).toBeCloseTo(share, 5);
  });

  it("is lower for short lines in another order", () => {
    const lines = ["Price 12 euros.", "It carries forty people and their dogs.", "old pier", "ferry"];
    const shares = alignedShares(lines, TEXT);
    expect(shares[2]).toBeCloseTo(0.8, 5);
    expect(shares[3]).toBeCloseTo(0.3, 5);
  });

  it("is zero for a copy that the text doesn't have", () => {
    const line = "It carries forty people and their dogs.";
    expect([...alignedShares([line, "Anna wrote:", line], TEXT)]).toEqual([1, 0, 0]);
    expect([...sharesInText([line, "Anna wrote:", line], TEXT)]).toEqual([1, 0, 1]);
  });
});

describe("labels", () => {
  it("by text are more important for longer lines and clear shares", () => {
    const lines = [TEXT, "Read more about boats here", "ferry"];
    const [whole, other, single] = labelsByText(lines, sharesInText(lines, TEXT));
    expect(whole).toEqual({ isContent: true, importance: 19 });
    expect(other).toEqual({ isContent: false, importance: 5 });
    expect(single?.isContent).toBe(false);
    expect(single?.importance).toBeCloseTo(0.4, 5);
  });

  it("by snippets are only known for lines with a snippet", () => {
    const snippets = { with: ["Old  Pier"], without: ["subscribe"] };
    expect(labelsBySnippets(["The old pier", "Subscribe now", "Boats"], snippets)).toEqual([
      { isContent: true, importance: 1 },
      { isContent: false, importance: 1 },
      { isContent: false, importance: 0 },
    ]);
  });

  it("of recipes are only known for ingredients and steps", () => {
    const recipe = { ingredients: ["2 cups flour"], steps: ["Mix the flour with the water and wait."] };
    const lines = ["2 cups flour", "Mix the flour with the water and wait.", "Flour is grown on fields", "1"];
    expect(labelsByRecipe(lines, recipe).map(({ importance }) => importance)).toEqual([1, 1, 0, 0]);
  });
});
