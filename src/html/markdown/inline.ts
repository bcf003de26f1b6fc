import { type Inline, type Mark, pathOf } from "../ast/blocks";
import { escapeInline, escapeLineStart, escapePipes, linkDestination, linkTitle } from "./escape";

/** The block that contains the inline content. Only a paragraph can have several lines. */
type InlinePlace = "paragraph" | "heading" | "cell";

/** Converts inline content to GitHub-flavored markdown. */
export function writeInline(content: Inline[], place: InlinePlace): string {
  return new InlineWriter(content, place).write();
}

interface OpenMark {
  mark: Mark;
  closing: string;
}

/** A context that makes `escapeInline` escape all special characters. */
const ISOLATED = { before: "", after: "", inMark: true, inLink: true, nearStrike: false };

class InlineWriter {
  #content: Inline[];
  #place: InlinePlace;
  #ends: Map<Mark, number>;
  #nearStrike: boolean;
  #parts: string[] = [];
  #open: OpenMark[] = [];
  /** The last written character. Empty at the start of a line. */
  #last = "";
  /** The closing delimiter, if it was written last. Markdown would read two equal delimiters in a row as one. */
  #closed = "";

  constructor(content: Inline[], place: InlinePlace) {
    this.#content = content;
    this.#place = place;
    this.#ends = endsOf(content);
    this.#nearStrike = [...this.#ends.keys()].some(({ kind }) => kind === "strike");
  }

  write(): string {
    this.#content.forEach((inline, at) => {
      const path = inline.type === "break" ? this.#pathOverBreak(at) : pathOf(inline.marks);
      let shared = 0;
      while (shared < path.length && this.#open[shared]?.mark === path[shared]) shared++;
      this.#closeTo(shared, path.length === shared ? inline : null);
      if (inline.space || this.#needsGap(inline)) this.#put(" ", " ");
      if (path.length > shared) this.#begin(path.slice(shared), at);
      this.#piece(inline, at);
    });
    this.#closeTo(0, null);
    return this.#parts.join("");
  }

  get #isInLink(): boolean {
    return this.#open.some(({ mark }) => mark.kind === "link");
  }

  #put(markdown: string, last: string): void {
    this.#parts.push(markdown);
    this.#last = last;
    this.#closed = "";
  }

  /**
   * Returns true if a dollar sign would touch a letter or digit. Such a dollar sign doesn't delimit a formula, so a
   * space is needed.
   */
  #needsGap(inline: Inline): boolean {
    if (inline.type === "math") return isWordCharacter(this.#last);
    return this.#last === "$" && this.#parts.at(-1) !== "$" && beginsWithLetter(inline);
  }

  /** Returns the marks that stay open across the line break at this index. */
  #pathOverBreak(at: number): Mark[] {
    const after = pathOf(this.#content[at + 1]?.marks ?? null);
    return after.filter((mark, depth) => this.#open[depth]?.mark === mark);
  }

  #piece(inline: Inline, at: number): void {
    const inCell = this.#place === "cell";
    const written = (markdown: string) => (inCell ? escapePipes(markdown) : markdown);
    if (inline.type === "text") this.#put(this.#text(inline, at), lastCharacter(inline));
    else if (inline.type === "code") this.#put(inCell ? codeInCell(inline.value) : codeSpan(inline.value), "`");
    else if (inline.type === "math") this.#put(written(`$${inline.value}$`), "$");
    else if (inline.type === "image") this.#put(image(inline, { inCell, inLink: this.#isInLink }), ")");
    else if (inline.type === "footnote") this.#put(`[^${inline.value}]`, "]");
    else this.#put(inCell ? "<br>" : "\\\n", "");
  }

  #text(inline: Inline, at: number): string {
    const next = this.#content[at + 1];
    const isAtStart = this.#last === "" && this.#place === "paragraph";
    const markdown = escapeInline(inline.value, {
      before: this.#last,
      after: this.#endsMark(at) || (next && !next.space && next.type !== "break") ? "*" : "",
      inMark: this.#open.length > 0,
      inLink: this.#isInLink,
      inCell: this.#place === "cell",
      nearStrike: this.#nearStrike,
    });
    return isAtStart ? escapeLineStart(markdown) : markdown;
  }

  #endsMark(at: number): boolean {
    return this.#open.some(({ mark }) => this.#ends.get(mark) === at);
  }

  #begin(marks: Mark[], at: number): void {
    let outside = this.#last;
    marks.forEach((mark, depth) => {
      if (isEmphasis(mark)) {
        const isTight = marks.slice(depth + 1).every(isEmphasis);
        const inside = isTight ? firstCharacter(this.#content[at] as Inline) : "[";
        // CommonMark doesn't open emphasis between a letter and punctuation, so a space is needed.
        if (isWordCharacter(outside) && PUNCTUATION.test(inside)) this.#put(" ", " ");
        if (this.#last === " ") outside = " ";
        this.#beginEmphasis(mark, isWordCharacter(outside));
        return;
      }
      if (mark.kind === "link") this.#escapeExclamation();
      const [opening, closing] = bracketsOf(mark);
      this.#put(opening, opening.at(-1) ?? "");
      this.#open.push({ mark, closing });
      outside = this.#last;
    });
  }

  #beginEmphasis(mark: Mark, touchesBefore: boolean): void {
    const touchesAfter = this.#touchesWordAfter(mark);
    const delimiter = delimiterOf(mark, { touchesBefore, touchesAfter, closed: this.#closed });
    // If the new mark needs the same delimiter as the mark before it, the delimiter between them is removed. The two
    // marks then become one.
    if (delimiter === this.#closed) this.#parts.pop();
    else this.#parts.push(delimiter);
    this.#closed = "";
    this.#last = delimiter.charAt(0);
    this.#open.push({ mark, closing: delimiter });
  }

  /**
   * Closes the innermost marks until `depth` marks are left open. `next` is the piece of content that follows directly,
   * or null if the opening of another mark follows.
   */
  #closeTo(depth: number, next: Inline | null): void {
    const touches = next !== null && !next.space && beginsWithLetter(next);
    let inside = this.#last;
    let needsSpace = false;
    while (this.#open.length > depth) {
      const { mark, closing } = this.#open.pop() as OpenMark;
      if (isEmphasis(mark)) {
        needsSpace ||= touches && PUNCTUATION.test(inside);
        this.#parts.push(closing);
        this.#closed = closing;
        this.#last = closing.charAt(0);
      } else {
        this.#put(closing, closing.at(-1) ?? "");
        inside = this.#last;
      }
    }
    // CommonMark doesn't close emphasis between punctuation and a letter, so a space is needed.
    if (needsSpace) this.#put(" ", " ");
  }

  #touchesWordAfter(mark: Mark): boolean {
    const next = this.#content[(this.#ends.get(mark) ?? -1) + 1];
    if (!next || next.space || !beginsWithLetter(next)) return false;
    return next.marks === null || pathOf(mark).includes(next.marks);
  }

  /** Escapes a "!" before a link, because `![` would start an image. */
  #escapeExclamation(): void {
    if (this.#last === "!") this.#parts.push(`${this.#parts.pop()?.slice(0, -1)}\\!`);
  }
}

