import type { ChildNode, Document } from "domhandler";
import { chooseHeadline, type Heading, similarity, wordsOf } from "../page/headline";
import { type PageModel, readPageModel } from "../page/page-model";
import { bodyOf } from "../parse/document";
import { separatedText } from "../parse/dom";
import { excludeHidden } from "../visibility/markup-visibility";
import { countIn, type Region, type RegionTree, readRegions } from "./regions";
import { Selection } from "./selection";

export interface Headline extends Heading {
  region: Region;
}

/** A page with its lines outside of `invisible` nodes. */
export interface ReadPage {
  head: PageModel;
  url: string;
  page: RegionTree;
  /** All lines of the page. */
  all: Selection;
  /** The nodes that no reader can see. */
  invisible: ReadonlySet<ChildNode>;
  /** True if the content is in <noscript> elements. */
  noscript: boolean;
  headline: Headline | null;
}

/** The content is in <noscript> elements if they have at least this many words, and more words than the other elements. */
const MIN_NOSCRIPT_WORDS = 40;

/**
 * Reads the lines of a page outside of the `excluded` nodes and of nodes that are hidden by convention. Forums such as
 * Discourse and Flarum send their content in a <noscript> and build the page with a script.
 */
export function readPage(document: Document, given: { url: string; excluded: ReadonlySet<ChildNode> }): ReadPage {
  const body = bodyOf(document);
  const head = readPageModel(document);
  const read = (noscript: boolean): ReadPage => {
    const invisible = new Set(given.excluded);
    excludeHidden(body, invisible, { byClass: true, noscript });
    const readOnce = () => {
      const page = readRegions(body, invisible, { noscript });
      const headline = findHeadline(page, head.titles);
      return { head, url: given.url, page, all: new Selection(page), invisible, noscript, headline };
    };
    const first = readOnce();
    const appended = findAppendedArticles(first);
    if (appended.length === 0) return first;
    for (const { element } of appended) invisible.add(element);
    return readOnce();
  };
  const shown = read(false);
  const words = countIn(head.noscripts.map((element) => separatedText(element, {})).join(" ")).words;
  return words >= MIN_NOSCRIPT_WORDS && words > shown.all.words(shown.page.root) ? read(true) : shown;
}

/** Finds the page's headline among the visible headings. Returns null if there is none. */
function findHeadline({ regions, lines }: RegionTree, titles: readonly string[]): Headline | null {
  const headings = regions.filter(({ element, isEmpty }) => !isEmpty && /^h[1-3]$/.test(element.name));
  const toHeading = (region: Region): Headline => {
    const own = lines.slice(region.start, region.end).map(({ text }) => text);
    return { region, element: region.element, text: own.join(" "), isLate: region.start > lines.length / 2 };
  };
  return chooseHeadline(headings.map(toHeading), titles);
}

/** A box is an article if it has at least this number of paragraphs, and a date in its first lines. */
const MIN_PARAGRAPHS = 3;
const MAX_LINES_TO_DATE = 6;
/** The headline must be at least this similar to a title of the page. Otherwise the page is a list of articles. */
const MIN_MATCH = 0.75;

/** Finds the other articles below the page's article, which a script appended for readers who scroll on. */
function findAppendedArticles({ page: { lines }, headline, head }: ReadPage): Region[] {
  const level = headline ? (lines[headline.region.start]?.headingLevel ?? 0) : 0;
  const words = wordsOf(headline?.text ?? "");
  if (!headline || !head.titles.some((title) => similarity(words, wordsOf(title)) >= MIN_MATCH)) return [];
  const isArticle = ({ start, end }: Region) => {
    const own = lines.slice(start, end);
    const title = own.findIndex((line) => line.headingLevel > 0);
    if (own[title]?.headingLevel !== level || own.filter((line) => line.isProse).length < MIN_PARAGRAPHS) return false;
    return own.slice(0, title + MAX_LINES_TO_DATE).some((line) => line.hasDate);
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
