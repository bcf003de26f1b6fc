/** What the distinct characters of a text are worth as a proof of UTF-8: one for each of two bytes, two of three, three of four. */
const ENOUGH = 3;
/**
 * Where two characters in a row may make a third of UTF-8, as in GBK, or a letter and the next one may, as in Thai. Of texts
 * that have the frequencies of Chinese, the worst of them, one in two million is worth as much.
 */
const ENOUGH_OF_PAIRS = 8;
/** What another encoding can't read either. */
const ENOUGH_WHEN_DAMAGED = 2;

const PAIRS: ReadonlySet<string> = new Set(["GBK", "gb18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "windows-874"]);
/** Replaced, or a control character that no page has: letters of one byte begin no character of UTF-8 alone. */
const DAMAGE = /[\ufffd\u0080-\u009f]/;
const MARKUP = /<(!doctype|html|head|body|meta|title|div|p)\b/i;

/**
 * Whether bytes that are UTF-8 throughout can't be in the encoding that was declared: to be both, each of its characters
 * would have to follow another by UTF-8's rules. `text` is what they say in UTF-8, `declared` their text as it was declared.
 */
export function provesUtf8(text: string, encoding: string, declared: () => string): boolean {
  // Nothing but markup that reads as ASCII: in UTF-16 every other byte of it would be NUL.
  if (encoding.startsWith("UTF-16")) return !text.includes("\0") && MARKUP.test(text);
  const enough = PAIRS.has(encoding) ? ENOUGH_OF_PAIRS : ENOUGH;
  const worth = worthOf(text, enough);
  return worth >= enough || (worth >= ENOUGH_WHEN_DAMAGED && DAMAGE.test(declared()));
}

/** At most a little more than `enough`. */
function worthOf(text: string, enough: number): number {
  const seen = new Set<string>();
  let worth = 0;
  for (const { 0: char } of text.matchAll(/[\u{80}-\u{10ffff}]/gu)) {
    if (worth >= enough) break;
    if (seen.has(char)) continue;
    seen.add(char);
    worth += char < "\u0800" ? 1 : char.length + 1;
  }
  return worth;
}
