import type { PageKind } from "../../model/page-kinds";
import type { Region, RegionTree } from "../main-content/regions";

/**
 * Kinds of pages that show text twice: quoted posts, copies of carousel slides, and descriptions in two tabs. In other
 * kinds, repeated text is usually meant, such as a chorus or an example.
 */
const KINDS: ReadonlySet<PageKind> = new Set(["collection", "forum", "listing", "product", "service"]);
/** Shorter texts repeat in every list, for example the labels of products. */
const MIN_WORDS = 20;
/** A word is repeated if it is part of this number of words that follow each other in an earlier line, too. */
const SEQUENCE_WORDS = 4;
/** Limits the memory for very long pages. Later sequences aren't remembered. */
const MAX_SEQUENCES = 50_000;
const WORD = /[\p{L}\p{N}_]+/gu;

/**
 * Drops the chosen regions and lines whose words all repeat earlier chosen lines, on the kinds of pages that show text
 * twice. A text with one other word stays, because it can be an entry with another number. Never drops only a part of a
 * data table or of a code block. Changes `chosen`.
 */
export function dropRepeatedText(
  { page, dataTables }: { page: RegionTree; dataTables: ReadonlySet<Region> },
  chosen: boolean[],
  kind: PageKind,
): void {
  if (!KINDS.has(kind)) return;
  const { counts, repeated } = countWords(page, chosen);
  const isRepeated = (start: number, end: number) => {
    const words = (counts[end] ?? 0) - (counts[start] ?? 0);
    return words >= MIN_WORDS && (repeated[end] ?? 0) - (repeated[start] ?? 0) === words;
  };
  function visit(region: Region): void {
    if (isRepeated(region.start, region.end)) {
      chosen.fill(false, region.start, region.end);
      return;
    }
    if (dataTables.has(region) || region.element.name === "pre") return;
    let at = region.start;
    const dropLines = (end: number) => {
      for (; at < end; at++) if (isRepeated(at, at + 1)) chosen[at] = false;
    };
    for (const child of region.children) {
      dropLines(child.start);
      visit(child);
      at = child.end;
    }
    dropLines(region.end);
  }
  visit(page.root);
}

/** Counts the words of the chosen lines before each line: all words, and those that repeat words of an earlier line. */
function countWords({ lines }: RegionTree, chosen: readonly boolean[]): { counts: Uint32Array; repeated: Uint32Array } {
  const words: string[] = [];
  const lineOf: number[] = [];
  for (const { index, text } of lines)
    if (chosen[index])
      for (const [word] of text.toLowerCase().matchAll(WORD)) {
        words.push(word);
        lineOf.push(index);
      }
  const isRepeated = new Uint8Array(words.length);
  const lineOfSequence = new Map<string, number>();
  for (let at = 0; at + SEQUENCE_WORDS <= words.length; at++) {
    const sequence = words.slice(at, at + SEQUENCE_WORDS).join(" ");
    const line = lineOf[at] ?? 0;
    const first = lineOfSequence.get(sequence);
    if (first !== undefined && first < line) isRepeated.fill(1, at, at + SEQUENCE_WORDS);
    else if (first === undefined && lineOfSequence.size < MAX_SEQUENCES) lineOfSequence.set(sequence, line);
  }
  const counts = new Uint32Array(lines.length + 1);
  const repeated = new Uint32Array(lines.length + 1);
  let at = 0;
  for (let line = 0; line < lines.length; line++) {
    let [all, old] = [counts[line] ?? 0, repeated[line] ?? 0];
    for (; lineOf[at] === line; at++) {
      all++;
      old += isRepeated[at] ?? 0;
    }
    counts[line + 1] = all;
    repeated[line + 1] = old;
  }
  return { counts, repeated };
}
