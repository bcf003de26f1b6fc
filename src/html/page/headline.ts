import { Element, Text } from "domhandler";

/** A heading of a page that can be its headline. */
export interface Heading {
  element: Element;
  text: string;
  /** True in the second half of the page, where a subheading is often an invitation that repeats the title. */
  isLate: boolean;
}

const SEPARATOR = /(?<!\s)\s+(?:[|·•»›‹«~⋅∙—–:/>]+|-+)\s+|(?:(?<!\s)\s+)?[|｜]\s*|:\s+/g;
const MAX_TITLE_CHARS = 2_000;
const MAX_SEPARATORS = 8;
/**
 * A heading below <h1> is the headline only if it's at least this similar to the page's title. The second value is for
 * pages without <h1>.
 */
const [MIN_SUBHEADING_MATCH, MIN_ONLY_MATCH] = [0.75, 0.5];
const OUTSIDE = new Set(["nav", "footer", "aside", "dialog"]);
const OUTSIDE_ROLE = /^(?:dialog|navigation)$/i;

/**
 * Returns the page's headline: an <h1>, or a heading that repeats one of the titles. Returns null if there is none. The
 * texts of the headings aren't empty.
 */
export function chooseHeadline<H extends Heading>(headings: readonly H[], titles: readonly string[]): H | null {
  const wanted = new Set(titles.flatMap((title) => [title, longestOf(partsOfTitle(title))]));
  const titleWords = [...wanted].map(wordsOf);
  const minMatch = headings.some(({ element }) => element.name === "h1") ? MIN_SUBHEADING_MATCH : MIN_ONLY_MATCH;
  let best: { heading: H; score: number } | null = null;
  for (const heading of headings) {
    const isTop = heading.element.name === "h1";
    if (!isTop && heading.isLate) continue;
    const words = wordsOf(heading.text);
    const match = Math.max(0, ...titleWords.map((title) => similarity(words, title)));
    const score = isTop || match >= minMatch ? scoreOf(heading, match) : null;
    if (score !== null && (best === null || score > best.score)) best = { heading, score };
  }
  return best?.heading ?? null;
}

/**
 * Returns the likelihood that a heading is the headline, as a number to compare, or null if it certainly isn't.
 */
function scoreOf({ element, isLate }: Heading, match: number): number | null {
  const isTop = element.name === "h1";
  let isInHeader = false;
  let isInContent = false;
  let isLinked = isOnlyLinks(element);
  for (let at = element.parent; at instanceof Element; at = at.parent) {
    const { name, attribs } = at;
    if (name === "article" || name === "main" || attribs.role === "main") isInContent = true;
    else if ((OUTSIDE.has(name) && !isInContent) || OUTSIDE_ROLE.test(attribs.role ?? "")) return null;
    if (name === "header") isInHeader = true;
    if (name === "a") isLinked = true;
  }
  // A linked <h1> outside of the content is usually the site's name, so more is subtracted from its score.
  const linked = isTop && !isInContent ? 0.4 : 0.2;
  const inHeader = isTop && isInHeader && !isInContent ? 0.2 : 0;
  const doubt = (isLinked ? linked : 0) + inHeader + (isLate ? 0.3 : 0);
  return match + (isTop ? 0.5 : 0) + (isInContent ? 0.2 : 0) - doubt;
}

/** Returns true if the element has no text outside of links. */
function isOnlyLinks({ children }: Element): boolean {
  return children.every((child) => {
    if (child instanceof Text) return child.data.trim() === "";
    return !(child instanceof Element) || child.name === "a" || isOnlyLinks(child);
  });
}

/** Returns the parts of a title between separators such as "|", and their places. One is often the name of the site. */
export function partsOfTitle(title: string): { text: string; start: number; end: number }[] {
  const separators = [...title.slice(0, MAX_TITLE_CHARS).matchAll(SEPARATOR)].slice(0, MAX_SEPARATORS);
  const starts = [0, ...separators.map((one) => one.index + one[0].length)];
  return starts.map((start, index) => {
    const end = separators[index]?.index ?? title.length;
    return { text: title.slice(start, end), start, end };
  });
}

function longestOf(parts: readonly { text: string }[]): string {
  return parts.reduce((longest, { text }) => (text.length > longest.length ? text : longest), "");
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu;

/** Returns the words of a text in lower case. A character of a script without spaces is a word. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(WORD) ?? []);
}

/** Returns the share of common words, from 0 to 1. */
export function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const word of a) if (b.has(word)) common++;
  return common === 0 ? 0 : (2 * common) / (a.size + b.size);
}
