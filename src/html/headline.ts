import type { DomDocument, DomElement } from "./dom";
import { elementsUnder, isHeading, plainTextOf } from "./dom";

export interface Headline {
  text: string;
  html: string;
}

const MARK = "data-headline";
/** Readability demotes every <h1>; this remembers which ones they were. */
const TOP_LEVEL = "data-top-level";
const SEPARATOR = /\s+[|–—·»:/-]\s+|:\s+/;
/** A heading of a lower level is the headline only when the page's title says nearly the same. */
const MIN_SUBHEADING_MATCH = 0.75;

/**
 * The page's headline, chosen among what a reader sees: the <h1>, or the heading that the title repeats. It is marked in
 * the document, so that `putFirst` finds it again in whatever part of the page is taken. Null when there is none.
 */
export function markHeadline(document: DomDocument): Headline | null {
  const titles = pageTitles(document);
  let best: { element: DomElement; score: number } | null = null;
  for (const element of Array.from(document.querySelectorAll("h1, h2, h3"))) {
    if (element.localName === "h1") element.setAttribute(TOP_LEVEL, "");
    const score = scoreOf(element, titles);
    if (score !== null && (!best || score > best.score)) best = { element, score };
  }
  if (!best) return null;
  const headline = { text: plainTextOf(best.element), html: best.element.innerHTML };
  best.element.setAttribute(MARK, "");
  return headline;
}

/** The content with the headline as its first heading, once. */
export function putFirst(headline: Headline | null, content: DomElement): string {
  if (!headline) return content.innerHTML;
  let isFirst = true;
  for (const heading of elementsUnder(content).filter(isHeading)) {
    const repeats = plainTextOf(heading) === headline.text;
    if (heading.hasAttribute(MARK) || (repeats && (isFirst || heading.hasAttribute(TOP_LEVEL)))) heading.remove();
    else isFirst = false;
  }
  return `<h1>${headline.html}</h1>${content.innerHTML}`;
}

/** Whether a heading was an <h1> in the page. */
export function wasTopLevel(heading: DomElement): boolean {
  return heading.hasAttribute(TOP_LEVEL);
}

function scoreOf(heading: DomElement, titles: string[]): number | null {
  const text = plainTextOf(heading);
  if (!text || heading.closest("nav, footer, aside, dialog, [role=dialog], [role=navigation]")) return null;
  const match = Math.max(0, ...titles.map((title) => similarity(text, title)));
  if (heading.localName !== "h1" && match < MIN_SUBHEADING_MATCH) return null;
  const link = heading.querySelector("a");
  // A heading that is nothing but a link in the page's header is the site's name.
  const isWhollyLink = (link && plainTextOf(link) === text) || Boolean(heading.closest("a"));
  return (
    match +
    (heading.localName === "h1" ? 0.5 : 0) +
    (heading.closest("article, main") ? 0.2 : 0) -
    (isWhollyLink ? 0.2 : 0) -
    (heading.closest("header") && !heading.closest("article, main") ? 0.2 : 0)
  );
}

/** What the page calls itself, without the site's name where it can be told apart. */
function pageTitles(document: DomDocument): string[] {
  const shared = document
    .querySelector('meta[property="og:title"], meta[name="twitter:title"]')
    ?.getAttribute("content");
  const title = document.querySelector("title");
  return [shared ?? "", title ? plainTextOf(title) : ""].filter(Boolean).map(longestPart);
}

function longestPart(title: string): string {
  return title.split(SEPARATOR).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

/** Twice the shared words over all words: 1 when both say the same. */
function similarity(a: string, b: string): number {
  const left = new Set(wordsOf(a));
  const right = new Set(wordsOf(b));
  const shared = [...left].filter((word) => right.has(word)).length;
  return left.size + right.size ? (2 * shared) / (left.size + right.size) : 0;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
