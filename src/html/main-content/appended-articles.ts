import { hasDate } from "../page/dates";
import { similarity, wordsOf } from "../page/headline";
import type { Headline } from "./headline";
import type { Region, RegionTree } from "./regions";

/** A box is an article if it has at least this number of paragraphs, and a date in its first lines. */
const MIN_PARAGRAPHS = 3;
const MAX_LINES_TO_DATE = 6;
/** The headline must be at least this similar to a title of the page. Otherwise the page is a list of articles. */
const MIN_MATCH = 0.75;

/** Finds the other articles below the page's article, which a script appended for readers who scroll on. */
export function findAppendedArticles(
  { lines }: RegionTree,
  { headline, titles }: { headline: Headline | null; titles: readonly string[] },
): Region[] {
  const level = headline ? (lines[headline.region.start]?.headingLevel ?? 0) : 0;
  const words = wordsOf(headline?.text ?? "");
  if (!headline || !titles.some((title) => similarity(words, wordsOf(title)) >= MIN_MATCH)) return [];
  const isArticle = ({ start, end }: Region) => {
    const own = lines.slice(start, end);
    const title = own.findIndex((line) => line.headingLevel > 0);
    if (own[title]?.headingLevel !== level || own.filter((line) => line.isProse).length < MIN_PARAGRAPHS) return false;
    return own.slice(0, title + MAX_LINES_TO_DATE).some(hasDate);
  };
  for (let at = headline.region; at.parent; at = at.parent) {
    const { parent, kind, end } = at;
    if (at === headline.region) continue;
    const after = parent.children.filter((other) => other.start >= end);
    // A script often appends <article> elements to a separate box.
    const isNested = (other: Region) => at.element.name === "article" && other.kind !== kind;
    const boxes = after.flatMap((other) => (isNested(other) ? other.children : [other]));
    const others = boxes.filter((other) => other.kind === kind && isArticle(other));
    if (others.length > 0) return isArticle(at) ? others : [];
  }
  return [];
}
