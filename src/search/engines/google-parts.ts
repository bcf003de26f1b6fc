import type { Element } from "domhandler";
import type { StyledPage } from "../../html/parse/document";
import { hasAttribute } from "../../html/parse/dom";
import { MAX_QUERY_CHARS } from "../../model/limits";
import type { EnginePage } from "../results/engine-page";
import { hasRole, isHeadingOf, isNamed, type Matcher } from "../results/matchers";
import type { Question } from "../results/page-parts";
import type { OrganicResult } from "../results/result-page";
import { tidy } from "../results/texts";

/** A page of Google with its organic results and ads. */
export interface GooglePage extends EnginePage {
  styled: StyledPage;
  html: string;
  /** The links, the headings and the elements with a role or a mark that the page shows, in document order. */
  marked: readonly Element[];
  /** The organic results with their links. */
  results: ReadonlyMap<Element, OrganicResult>;
  /** The links of the ads' titles, with the elements around the ads. */
  ads: ReadonlyMap<Element, Element>;
}

/** The parts of a page that several blocks need. */
export interface PageParts extends GooglePage {
  /** The query of the page, as `toKey` returns it. */
  query: string;
  /** The items of "People also ask" with their questions. */
  questions: ReadonlyMap<Element, Question>;
  /** The elements around questions and ads. */
  asides: ReadonlySet<Element>;
  /** The largest element around each title that contains no other title. */
  blocks: ReadonlyMap<Element, Element>;
}

/** The maximum number of headings that are read on one page. Real pages have less than 300. */
export const MAX_TITLES = 1_000;

const MARKS = ["role", "data-q", "data-attrid", "data-subtree", "data-lpage", "data-exchange-rate"];

/** Returns true for the elements that the readers of blocks look at. */
export const isMarked: Matcher = ({ name, attribs }) =>
  name === "a" || name === "h2" || name === "h3" || MARKS.some((mark) => attribs[mark] !== undefined);

/** Returns true for the heading of a section. */
export const isSectionTitle: Matcher = (element) => element.name === "h2" || isHeadingOf(element, "2");

/** Returns a query without white space and in lower case. Pages often lose the spaces around emphasized words. */
export function toKey(query: string): string {
  return tidy(query, MAX_QUERY_CHARS).replace(/\s+/g, "").toLowerCase();
}

export const isVideo: Matcher = (element) => hasAttribute(element, "data-vid");
export const isPicture = isNamed("img");
export const isNavigation: Matcher = (element) => element.name === "nav" || hasRole("navigation")(element);
