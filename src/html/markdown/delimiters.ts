import type { Inline, Mark } from "../ast/blocks";

const SPACE = /^\s?$/;
const SIGN = /^[\p{P}\p{S}]$/u;

/** A character is a word's when it is neither white space nor punctuation, as CommonMark counts. */
export function isWordCharacter(character: string): boolean {
  return !SPACE.test(character) && !SIGN.test(character);
}

export function isSign(character: string): boolean {
  return SIGN.test(character);
}

/** The characters that a piece of a line begins and ends with once it is written. */
export function firstCharacter(inline: Inline): string {
  if (inline.type !== "text") return inline.type === "break" ? "" : "`";
  return String.fromCodePoint(inline.value.codePointAt(0) ?? 32);
}

export function lastCharacter(inline: Inline): string {
  if (inline.type !== "text") return inline.type === "break" ? "" : "`";
  const last = inline.value.at(-1) ?? "";
  return /[\udc00-\udfff]/.test(last) ? inline.value.slice(-2) : last;
}

/** From the outermost to the innermost. */
export function pathOf(marks: Mark | null): Mark[] {
  const path: Mark[] = [];
  for (let mark = marks; mark; mark = mark.outer) path.push(mark);
  return path.reverse();
}

/** Where each mark ends: the place of its last piece. */
export function endsOf(content: Inline[]): Map<Mark, number> {
  const ends = new Map<Mark, number>();
  content.forEach(({ marks }, at) => {
    for (let mark = marks; mark; mark = mark.outer) ends.set(mark, at);
  });
  return ends;
}
