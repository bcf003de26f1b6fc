import { tokensOf } from "./tokens";

/** Where a text may be cut, the best places first: after a blank line, a line, a sentence, a word. */
const BORDERS = [/\n\s*\n/g, /\n/g, /(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？])/g, /\s+/g];
/** A border earlier than this wastes too much of the room. */
const MIN_FILLED = 0.5;

/** The beginning of a text that takes at most so many tokens, and the rest: at least one character, whatever the room. */
export function cutText(text: string, maxTokens: number): [first: string, rest: string] {
  const end = fittingChars(text, maxTokens);
  if (end >= text.length) return [text, ""];
  const window = text.slice(0, end + 1);
  for (const border of BORDERS) {
    const last = Array.from(window.slice(Math.floor(end * MIN_FILLED)).matchAll(border)).at(-1);
    if (last === undefined) continue;
    const at = Math.floor(end * MIN_FILLED) + last.index;
    if (at > 0 && at <= end) return [text.slice(0, at), text.slice(at + last[0].length)];
  }
  // Half of a character is none.
  const isSplit = /[\udc00-\udfff]/.test(text.charAt(end)) && end > 1;
  const at = isSplit ? end - 1 : end;
  return [text.slice(0, at), text.slice(at)];
}

function fittingChars(text: string, maxTokens: number): number {
  let left = maxTokens;
  for (let at = 0; at < text.length; at++) {
    left -= tokensOf(text.charAt(at));
    if (left < 0) return Math.max(at, 1);
  }
  return text.length;
}
