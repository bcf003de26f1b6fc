import type { PageKind } from "../../model/page-kinds";
import { type Region, type RegionTree, wordsIn } from "../main-content/regions";

/**
 * Kinds of pages that show text twice: quoted posts, copies of carousel slides, and descriptions in two tabs. In other
 * kinds, repeated text is usually meant, such as a chorus or an example.
 */
const KINDS: ReadonlySet<PageKind> = new Set(["collection", "forum", "listing", "product", "service"]);
/** Articles repeat their own text in quotes. Forums that look like articles show the start of a post in a button. */
const QUOTES: ReadonlySet<string> = new Set(["aside", "blockquote", "button"]);
/** Shorter texts repeat in every list, for example the labels of products. */
const MIN_WORDS = 20;
/** The words of shorter lines don't count. Facts repeat below other headings, for example the opening hours of branches. */
const MIN_LINE_WORDS = 10;
/** "Anna Keel wrote on March 12, 2026 at 7:15 pm:" */
const MAX_ATTRIBUTION_WORDS = 12;
const MAX_QUOTE_LINES = 1_000;
/** Limits the memory for very long pages. Later sequences aren't remembered. */
const MAX_SEQUENCES = 50_000;
const WORD = /[\p{L}\p{N}_]+|\p{S}+/gu;
/** Each character matters in code. */
const CODE_WORD = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

type Words = ReturnType<typeof readWords>;

/**
 * Drops the chosen regions and lines that repeat earlier chosen text word by word, on the kinds of pages that show text
 * twice. In articles, only quotes are dropped. A text with one other word stays, because it can be an entry with another
 * number. If the text of a quote is dropped, so is the name of its author. Code stays unless the text around it is
 * dropped, because it can have other white space. Never drops only a part of a data table or of a code block. Changes
 * `chosen`.
 */
export function dropRepeatedText(
  { page, dataTables }: { page: RegionTree; dataTables: ReadonlySet<Region> },
  chosen: boolean[],
  kind: PageKind,
): void {
  if (!KINDS.has(kind) && kind !== "article") return;
  const words = readWords(page, chosen);
  const before = [...chosen];
  function visit(region: Region, isQuoteAround: boolean): void {
    const isDroppable = isQuoteAround || isQuote(region);
    if (isDroppable && isRepeated(words, region.start, region.end)) {
      chosen.fill(false, region.start, region.end);
      return;
    }
    if (dataTables.has(region) || region.element.name === "pre") return;
    let at = region.start;
    const dropLines = (end: number) => {
      for (; at < end; at++) if (isDroppable && isRepeated(words, at, at + 1)) chosen[at] = false;
    };
    for (const child of region.children) {
      dropLines(child.start);
      visit(child, isDroppable);
      at = child.end;
    }
    dropLines(region.end);
    if (isDroppable && isBlockOfQuote(region)) dropRest(region);
  }
  /** Drops the remaining lines of a quote: the name of the quoted person. */
  function dropRest({ start, end }: Region): void {
    if (end - start > MAX_QUOTE_LINES) return;
    const lines = page.lines.slice(start, end);
    const countIn = (flags: readonly boolean[]) => wordsIn(lines.filter(({ index }) => flags[index]));
    const left = countIn(chosen);
    if (left <= MAX_ATTRIBUTION_WORDS && left < countIn(before)) chosen.fill(false, start, end);
  }
  visit(page.root, KINDS.has(kind));
}

function isQuote(region: Region): boolean {
  return QUOTES.has(region.element.name) || region.purposes.includes("button");
}

function isBlockOfQuote({ element, names }: Region): boolean {
  return element.name === "blockquote" || names.some((name) => /^quoted?$/.test(name));
}

/** Reads the words of the chosen lines. */
function readWords({ lines, regions }: RegionTree, chosen: readonly boolean[]) {
  const isCode = new Uint8Array(lines.length);
  for (const { element, start, end } of regions) if (element.name === "pre") isCode.fill(1, start, end);
  const words = {
    /** All words in lower case, with a space after each word. */
    text: "",
    /** The indexes in `text` at which the words start, and the length of `text`. */
    starts: [] as number[],
    /** The number of words before each line, and of all words. */
    before: [] as number[],
    /** The same number, but only words in lines that are long enough and that aren't code. */
    countedBefore: [] as number[],
    /** The first word of the first occurrence of each sequence of `MIN_WORDS` words. */
    sequences: new Map<string, number>(),
  };
  let counted = 0;
  for (const { index, text } of lines) {
    const before = words.starts.length;
    words.before.push(before);
    words.countedBefore.push(counted);
    if (!chosen[index]) continue;
    for (const [word] of text.toLowerCase().matchAll(isCode[index] ? CODE_WORD : WORD)) {
      words.starts.push(words.text.length);
      words.text += `${word} `;
    }
    const own = words.starts.length - before;
    if (own >= MIN_LINE_WORDS && !isCode[index]) counted += own;
  }
  words.before.push(words.starts.length);
  words.countedBefore.push(counted);
  words.starts.push(words.text.length);
  for (let at = 0; at + MIN_WORDS < words.starts.length && words.sequences.size < MAX_SEQUENCES; at++) {
    const sequence = sequenceAt(words, at);
    if (!words.sequences.has(sequence)) words.sequences.set(sequence, at);
  }
  return words;
}

function sequenceAt({ text, starts }: Pick<Words, "text" | "starts">, at: number): string {
  return text.slice(starts[at], starts[at + MIN_WORDS]);
}

/** Returns true if the words of these lines follow each other in earlier lines, too. */
function isRepeated(words: Words, startLine: number, endLine: number): boolean {
  const { text, starts, before, countedBefore, sequences } = words;
  if ((countedBefore[endLine] ?? 0) - (countedBefore[startLine] ?? 0) < MIN_WORDS) return false;
  const [start = 0, end = 0] = [before[startLine], before[endLine]];
  const first = sequences.get(sequenceAt(words, start)) ?? start;
  return first + end - start <= start && text.startsWith(text.slice(starts[start], starts[end]), starts[first]);
}
