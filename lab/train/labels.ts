import { alignWords, SEQUENCE_WORDS } from "./align.ts";

/** The ingredients and steps of a recipe. */
export interface RecipeTruth {
  ingredients: readonly string[];
  steps: readonly string[];
}

/** A word that occurs somewhere in the expected text is weak evidence that a line of this one word is content. */
const SINGLE_WORD_SHARE = 0.3;
/** A short line whose words follow each other in the expected text is probably content. */
const SHORT_LINE_SHARE = 0.8;

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Returns the share of each line's words that are in the expected text, from 0 to 1. A word counts if it is part of four
 * words that follow each other in both texts. A short line counts if all its words follow each other in the text. Each
 * copy of a text on the page counts.
 */
export function sharesInText(lines: readonly string[], expected: string): Float32Array {
  const wanted = wordsOf(expected);
  const sequences = new Set<string>();
  for (let at = 0; at + SEQUENCE_WORDS <= wanted.length; at++)
    sequences.add(wanted.slice(at, at + SEQUENCE_WORDS).join(" "));
  const text = ` ${wanted.join(" ")} `;
  const single = new Set(wanted);
  const words = lines.map(wordsOf);
  const all = words.flat();
  const isCovered = new Uint8Array(all.length);
  for (let at = 0; at + SEQUENCE_WORDS <= all.length; at++)
    if (sequences.has(all.slice(at, at + SEQUENCE_WORDS).join(" "))) isCovered.fill(1, at, at + SEQUENCE_WORDS);
  let start = 0;
  return Float32Array.from(words, (own) => {
    const end = start + own.length;
    const share = own.length > 0 ? isCovered.subarray(start, end).reduce((sum, one) => sum + one, 0) / own.length : 0;
    start = end;
    if (own.length >= 2 && text.includes(` ${own.join(" ")} `))
      return Math.max(share, own.length < SEQUENCE_WORDS ? SHORT_LINE_SHARE : 1);
    return own.length === 1 && single.has(own[0] ?? "") ? Math.max(share, SINGLE_WORD_SHARE) : share;
  });
}

/**
 * Returns the share of each line's words that are in the expected text, from 0 to 1. The texts are aligned. If the page
 * has more copies of a text than the expected text, for example a post and its quote, only the first ones count.
 */
export function alignedShares(lines: readonly string[], expected: string): Float32Array {
  const wanted = wordsOf(expected);
  const words = lines.map(wordsOf);
  const all = words.flat();
  const isCovered = alignWords(all, wanted);
  const text = ` ${wanted.join(" ")} `;
  const single = new Set(wanted);
  let start = 0;
  const rest = new Map<string, number>();
  const restOf = (phrase: string) => rest.get(phrase) ?? text.split(` ${phrase} `).length - 1;
  const shares = Float32Array.from(words, (own) => {
    const end = start + own.length;
    const share = own.length > 0 ? isCovered.subarray(start, end).reduce((sum, one) => sum + one, 0) / own.length : 0;
    start = end;
    if (share === 1) rest.set(own.join(" "), restOf(own.join(" ")) - 1);
    return share;
  });
  for (const [at, own] of words.entries()) {
    const share = shares[at] ?? 0;
    if (own.length === 0 || own.length >= SEQUENCE_WORDS || share === 1) continue;
    const phrase = own.join(" ");
    if (own.length >= 2 && restOf(phrase) > 0) {
      shares[at] = Math.max(share, SHORT_LINE_SHARE);
      rest.set(phrase, restOf(phrase) - 1);
    } else if (own.length === 1 && single.has(phrase)) shares[at] = Math.max(share, SINGLE_WORD_SHARE);
  }
  return shares;
}

/** The label of a line (true for content) and its importance. Lines with importance 0 aren't used. */
export interface Label {
  isContent: boolean;
  importance: number;
}

/** The label of a line about which nothing is known. */
export const UNUSED: Label = { isContent: false, importance: 0 };

/** Labels the lines of a page whose whole content is known, by the shares of `sharesInText` or `alignedShares`. */
export function labelsByText(lines: readonly string[], shares: Float32Array): Label[] {
  return lines.map((line, at) => {
    const share = shares[at] ?? 0;
    return { isContent: share > 0.5, importance: wordsOf(line).length * Math.abs(2 * share - 1) };
  });
}

/** Labels the lines that contain a wanted or an unwanted snippet. */
export function labelsBySnippets(
  lines: readonly string[],
  snippets: { with?: readonly string[]; without?: readonly string[] },
): Label[] {
  const spaces = (text: string) => text.replace(/\s+/g, " ").toLowerCase();
  const wanted = (snippets.with ?? []).map(spaces);
  const unwanted = (snippets.without ?? []).map(spaces);
  return lines.map((line) => {
    const text = spaces(line);
    if (wanted.some((snippet) => text.includes(snippet))) return { isContent: true, importance: 1 };
    return unwanted.some((snippet) => text.includes(snippet)) ? { isContent: false, importance: 1 } : UNUSED;
  });
}

/** Labels the ingredients and steps of a recipe. Nothing is known about the other lines. */
export function labelsByRecipe(lines: readonly string[], { ingredients, steps }: RecipeTruth): Label[] {
  const letters = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "");
  const wanted = ingredients.map(letters).filter((text) => text !== "");
  const starts = steps.map((step) => letters(step).slice(0, 60)).filter((text) => text.length > 15);
  return lines.map((line) => {
    const text = letters(line);
    if (text.length < 4) return UNUSED;
    const isIngredient = wanted.some(
      (one) =>
        text === one ||
        (text.includes(one) && text.length < 2 * one.length) ||
        (one.includes(text) && text.length > 0.6 * one.length),
    );
    return isIngredient || starts.some((one) => text.includes(one)) ? { isContent: true, importance: 1 } : UNUSED;
  });
}
