import { describe, expect, it } from "vitest";
import { countIn } from "../../../src/html/main-content/regions";

describe("countIn", () => {
  it.each([
    ["", 0, 0, 0],
    ["It costs 5,50 euros, he said.", 7, 2, 0],
    ["Größe: ½ m², “Café” – naïve", 5, 1, 0],
    ["Привет, мир", 2, 1, 0],
    ["مرحبا، عالم", 2, 1, 0],
    ["東京、大阪", 2, 1, 4],
  ])("counts the words, commas and dense characters in %j", (text, words, commas, dense) => {
    expect(countIn(text)).toEqual({ words, commas, dense });
  });

  it("separates words by the same characters in texts of all scripts", () => {
    for (let code = 1; code < 0x3000; code++) {
      const text = `a${String.fromCharCode(code)}b`;
      // The Chinese character makes the text one that regular expressions read.
      expect([code, countIn(text).words]).toEqual([code, countIn(`${text} 大`).words - 1]);
    }
  });
});
