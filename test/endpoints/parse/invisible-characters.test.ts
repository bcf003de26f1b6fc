import fc from "fast-check";
import { expect, it } from "vitest";
import { removeInvisible } from "../../../src/endpoints/parse/normalize-text";

it.each([
  ["zero-width spaces", "a\u200bb\u2060c\ufeffd", "abcd"],
  ["soft hyphens", "extra\u00adordinary", "extraordinary"],
  ["direction marks", "\u202eabc\u202c \u2066x\u2069 \u200ey\u200f", "abc x y"],
  ["tags", "lamp\u{e0049}\u{e0047}\u{e007f}", "lamp"],
  ["variation selectors, which can encode any bytes", "a\ufe00\ufe01\u{e0100}\u{e01ef}", "a"],
  ["a joiner between Latin letters", "a\u200db\u200cc", "abc"],
  ["a joiner between an emoji and a letter", "\u{1f468}\u200da", "\u{1f468}a"],
  ["a joiner in emoji style before a letter", "\u2764\ufe0f\u200da", "\u2764a"],
  ["a Mongolian selector after another letter", "a\u180bb", "ab"],
  ["the emoji style of a letter", "a\ufe0f", "a"],
  ["sequences of joiners", "\u06a9\u200c\u200d\u200c\u0646", "\u06a9\u0646"],
  ["control characters", "a\u0000b\u001bc\u009bd", "abcd"],
  ["fillers", "a\u3164b\u115fc", "abc"],
  ["unpaired surrogates", "a\ud83db", "ab"],
])("removes %s", (_, text, expected) => {
  expect(removeInvisible(text)).toBe(expected);
});

it.each([
  ["Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
  ["Hindi", "\u0915\u094d\u200d\u0937"],
  ["Sinhala", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"],
  ["a family emoji", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
  ["a heart on fire emoji", "\u2764\ufe0f\u200d\u{1f525}"],
  ["an emoji with a skin tone and a profession", "\u{1f468}\u{1f3fd}\u200d\u{1f4bb}"],
  ["symbols in emoji style", "\u2600\ufe0f 1\ufe0f"],
  ["Mongolian", "\u182d\u180b"],
  ["line breaks and tabs", "a\tb\r\nc\n"],
  ["combining marks", "e\u0301 \u05e9\u05b8"],
])("keeps %s", (_, text) => {
  expect(removeInvisible(text)).toBe(text);
});

it("removes no visible characters, and is idempotent", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const visible = text.replace(/[\p{DI}\p{Cc}\p{Cs}\ufff9-\ufffb]/gu, "");
      const once = removeInvisible(text);
      expect(once.replace(/[\p{DI}\p{Cc}\p{Cs}\ufff9-\ufffb]/gu, "")).toBe(visible);
      expect(removeInvisible(once)).toBe(once);
    }),
  );
});