function isEmphasis({ kind }: Mark): boolean {
  return kind === "strong" || kind === "emphasis" || kind === "strike";
}

function beginsWithLetter(inline: Inline): boolean {
  return inline.type === "text" && isWordCharacter(firstCharacter(inline));
}

/**
 * Returns the delimiter for a mark. Prefers `_` for emphasis, but next to letters only `*` works. Adjacent marks get
 * different delimiters.
 */
function delimiterOf(
  { kind }: Mark,
  { touchesBefore, touchesAfter, closed }: { touchesBefore: boolean; touchesAfter: boolean; closed: string },
): string {
  if (kind === "strike") return "~~";
  if (kind === "strong") return closed === "**" && !touchesAfter ? "__" : "**";
  return touchesBefore || touchesAfter || closed === "_" ? "*" : "_";
}

function bracketsOf(mark: Mark): [string, string] {
  if (mark.kind === "superscript") return ["<sup>", "</sup>"];
  if (mark.kind === "subscript") return ["<sub>", "</sub>"];
  return ["[", `](${linkDestination(mark.url ?? "")}${linkTitle(mark.title)})`];
}

function image(inline: Inline, { inCell, inLink }: { inCell: boolean; inLink: boolean }): string {
  const title = linkTitle(inline.title);
  const alternative = escapeInline(inline.value, { ...ISOLATED, inCell });
  // In the text of an image inside a link, character references replace brackets and backslashes. Some renderers end
  // the link even at an escaped one.
  const words = inLink
    ? alternative.replace(/\\([[\]\\])/g, (_, char: string) => `&#${char.charCodeAt(0)};`)
    : alternative;
  return `![${words}](${linkDestination(inline.url ?? "")}${inCell ? escapePipes(title) : title})`;
}

/**
 * Writes code in a table cell. Code that contains `\|` becomes a <code> element, because renderers disagree about `\|`
 * in a code span.
 */
function codeInCell(code: string): string {
  if (!code.includes("\\|")) return escapePipes(codeSpan(code));
  return `<code>${escapeInline(code, { ...ISOLATED, inCell: true })}</code>`;
}

/**
 * Writes a code span. Uses a run of backticks that the code doesn't contain as the delimiter. Adds spaces if the code
 * starts or ends with a backtick.
 */
function codeSpan(code: string): string {
  const lengths = new Set(Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (lengths.has(length)) length++;
  const fence = "`".repeat(length);
  const gap = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return fence + gap + code + gap + fence;
}

const SPACE = /^\s?$/;
const PUNCTUATION = /^[\p{P}\p{S}]$/u;

/** Returns true for a character that CommonMark counts as neither white space nor punctuation. */
function isWordCharacter(character: string): boolean {
  return !SPACE.test(character) && !PUNCTUATION.test(character);
}

/** Returns the first character of the markdown for a piece. All pieces except text start with punctuation. */
function firstCharacter(inline: Inline): string {
  if (inline.type !== "text") return inline.type === "break" ? "" : "`";
  return String.fromCodePoint(inline.value.codePointAt(0) ?? 32);
}

/** Returns the last character of the markdown for a piece. All pieces except text end with punctuation. */
function lastCharacter(inline: Inline): string {
  if (inline.type !== "text") return inline.type === "break" ? "" : "`";
  const last = inline.value.at(-1) ?? "";
  return /[\udc00-\udfff]/.test(last) ? inline.value.slice(-2) : last;
}

/** Maps each mark to the index of its last piece. */
function endsOf(content: Inline[]): Map<Mark, number> {
  const ends = new Map<Mark, number>();
  content.forEach(({ marks }, at) => {
    for (let mark = marks; mark; mark = mark.outer) ends.set(mark, at);
  });
  return ends;
}
