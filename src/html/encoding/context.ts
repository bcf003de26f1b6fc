/** Bits for a capital, but for one after another: headings are made of them. */
const CAPITAL = 3;
/** Bits for what hardly any language writes. */
const CAPITAL_ALONE = 3;
const APOSTROPHE_BEFORE_WORD = 3;
const MIXED_SCRIPTS = 8;

const LETTER = /\p{L}/u;
const LAST_LATIN = "\u024f";
/** From here on scripts have no capitals. */
const FIRST_CASELESS = "\u0590";

/** The bits that a character beyond ASCII costs because of where it stands, in whatever language. */
export function costOfPlace(char: string, previous: string, next: string): number {
  if (char === "’") return isLetter(next) && !isLetter(previous) ? APOSTROPHE_BEFORE_WORD : 0;
  if (!LETTER.test(char)) return 0;
  const mixed = char > LAST_LATIN && (isAsciiLetter(previous) || isAsciiLetter(next)) ? MIXED_SCRIPTS : 0;
  return char < FIRST_CASELESS && isCapital(char) ? mixed + costOfCapital(previous, next) : mixed;
}

function costOfCapital(previous: string, next: string): number {
  if (isCapital(previous)) return 0;
  return isLetter(previous) || isLetter(next) ? CAPITAL : CAPITAL + CAPITAL_ALONE;
}

const isAsciiLetter = (char: string) => (char >= "a" && char <= "z") || (char >= "A" && char <= "Z");
const isLetter = (char: string) => isAsciiLetter(char) || (char > "\u007f" && LETTER.test(char));
const isCapital = (char: string) => char !== char.toLowerCase();
