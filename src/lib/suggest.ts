import { closestMatch } from "leven";

/** Longer words aren't misspellings of a name. */
const MAX_CHARS = 60;

/**
 * Returns the candidate that a misspelled word probably stands for, or null if no candidate is similar. Ignores case,
 * `_`, `-` and spaces. Allows one wrong character for every three.
 */
export function suggest(word: string, candidates: readonly string[]): string | null {
  if (word.length > MAX_CHARS) return null;
  const folded = fold(word);
  const byFolded = new Map(candidates.map((candidate) => [fold(candidate), candidate]));
  const match = closestMatch(folded, [...byFolded.keys()], { maxDistance: Math.floor(folded.length / 3) });
  return match === undefined ? null : (byFolded.get(match) ?? null);
}

/** Returns the word in lower case without `_`, `-` and spaces, so that `waitFor` and `wait_for` are the same. */
export function fold(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, "");
}
