import type { PageKind } from "../../model/page-kinds";
import type { Region, TextLine } from "../main-content/regions";
import type { PageFacts } from "./page-facts";
import { dropRepeatedText } from "./repeated-text";

/** A line is content if its likelihood is at least this. */
const MIN_LIKELIHOOD = 0.5;
/** The limit for pages with a list of entries. Their lines look like the links around them. */
const MIN_LIKELIHOOD_OF_ENTRIES = 0.4;

/**
 * Chooses the lines of the content by their likelihood. Keeps or drops a data table as a whole. Drops a heading without
 * content below it, and keeps a heading whose section starts with content. Keeps a single line between kept lines of its
 * group, because a list with one missing item is wrong. Drops text that repeats earlier content, such as quoted posts.
 * Returns a flag for each line.
 */
export function chooseLines(
  { page, dataTables, groups }: Pick<PageFacts, "page" | "dataTables" | "groups">,
  likelihoods: Float64Array,
  kind: PageKind,
): boolean[] {
  const min = kind === "collection" || kind === "listing" ? MIN_LIKELIHOOD_OF_ENTRIES : MIN_LIKELIHOOD;
  const likely = Array.from(likelihoods, (value) => value >= min);
  const isBetween = (at: number) =>
    [at - 1, at + 1].every((next) => likely[next] === true && groups[next] === groups[at]);
  const chosen = likely.map((isLikely, at) => isLikely || isBetween(at));
  for (const table of dataTables) {
    const isKept = meanLikelihood(page.lines, table, likelihoods) >= min;
    chosen.fill(isKept, table.start, table.end);
  }
  dropRepeatedText({ page, dataTables }, chosen, kind);
  chooseHeadings(page.lines, chosen);
  return chosen;
}

function meanLikelihood(lines: readonly TextLine[], { start, end }: Region, likelihoods: Float64Array): number {
  let [likely, words] = [0, 0];
  for (let at = start; at < end; at++) {
    const own = lines[at]?.words ?? 0;
    likely += own * (likelihoods[at] ?? 0);
    words += own;
  }
  return words > 0 ? likely / words : 0;
}

function chooseHeadings(lines: readonly TextLine[], chosen: boolean[]): void {
  let next: { level: number } | null = null;
  for (let at = lines.length - 1; at >= 0; at--) {
    const level = lines[at]?.headingLevel ?? 0;
    if (level === 0) {
      if (chosen[at]) next = { level: 0 };
      continue;
    }
    const isOverContent = next !== null && (next.level === 0 || next.level > level);
    if (!isOverContent) chosen[at] = false;
    else if (chosen[at + 1]) chosen[at] = true;
    if (chosen[at]) next = { level };
  }
}
