import { describe, expect, it } from "vitest";
import { parseJsonLd } from "../../../src/html/page/json-ld";

describe("broken JSON-LD", () => {
  it.each([
    ["line breaks in strings", '{"a": "b\n\tc"}', { a: "b  c" }],
    ["trailing commas and semicolons", '{"a": [1, 2,], "b": {"c": 3,},};', { a: [1, 2], b: { c: 3 } }],
    [
      "quotes in strings",
      '{"a": "the "old" pier", "b": ["it "is", here", "c"]}',
      { a: 'the "old" pier', b: ['it "is", here', "c"] },
    ],
    ["escapes that JSON doesn't have", String.raw`{"a": "it\'s \u00e9\-\n"}`, { a: "it's é-\n" }],
    ["comments", '/* a */ {"a": 1, // b "c\n "url": "https://a.example/"} // d', { a: 1, url: "https://a.example/" }],
    ["a wrapping comment", '<!-- {"a": 1,} -->', { a: 1 }],
    ["escaped markup", "{&quot;a&quot;: &quot;b&quot;}", { a: "b" }],
    ["several documents", '{"a": 1}{"b": 2},\n[{"c": 3}]', [{ a: 1 }, { b: 2 }, [{ c: 3 }]]],
    ["a missing end", '{"a": {"b": ["c", "d', { a: { b: ["c", "d"] } }],
    ["a surplus end", '{"a": 1}}', { a: 1 }],
  ])("with %s is repaired", (_, source, expected) => {
    expect(parseJsonLd(source)).toEqual(expected);
  });

  it.each(["", "a", "{a}", "window.a = 1"])("'%s' is null", (source) => {
    expect(parseJsonLd(source)).toBeNull();
  });

  it("is repaired in linear time", () => {
    const start = performance.now();
    parseJsonLd(`{"a": ${'["b" c", '.repeat(50_000)}`);
    parseJsonLd(`{${" ,".repeat(100_000)}`);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
