import table from "./ai-instructions.json";

/** The patterns of texts that tell an AI what to do. Texts are in lower case, with single spaces. */
const PATTERNS: readonly RegExp[] = table.patterns.flatMap(({ patterns }) =>
  patterns.map(
    (pattern) => new RegExp(pattern.replaceAll("{AI}", table.AI).replaceAll("{ADDRESSED}", table.ADDRESSED)),
  ),
);
/** Invisible characters. A page can put them between the letters of a word, so that no pattern matches the word. */
const INVISIBLE =
  /\u034f|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** The number of characters of a text that are checked. */
const MAX_CHARS = 200_000;

/** Returns true if a text tells an AI what to do, such as "Ignore all previous instructions". */
export function addressesAi(text: string): boolean {
  const normal = text
    .slice(0, MAX_CHARS)
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  return PATTERNS.some((pattern) => pattern.test(normal));
}
