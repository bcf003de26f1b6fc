import type { Inline, Mark } from "../ast/blocks";
import { endsOf, firstCharacter, isSign, isWordCharacter, lastCharacter, pathOf } from "./delimiters";
import { escapeInline, escapeLineStart, escapePipes, linkDestination, linkTitle } from "./escape";

/** Where a line stands: in a paragraph, which has lines; in a heading, in a cell. */
export type Place = "paragraph" | "heading" | "cell";

/** Inline content as GitHub-flavoured markdown. */
export function writeInline(content: Inline[], place: Place): string {
  return new InlineWriter(content, place).write();
}

interface OpenMark {
  mark: Mark;
  closing: string;
}

/** Around words whose signs must mean nothing. */
const ALONE = { before: "", after: "", inMark: true, inLink: true, nearStrike: false };

class InlineWriter {
  #content: Inline[];
  #place: Place;
  #ends: Map<Mark, number>;
  #nearStrike: boolean;
  #parts: string[] = [];
  #open: OpenMark[] = [];
  /** The last character written; empty at the beginning of a line. */
  #last = "";
  /** The delimiter that was closed just now: the same again would read as one run. */
  #closed = "";

  constructor(content: Inline[], place: Place) {
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

  /** A dollar sign beside a letter or digit is one. */
  #needsGap(inline: Inline): boolean {
    if (inline.type === "math") return isWordCharacter(this.#last);
    return this.#last === "$" && this.#parts.at(-1) !== "$" && beginsWithLetter(inline);
  }

  /** A break stands inside of the marks that go on behind it. */
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
      if (isStress(mark)) {
        const isTight = marks.slice(depth + 1).every(isStress);
        const inside = isTight ? firstCharacter(this.#content[at] as Inline) : "[";
        // Between a letter outside and a sign inside, no delimiter opens: only a space lets it.
        if (isWordCharacter(outside) && isSign(inside)) this.#put(" ", " ");
        if (this.#last === " ") outside = " ";
        this.#beginStress(mark, isWordCharacter(outside));
        return;
      }
      if (mark.kind === "link") this.#escapeExclamation();
      const [opening, closing] = bracketsOf(mark);
      this.#put(opening, opening.at(-1) ?? "");
      this.#open.push({ mark, closing });
      outside = this.#last;
    });
  }

  #beginStress(mark: Mark, touchesBefore: boolean): void {
    const touchesAfter = this.#touchesWordAfter(mark);
    const delimiter = delimiterOf(mark, { touchesBefore, touchesAfter, closed: this.#closed });
    // Where no other delimiter serves, neighbours become one.
    if (delimiter === this.#closed) this.#parts.pop();
    else this.#parts.push(delimiter);
    this.#closed = "";
    this.#last = delimiter.charAt(0);
    this.#open.push({ mark, closing: delimiter });
  }

  /** Closes the innermost marks; `next` is what follows directly, if no other mark begins there. */
  #closeTo(depth: number, next: Inline | null): void {
    const touches = next !== null && !next.space && beginsWithLetter(next);
    let inside = this.#last;
    let needsSpace = false;
    while (this.#open.length > depth) {
      const { mark, closing } = this.#open.pop() as OpenMark;
      if (isStress(mark)) {
        needsSpace ||= touches && isSign(inside);
        this.#parts.push(closing);
        this.#closed = closing;
        this.#last = closing.charAt(0);
      } else {
        this.#put(closing, closing.at(-1) ?? "");
        inside = this.#last;
      }
    }
    // Between a sign inside and a letter outside, no delimiter closes: only a space lets it.
    if (needsSpace) this.#put(" ", " ");
  }

  #touchesWordAfter(mark: Mark): boolean {
    const next = this.#content[(this.#ends.get(mark) ?? -1) + 1];
    if (!next || next.space || !beginsWithLetter(next)) return false;
    return next.marks === null || pathOf(mark).includes(next.marks);
  }

  /** "!" before a link would make it an image. */
  #escapeExclamation(): void {
    if (this.#last === "!") this.#parts.push(`${this.#parts.pop()?.slice(0, -1)}\\!`);
  }
}

function isStress({ kind }: Mark): boolean {
  return kind === "strong" || kind === "emphasis" || kind === "strike";
}

function beginsWithLetter(inline: Inline): boolean {
  return inline.type === "text" && isWordCharacter(firstCharacter(inline));
}

/** `_` reads better, but only `*` works beside letters; neighbours take turns. */
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
  const alternative = escapeInline(inline.value, { ...ALONE, inCell });
  // Some renderers end the link at a bracket, even an escaped one, or at a backslash.
  const words = inLink
    ? alternative.replace(/\\([[\]\\])/g, (_, sign: string) => `&#${sign.charCodeAt(0)};`)
    : alternative;
  return `![${words}](${linkDestination(inline.url ?? "")}${inCell ? escapePipes(title) : title})`;
}

/** Renderers disagree about a pipe behind a backslash in code, not in other words. */
function codeInCell(code: string): string {
  if (!code.includes("\\|")) return escapePipes(codeSpan(code));
  return `<code>${escapeInline(code, { ...ALONE, inCell: true })}</code>`;
}

/** As many backticks as it takes, and a space between them and one that the code begins or ends with. */
function codeSpan(code: string): string {
  const lengths = new Set(Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  let length = 1;
  while (lengths.has(length)) length++;
  const fence = "`".repeat(length);
  const gap = code.startsWith("`") || code.endsWith("`") ? " " : "";
  return fence + gap + code + gap + fence;
}
