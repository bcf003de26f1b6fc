const MAX_NAME_CHARS = 200;

/**
 * Returns the words of a property's name, joined by spaces: in lower case, without diacritics, and with
 * English words in the singular. `prepTime`, `prep_time` and `Prep Times` have the same key.
 */
export function toKey(name: string): string {
  return wordsOf(name.slice(0, MAX_NAME_CHARS)).map(toSingular).join(" ");
}

/** Returns the words of a name in lower case and without diacritics. */
export function wordsOf(name: string): string[] {
  return (
    name
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

export function toSingular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
