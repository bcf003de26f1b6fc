const COMMA = /[,\u060c\ufe50\ufe10\ufe11\u2e41\u2e34\u2e32\uff0c\u3001\u104a]/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** Characters of scripts without spaces between words. A word consists of one or two of these characters. */
const DENSE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g;
const COMMA_CODE = 44;
/** Contains 1 for the code of each letter and digit of European languages, and 0 for the other codes. */
const LETTERS = Uint8Array.from({ length: 0x250 }, (_, code) =>
  Number(/[\p{L}\p{N}]/u.test(String.fromCharCode(code))),
);
/** The range of the Unicode block "General Punctuation", which has no letters and no digits. */
const [FIRST_PUNCTUATION, LAST_PUNCTUATION] = [0x2000, 0x206f];

/**
 * Counts the words, commas and characters of scripts without spaces in a text. Regular expressions read only texts with
 * characters outside of European languages, because the loop is faster.
 */
export function countIn(text: string): { words: number; commas: number; dense: number } {
  let [words, commas] = [0, 0];
  let isInWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= LETTERS.length && (code < FIRST_PUNCTUATION || code > LAST_PUNCTUATION)) {
      return {
        words: text.match(WORD)?.length ?? 0,
        commas: text.match(COMMA)?.length ?? 0,
        dense: text.match(DENSE)?.length ?? 0,
      };
    }
    const isLetter = LETTERS[code] === 1;
    if (isLetter && !isInWord) words++;
    else if (code === COMMA_CODE) commas++;
    isInWord = isLetter;
  }
  return { words, commas, dense: 0 };
}
