/**
 * Invisible characters: Unicode's default ignorable characters (zero-width spaces, direction marks, tags, variation
 * selectors), control characters, unpaired surrogates and interlinear annotations.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const INVISIBLE = /[[\p{DI}\p{Cc}\p{Cs}\ufff9-\ufffb]--[\t\n\f\r]]+/gv;
const PLAIN = /^[\t\n\r\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/;
/** The scripts in which joiners change the meaning of a word. */
const JOINING =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]$/u;
const MONGOLIAN = /^\p{Script=Mongolian}$/u;
const PICTURE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
/** Characters that an emoji can start with. */
const PICTURE_BASE = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\d#*]$/u;
const JOINERS = new Set(["\u200c", "\u200d"]);
const [EMOJI_STYLE, ZWJ] = ["\ufe0f", "\u200d"];

/**
 * Removes invisible characters, because a page can hide messages to the model in them. Keeps single joiners where a
 * script needs them, and joiners within emoji.
 */
export function removeInvisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, (run, at: number) => {
    const before = characterBefore(text, at);
    const after = String.fromCodePoint(text.codePointAt(at + run.length) ?? 32);
    return isNeeded(run, before, after) ? run : "";
  });
}

function isNeeded(run: string, before: string, after: string): boolean {
  if (run === EMOJI_STYLE) return PICTURE_BASE.test(before);
  if (run === ZWJ && PICTURE.test(before)) return PICTURE.test(after);
  if (run === EMOJI_STYLE + ZWJ) return PICTURE.test(before) && PICTURE.test(after);
  if (JOINERS.has(run)) return JOINING.test(before);
  return /^[\u180b-\u180f]$/.test(run) && MONGOLIAN.test(before);
}

function characterBefore(text: string, at: number): string {
  const last = text.charAt(at - 1);
  return /[\udc00-\udfff]/.test(last) ? text.slice(Math.max(0, at - 2), at) : last;
}
