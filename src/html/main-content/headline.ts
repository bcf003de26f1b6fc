import { type Document, Element } from "domhandler";
import { headOf } from "../parse/document";
import { type Block, collapse, isLinkLine, type Outline } from "./outline";

export interface Headline {
  block: Block;
  text: string;
}

const SEPARATOR = /\s+[|–—·»:/-]\s+|:\s+/;
const MAX_LEVEL = 3;
const MAX_TITLES = 5;
/** A heading of a lower level is the headline only when the page's title says nearly the same. */
const MIN_SUBHEADING_MATCH = 0.75;
const OUTSIDE = new Set(["nav", "footer", "aside", "dialog"]);
const OUTSIDE_ROLE = /^(?:dialog|navigation)$/i;

/** The page's headline, chosen among what a reader sees: the <h1>, or the heading that the title repeats. */
export function findHeadline(page: Outline, titles: readonly string[]): Headline | null {
  const titleWords = titles.map((title) => wordsOf(longestPart(title)));
  let best: Headline | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const block of page.blocks) {
    const level = /^h[1-6]$/.test(block.element.name) ? Number(block.element.name[1]) : 0;
    if (level === 0 || level > MAX_LEVEL || block.isEmpty) continue;
    const text = textOf(block, page);
    const score = scoreOf(block, page, { isTop: level === 1, match: bestMatch(text, titleWords) });
    if (score !== null && score > bestScore) {
      best = { block, text };
      bestScore = score;
    }
  }
  return best;
}

/** What the page calls itself, in its head: a few names, since each is compared with every heading. */
export function pageTitles(document: Document): string[] {
  const titles: string[] = [];
  for (const node of headOf(document).children) {
    if (!(node instanceof Element)) continue;
    const { property, name, content } = node.attribs;
    if (node.name === "title")
      titles.push(collapse(node.children.map((child) => ("data" in child ? child.data : "")).join("")));
    else if (node.name === "meta" && content && (property === "og:title" || name === "twitter:title"))
      titles.push(collapse(content));
  }
  return [...new Set(titles)].filter((title) => title !== "").slice(0, MAX_TITLES);
}

function scoreOf(block: Block, page: Outline, { isTop, match }: { isTop: boolean; match: number }): number | null {
  if (!isTop && match < MIN_SUBHEADING_MATCH) return null;
  let isInHeader = false;
  let isInContent = false;
  let isLinked = page.units.slice(block.start, block.end).every(isLinkLine);
  for (let at = block.parent; at; at = at.parent) {
    const { name, attribs } = at.element;
    if (OUTSIDE.has(name) || OUTSIDE_ROLE.test(attribs.role ?? "")) return null;
    if (name === "header") isInHeader = true;
    if (name === "article" || name === "main") isInContent = true;
    if (name === "a") isLinked = true;
  }
  // A heading that is nothing but a link, outside of the content, is the site's name.
  const linked = isTop && !isInContent ? 0.4 : 0.2;
  const inHeader = isInHeader && !isInContent ? 0.2 : 0;
  return match + (isTop ? 0.5 : 0) + (isInContent ? 0.2 : 0) - (isLinked ? linked : 0) - inHeader;
}

function textOf({ start, end }: Block, page: Outline): string {
  return page.units
    .slice(start, end)
    .map(({ text }) => text)
    .join(" ");
}

function longestPart(title: string): string {
  return title.split(SEPARATOR).reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

function bestMatch(text: string, titles: readonly Set<string>[]): number {
  const words = wordsOf(text);
  return Math.max(0, ...titles.map((title) => similarity(words, title)));
}

/** Twice the shared words over all words: 1 when both say the same. */
function similarity(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const shared = [...left].filter((word) => right.has(word)).length;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
