import fc from "fast-check";
import { expect, it } from "vitest";
import { toCanonicalJson } from "../../src/lib/json";

it("sorts the keys of objects at every depth, and keeps the order of arrays", () => {
  expect(toCanonicalJson({ b: [{ d: 1, c: null }, 2, 1], a: { z: "x", y: true } })).toBe(
    '{"a":{"y":true,"z":"x"},"b":[{"c":null,"d":1},2,1]}',
  );
});

it("returns the same text for objects that only differ in the order of keys, and preserves all values", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const json = JSON.stringify(value);
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(toCanonicalJson(reversed)).toBe(toCanonicalJson(value));
      expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(json));
    }),
  );
});
