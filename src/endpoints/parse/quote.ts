const NONCE = /^[\w-]{8,}$/;
/** What could be taken for our own marks. */
const LOOKALIKE = /[<\uff1c\ufe64](?=[\s/\\]*page[_\s\u2010-\u2015-])/giu;
/** Marks of roles, to which servers of local models may give their meaning. */
const ROLE_MARKS = /<(?=\|[\w /-]{1,40}\|>)|\[(?=\/?(?:INST|SYS)\])|<(?=\/?(?:start|end)_of_turn>|<\/?SYS>>)/gi;
const [BRACKET, SQUARE] = ["‹", "⁅"];

/** The marks around a text that is data: the prompt names them. */
export function marksOf(nonce: string): { open: string; close: string } {
  if (!NONCE.test(nonce)) throw new Error("The nonce of a quotation has at least eight letters or digits.");
  return { open: `<page_${nonce}>`, close: `</page_${nonce}>` };
}

/**
 * The text between marks that it can't write itself: whoever wrote the page didn't know the nonce, which is random and used
 * once, and what looks like a mark, or like one of a chat's roles, loses its bracket.
 */
export function quoteAsData(text: string, nonce: string): string {
  const { open, close } = marksOf(nonce);
  const inside = text
    .replace(LOOKALIKE, BRACKET)
    .replace(ROLE_MARKS, (mark) => (mark === "[" ? SQUARE : BRACKET))
    .replaceAll(nonce, "…");
  return `${open}\n${inside}\n${close}`;
}
