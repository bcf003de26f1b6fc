import fc from "fast-check";
import { expect, it } from "vitest";
import { endOfTokens, estimateTokens, tokensOf } from "../../src/text-view/tokens";

const texts = fc.string({ unit: fc.oneof(fc.constantFrom(..."aZ 1.\n-éЖα漢ガกא😀"), fc.string({ unit: "grapheme" })) });

it("estimates no more tokens for a text than for its parts", () => {
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      expect(tokensOf(first + second)).toBeLessThan(tokensOf(first) + tokensOf(second) + 1e-9);
      expect(estimateTokens(first)).toBe(Math.ceil(tokensOf(first)));
    }),
  );
});

it("ends a part before the limit, after at least one character, and not within a character", () => {
  fc.assert(
    fc.property(texts, fc.nat(20), fc.double({ min: 0, max: 30, noNaN: true }), (text, at, maxTokens) => {
      const start = Array.from(text).slice(0, at).join("").length;
      const end = endOfTokens(text, maxTokens, start);
      const part = text.slice(start, end);
      if (start < text.length) expect(Array.from(part).length).toBeGreaterThan(0);
      if (Array.from(part).length > 1) expect(tokensOf(part)).toBeLessThanOrEqual(maxTokens);
      expect(part.isWellFormed()).toBe(true);
    }),
  );
});
