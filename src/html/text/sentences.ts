/** Normalizes text for comparison with phrases: lower case, straight apostrophes, single spaces. */
export function normalize(text: string): string {
  return text
    .replaceAll("İ", "i")
    .toLowerCase()
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
}

/** Removes punctuation and symbols of normalized text. Apostrophes inside of words are removed, too. */
export function wordsOnly(text: string): string {
  return normalize(text)
    .replaceAll("'", "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();
}

/** A passage in quotation marks. A text that quotes a notice isn't the notice. */
export const QUOTED = /[“„«「『"][^“”„"«»「」『』]{1,200}[”“"»」』]/g;
/** The end of a sentence. A dot inside of a number or a name doesn't end a sentence. */
const SENTENCE_END = /(?<=[.!?…])(?<!\d\.)\s+|(?<=[。！？])/;

/** Returns the sentences of a text. */
export function sentencesOf(text: string): string[] {
  return text
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}
