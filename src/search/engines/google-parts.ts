import type { Element } from "domhandler";
import type { StyledPage } from "../../html/parse/document";
import { attribute, hasAttribute } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import { MAX_SERP_SNIPPET_CHARS } from "../../model/search-limits";
import { closest, findAll, isButton, isLink, type Matcher, textOf } from "../results/dom";
import type { LinkTarget } from "../results/links";
import { isHiddenByAttribute } from "../results/page-parts";
import type { OrganicResult } from "../results/result-page";
import { linesOf } from "../results/structure";
import { tidy } from "../results/texts";

/** A page of Google with its organic results and ads. */
export interface GooglePage {
  page: StyledPage;
  html: string;
  url: string;
  /** The links, the headings and the elements with a role or a mark that the page shows, in document order. */
  marked: readonly Element[];
  /** The organic results with their links. */
  organic: ReadonlyMap<Element, OrganicResult>;
  /** The links of the ads' titles, with the elements around the ads. */
  ads: ReadonlyMap<Element, Element>;
  /** Returns the target of a link, or null if it leads back to the search. */
  readLink(href: string): LinkTarget | null;
  /** Returns the URL of a link to the engine's own search, or null. */
  readSearchLink(href: string): URL | null;
}

/** The parts of a page that several blocks need. */
export interface PageParts extends GooglePage {
  /** The query of the page, as `toKey` returns it. */
  query: string;
  /** The items of "People also ask" with their questions. */
  questions: ReadonlyMap<Element, string>;
  /** The elements around organic results. */
  results: ReadonlySet<Element>;
  /** The elements around questions and ads. */
  asides: ReadonlySet<Element>;
  /** The elements around organic results, questions and ads. Other blocks are outside of them. */
  taken: ReadonlySet<Element>;
  /** The largest element around each title that contains no other title. */
  blocks: ReadonlyMap<Element, Element>;
}

/** The maximum number of headings that are read on one page. Real pages have less than 300. */
export const MAX_TITLES = 1_000;

const MARKS = ["role", "data-q", "data-attrid", "data-subtree", "data-lpage", "data-exchange-rate"];

/** Returns true for the elements that the readers of blocks look at. */
export const isMarked: Matcher = ({ name, attribs }) =>
  name === "a" || name === "h2" || name === "h3" || MARKS.some((mark) => attribs[mark] !== undefined);

/** Returns true for <h3>, and for elements with the role of a heading of level 3. */
export const isTitle: Matcher = (element) => element.name === "h3" || isHeadingOf(element, "3");

export function isHeadingOf(element: Element, level: string): boolean {
  return attribute(element, "role") === "heading" && attribute(element, "aria-level") === level;
}

/** Returns true for the heading of a section. */
export const isSectionTitle: Matcher = (element) => element.name === "h2" || isHeadingOf(element, "2");

/** The maximum number of lines of an answer. */
const MAX_LINES = 200;
/** A sentence of at least this many characters in a heading outside of links is a quote from a page. */
const MIN_QUOTE_CHARS = 60;
const SENTENCE_END = /[.…!?。！？][”"')»\s]*$/;

/** Returns true for the text of a featured snippet: a quote from a page, with the role of a heading. */
export function isQuote(element: Element): boolean {
  if (attribute(element, "data-attrid") === "wa:/description") return true;
  if (!isHeadingOf(element, "3") || closest(element, (at) => isLink(at) || isButton(at))) return false;
  const text = textOf(element, MAX_SERP_SNIPPET_CHARS);
  return findAll(element, isLink, 1).length === 0 && text.length >= MIN_QUOTE_CHARS && SENTENCE_END.test(text);
}

/** Returns a query without white space and in lower case. Pages often lose the spaces around emphasized words. */
export function toKey(query: string): string {
  return tidy(query, MAX_QUERY_CHARS).replace(/\s+/g, "").toLowerCase();
}

/** Returns the lines that an element shows. */
export function shownLines(element: Element, skip: Matcher = () => false): string[] {
  const isSkipped: Matcher = (at) => isHiddenByAttribute(at) || skip(at);
  return linesOf(element, { maxChars: MAX_SERP_SNIPPET_CHARS, skip: isSkipped, maxLines: MAX_LINES });
}

export const isVideo: Matcher = (element) => hasAttribute(element, "data-vid");
export const isPicture: Matcher = (element) => element.name === "img";
export const isNavigation: Matcher = (element) => element.name === "nav" || attribute(element, "role") === "navigation";
