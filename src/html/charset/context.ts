/** Bits for a capital, but for one after another: headings are made of them. */
const CAPITAL = 3;
/** Bits for what hardly any language writes. */
const CAPITAL_IN_WORD = 5;
const CAPITAL_ALONE = 3;
const MARK_IN_WORD = 5;
const APOSTROPHE_BEFORE_WORD = 3;
const MIXED_SCRIPTS = 8;

const LETTER = /\p{L}/u;
const APOSTROPHES = new Set("’‘·´\u00ad\u02bc");
const LAST_LATIN = "\u024f";
/** From here on scripts have no capitals. */
const FIRST_CASELESS = "\u0590";

/** The bits that a character beyond ASCII costs because of where it stands, in whatever language. */
export function costOfPlace(char: string, previous: string, next: string): number {
  if (!LETTER.test(char)) return isLetter(next) ? costBeforeLetter(char, previous) : 0;
  const mixed = char > LAST_LATIN && (isAsciiLetter(previous) || isAsciiLetter(next)) ? MIXED_SCRIPTS : 0;
  return char >= FIRST_CASELESS ? mixed : mixed + costOfCase(char, previous, next);
}

function costBeforeLetter(mark: string, previous: string): number {
  if (!isLetter(previous)) return mark === "’" ? APOSTROPHE_BEFORE_WORD : 0;
  return APOSTROPHES.has(mark) ? 0 : MARK_IN_WORD;
}

function costOfCase(char: string, previous: string, next: string): number {
  if (!isCapital(char)) return isAsciiLetter(next) && isCapital(next) ? CAPITAL_IN_WORD : 0;
  if (isCapital(previous)) return 0;
  if (isLetter(previous)) return CAPITAL + CAPITAL_IN_WORD;
  return isLetter(next) ? CAPITAL : CAPITAL + CAPITAL_ALONE;
}

const isAsciiLetter = (char: string) => (char >= "a" && char <= "z") || (char >= "A" && char <= "Z");
const isLetter = (char: string) => isAsciiLetter(char) || (char > "\u007f" && LETTER.test(char));
const isCapital = (char: string) => char !== char.toLowerCase();
