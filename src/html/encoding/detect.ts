import { costOfPlace } from "./context";
import { LANGUAGE_COSTS, type LanguageCosts } from "./costs";
import { type CharsetHints, hintedBits } from "./hints";
import { toSample } from "./sample";

const FALLBACK = "windows-1252";
/** Bits by which another encoding must be better than the web's default. */
const FALLBACK_LEAD = 6;

const ENCODINGS = [...new Set(LANGUAGE_COSTS.flatMap((language) => language.encodings))];

/**
 * The encoding of bytes that aren't UTF-8: the one in which they are the least surprising, for the language in which they
 * are. Each is tried by decoding a sample; each character costs the more bits the rarer it is.
 */
export function detectEncoding(bytes: Uint8Array, hints: CharsetHints): string {
  const sample = toSample(bytes);
  let best = { encoding: FALLBACK, bits: Number.POSITIVE_INFINITY };
  for (const encoding of ENCODINGS) {
    const { chars, bits } = count(new TextDecoder(encoding).decode(sample));
    for (const language of LANGUAGE_COSTS) {
      if (!language.encodings.includes(encoding)) continue;
      const total = bits + costOf(chars, language) - hintedBits(language.code, hints);
      const weighed = encoding === FALLBACK ? total - FALLBACK_LEAD : total;
      if (weighed < best.bits) best = { encoding, bits: weighed };
    }
  }
  return best.encoding;
}

const BEYOND_ASCII = /[\u{80}-\u{10ffff}]/gu;

/** The characters beyond ASCII with how often they are seen, and the bits for where they stand. */
function count(text: string): { chars: ReadonlyMap<string, number>; bits: number } {
  const chars = new Map<string, number>();
  let bits = 0;
  for (const { 0: char, index } of text.matchAll(BEYOND_ASCII)) {
    chars.set(char, (chars.get(char) ?? 0) + 1);
    bits += costOfPlace(char, text[index - 1] ?? " ", text[index + char.length] ?? " ");
  }
  return { chars, bits };
}

function costOf(chars: ReadonlyMap<string, number>, language: LanguageCosts): number {
  let bits = 0;
  for (const [char, times] of chars) bits += times * language.costOf(char);
  return bits;
}
