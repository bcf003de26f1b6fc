import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHtml } from "../../../src/html/encoding/decode";
import languages from "../../../src/html/encoding/languages.json";
import { encodeLegacy } from "../../support/legacy-encoder";
import { TEXTS } from "./texts";

const THAI = "กขคงจฉชซญดตถทธนบปผฝพฟภมยรลวศษสหอฮะัาำิีึืุูเแโใไ็่้๊๋์";
const decodeAs = (encoding: string, bytes: Uint8Array) => decodeHtml(bytes, `text/html; charset=${encoding}`);
const isUtf8 = (bytes: Uint8Array) => {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/**
 * Generates letters as often as they occur in their language. In Latin script, at most two non-ASCII letters are
 * adjacent.
 */
function wordsOf(letters: string): fc.Arbitrary<string> {
  const groups = letters.split(" ").map((group) => [...group]);
  const weighted = groups.map((group, at) => ({ weight: Math.ceil(group.length * 2 ** (12 - at / 2)), group }));
  const letter = fc.oneof(
    ...weighted
      .filter(({ group }) => group.length > 0)
      .map(({ weight, group }) => ({ weight, arbitrary: fc.constantFrom(...group) })),
  );
  return /[\u0100-\u024fà-ü]/.test(letters)
    ? fc.array(letter, { maxLength: 2 }).map((some) => `${some.join("")}t`)
    : letter;
}

const ALPHABETS: readonly (readonly [encoding: string, language: string, letter: fc.Arbitrary<string>])[] = [
  ...languages.flatMap(({ code, encodings, letters }) =>
    // Omits windows-1252. Many servers declare it by default, so the service ignores the declaration if the bytes are
    // valid UTF-8.
    encodings
      .filter((encoding) => encoding !== "windows-1252")
      .map((encoding) => [encoding, code, wordsOf(letters)] as const),
  ),
  ["windows-874", "th", fc.constantFrom(...THAI)],
];

describe("a page that declares its encoding", () => {
  it.each(ALPHABETS)("isn't decoded as UTF-8: random letters in %s (%s)", (encoding, _, letter) => {
    const page = fc.array(fc.oneof({ weight: 6, arbitrary: letter }, fc.constantFrom("a", " ", "1")), {
      maxLength: 14,
    });
    fc.assert(
      fc.property(page, (chars) => {
        const text = `<p>${chars.join("")}</p>`;
        let bytes: Uint8Array;
        try {
          bytes = encodeLegacy(text, encoding);
        } catch {
          return;
        }
        expect(decodeAs(encoding, bytes)).toBe(text);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  it.each(TEXTS.flatMap(([, encodings, text]) => encodings.map((encoding) => [encoding, text] as const)))(
    "isn't decoded as UTF-8: any part of a text in %s: %s",
    (encoding, text) => {
      const chars = [...text];
      for (let from = 0; from < chars.length; from++) {
        for (let size = 1; size <= 12 && from + size <= chars.length; size++) {
          const part = chars.slice(from, from + size).join("");
          expect(decodeAs(encoding, encodeLegacy(part, encoding))).toBe(part);
        }
      }
    },
  );

  it.each([
    ["gbk", "谩茅铆", "three characters that are also valid UTF-8"],
    ["gb18030", "谩茅铆贸煤眉枚", "seven characters that are also Spanish in UTF-8"],
    ["euc-kr", "찾짜챠", "three syllables that are also valid UTF-8"],
    ["shift_jis", "ﾃｸﾂｩ", "half-width letters that are also valid UTF-8"],
    ["windows-1250", "PÓŁKA, WĘŻE", "capitals that are also valid UTF-8"],
    ["windows-1251", "Р“Рђ", "capitals before punctuation that are also valid UTF-8"],
    ["windows-874", "แกนแดน", "Thai letters that are also valid UTF-8"],
  ])("is decoded as declared, in %s: %s (%s)", (encoding, text) => {
    const bytes = encodeLegacy(text, encoding);
    expect(isUtf8(bytes)).toBe(true);
    expect(decodeAs(encoding, bytes)).toBe(text);
  });
});
