import { collapse, isDenseGap } from "../parse/white-space";
import type { Inline, Mark } from "./blocks";

/**
 * The effect of line breaks. "paragraphs": two line breaks in a row end the paragraph. "single": several line breaks in
 * a row count as one, as in table cells. "none": line breaks count as white space, as in headings.
 */
export type Breaks = "paragraphs" | "single" | "none";

/** Collects inline content. Collapses white space, and removes it at both ends and next to line breaks. */
export class InlineBuilder {
  #breaking: Breaks;
  #paragraphs: Inline[][] = [];
  #content: Inline[] = [];
  #space = false;
  /** True if the white space before the next piece contains the end of a line of the source. */
  #hasLineEnd = false;
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
    if (words.startsWith(" ")) this.#addSpace(text.slice(0, text.length - text.trimStart().length));
    if (words === "" || words === " ") return;
    this.add({ type, value: words.trim(), space: false, marks });
    if (words.endsWith(" ")) this.#addSpace(text.slice(text.trimEnd().length));
  }

  #addSpace(space: string): void {
    this.#space = true;
    this.#hasLineEnd ||= space.includes("\n");
  }

  add(inline: Inline): void {
    this.#settleBreaks(inline.marks);
    const last = this.#content.at(-1);
    inline.space = this.#space && last !== undefined && last.type !== "break";
    if (this.#hasLineEnd && last && isDenseGap(last.value, inline.value)) inline.space = false;
    this.#space = false;
    this.#hasLineEnd = false;
    const isOther = this.#ended && inline.space;
    const isWords = inline.type === "text" || (inline.type === "code" && !isOther);
    this.#ended = false;
    if (isWords && last?.type === inline.type && last.marks === inline.marks) {
      last.value += (inline.space ? " " : "") + inline.value;
    } else this.#content.push(inline);
  }

  /**
   * Ends a piece of code. If white space follows, the next piece of code stays separate. Otherwise, the two are merged.
   */
  endCode(): void {
    this.#ended = true;
  }

  break(): void {
    if (this.#breaking === "none") this.#space = true;
    else this.#breaks++;
  }

  /** Marks the start or end of a block where blocks aren't allowed. Adds one line break. */
  endBlock(): void {
    if (this.#breaking === "none") this.#space = true;
    else this.#breaks = 1;
  }

  /** Returns the paragraphs so far, and starts a new one. */
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
