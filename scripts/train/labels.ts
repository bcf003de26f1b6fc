/** The ingredients and steps of a recipe. */
export interface RecipeTruth {
  ingredients: readonly string[];
  steps: readonly string[];
}

const GRAM = 4;
/** A word that occurs somewhere in the expected text is weak evidence that a line of this one word is content. */
const SINGLE_WORD_SHARE = 0.3;

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/**
 * Returns the share of each line's words that are in the expected text, from 0 to 1. A word counts if it is part of four
 * words that follow each other in both texts. A short line counts if all its words follow each other in the text.
 */
export function sharesInText(lines: readonly string[], expected: string): Float32Array {
  const wanted = wordsOf(expected);
  const grams = new Set<string>();
  for (let at = 0; at + GRAM <= wanted.length; at++) grams.add(wanted.slice(at, at + GRAM).join(" "));
  const text = ` ${wanted.join(" ")} `;
  const single = new Set(wanted);
  const words = lines.map(wordsOf);
  const all = words.flat();
  const isCovered = new Uint8Array(all.length);
  for (let at = 0; at + GRAM <= all.length; at++)
    if (grams.has(all.slice(at, at + GRAM).join(" "))) isCovered.fill(1, at, at + GRAM);
  let start = 0;
  return Float32Array.from(words, (own) => {
    const end = start + own.length;
    const share = own.length > 0 ? isCovered.subarray(start, end).reduce((sum, one) => sum + one, 0) / own.length : 0;
    start = end;
    if (own.length >= 2 && text.includes(` ${own.join(" ")} `)) return Math.max(share, own.length < GRAM ? 0.8 : 1);
    return own.length === 1 && single.has(own[0] ?? "") ? Math.max(share, SINGLE_WORD_SHARE) : share;
  });
}

/** The label of a line (true for content) and its importance. Lines with importance 0 aren't used. */
export interface Label {
  isContent: boolean;
  importance: number;
}

const UNUSED: Label = { isContent: false, importance: 0 };

/** Labels the lines of a page whose whole content is known. */
export function labelsByText(lines: readonly string[], expected: string): Label[] {
  const shares = sharesInText(lines, expected);
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
