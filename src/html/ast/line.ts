import type { Inline, Mark } from "./blocks";

/** Control characters, and those that only steer the line breaking. */
const INVISIBLE = /[[\p{Cc}\u00ad\u200b\u2060\ufeff]--[\t\n\v\f\r]]+/gv;
const SPACES = /\s+/g;
const SIMPLE = /^[\x20-\x7e\n\t\u00a1-\u00ac\u00ae-\u1fff\u2010-\u2027\u2030-\u205e\u3001-\ud7ff]*$/;

/**
 * What line breaks do where the content stands: two in a row end a paragraph, a table's cell knows one at a time, and a
 * heading none.
 */
export type Breaks = "paragraphs" | "single" | "none";

/** Collects inline content: white space in runs is one space, none at the ends or beside a break. */
export class Line {
  #breaking: Breaks;
  #paragraphs: Inline[][] = [];
  #content: Inline[] = [];
  #space = false;
  #breaks = 0;
  #ended = false;

  constructor(breaking: Breaks) {
    this.#breaking = breaking;
  }

  get isEmpty(): boolean {
    return this.#content.length === 0 && this.#paragraphs.length === 0;
  }

  get last(): Inline | undefined {
    return this.#breaks === 0 ? this.#content.at(-1) : undefined;
  }

  text(text: string, marks: Mark | null, type: "text" | "code" = "text"): void {
    const words = collapse(text);
    if (words === "" || words === " ") {
      this.#space ||= words === " ";
      return;
    }
    if (words.startsWith(" ")) this.#space = true;
    this.add({ type, value: words.trim(), space: false, marks });
    this.#space = words.endsWith(" ");
  }

  add(inline: Inline): void {
    this.#settleBreaks(inline.marks);
    const last = this.#content.at(-1);
    inline.space = this.#space && last !== undefined && last.type !== "break";
    this.#space = false;
    const isOther = this.#ended && inline.space;
    const isWords = inline.type === "text" || (inline.type === "code" && !isOther);
    this.#ended = false;
    if (isWords && last?.type === inline.type && last.marks === inline.marks) {
      last.value += (inline.space ? " " : "") + inline.value;
    } else this.#content.push(inline);
  }

  /** A piece of code ends: the next one, after white space, is another. */
  endCode(): void {
    this.#ended = true;
  }

  break(): void {
    if (this.#breaking === "none") this.#space = true;
    else this.#breaks++;
  }

  /** The edge of a block where blocks can't be: a break, but none in a row. */
  boundary(): void {
    if (this.#breaking === "none") this.#space = true;
    else this.#breaks = 1;
  }

  /** The paragraphs so far; the next one begins. */
  take(): Inline[][] {
    const paragraphs = this.#paragraphs;
    if (this.#content.length > 0) paragraphs.push(this.#content);
    this.#paragraphs = [];
    this.#content = [];
    this.#space = false;
    this.#breaks = 0;
    return paragraphs;
  }

  #settleBreaks(marks: Mark | null): void {
    if (this.#breaks > 0 && this.#content.length > 0) {
      if (this.#breaks > 1 && this.#breaking === "paragraphs") {
        this.#paragraphs.push(this.#content);
        this.#content = [];
      } else this.#content.push({ type: "break", value: "", space: false, marks });
    }
    this.#breaks = 0;
  }
}

/** White space in runs as one space, no characters that only steer the line breaking. */
function collapse(text: string): string {
  return (SIMPLE.test(text) ? text : text.replace(INVISIBLE, "")).replace(SPACES, " ");
}

export function collapseAndTrim(text: string): string {
  return collapse(text).trim();
}

/** The words of an attribute that browsers show as they stand, though some pages put markup there. */
export function attributeWords(text: string): string {
  return collapseAndTrim(text.includes("<") ? text.replace(/<[^<>]*>/g, " ") : text);
}
