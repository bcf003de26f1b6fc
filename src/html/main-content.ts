import { Readability } from "@mozilla/readability";
import { clean, dropBoilerplate } from "./clean";
import { isTooCostly } from "./cost";
import type { DomDocument, DomElement } from "./dom";
import { plainTextOf, rename } from "./dom";
import { markHeadline, putFirst, wasTopLevel } from "./headline";
import { parseDocument } from "./parse";
import { baseUrl, resolveUrls } from "./urls";

/** Readability's own limit: below it, it has given up its rules one by one. */
const SURE_ARTICLE_CHARS = 500;
/** A page this small is better taken as a whole: Readability drops its lists and tables. */
const SMALL_PAGE_CHARS = 1_000;
/** Measured: an article this small against the rest is the wrong block. */
const MIN_ARTICLE_SHARE = 0.1;

/** A part of the page that may be its main content. */
interface Part {
  /** In characters of text. */
  length: number;
  open(): DomElement;
}

/** The HTML of the main content, its headline first, with absolute addresses; empty when the page has no text. */
export function mainContent(html: string, pageUrl: string): string {
  const document = load(html, pageUrl, { controls: true });
  const headline = markHeadline(document);
  dropBoilerplate(document);
  const page = keep(document.body);
  if (page.length === 0) return withoutChoice(html, pageUrl);
  const landmark = soleLandmark(document);
  const kept = landmark && keep(landmark);
  // Readability takes the document apart: from here on, only what was kept is whole.
  return putFirst(headline, choose(page, kept, readArticle(document)).open());
}

/** For pages that are nothing but header, navigation and the like. */
function withoutChoice(html: string, pageUrl: string): string {
  const document = load(html, pageUrl, { controls: true });
  return putFirst(markHeadline(document), document.body);
}

function choose(page: Part, landmark: Part | null, article: Part | null): Part {
  const enough = MIN_ARTICLE_SHARE * page.length;
  const plausible = article && article.length > 0 && article.length >= enough ? article : null;
  if (plausible && plausible.length >= SURE_ARTICLE_CHARS) return plausible;
  const isSmall = landmark && landmark.length <= SMALL_PAGE_CHARS;
  if (landmark && isSmall && landmark.length >= Math.max(enough, plausible?.length ?? 1)) return landmark;
  return plausible ?? page;
}

/** The HTML of all that a reader sees of the page, with absolute addresses. */
export function wholePage(html: string, pageUrl: string): string {
  return load(html, pageUrl, { controls: false }).body.innerHTML;
}

function load(html: string, pageUrl: string, options: { controls: boolean }): DomDocument {
  const document = parseDocument(html);
  const base = baseUrl(document, pageUrl);
  clean(document, options);
  resolveUrls(document, base);
  return document;
}

function soleLandmark(document: DomDocument): DomElement | null {
  for (const selector of ["main, [role=main]", "article"]) {
    const [first, ...more] = Array.from(document.querySelectorAll(selector));
    if (first && more.length === 0) return first;
  }
  return null;
}

function readArticle(document: DomDocument): Part | null {
  if (isTooCostly(document.body)) return null;
  const reader = new Readability<DomElement>(document, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: (node: unknown) => node as DomElement,
  });
  const article = reader.parse()?.content;
  if (!article) return null;
  for (const heading of Array.from(article.querySelectorAll("h2"))) if (wasTopLevel(heading)) rename(heading, "h1");
  return { length: plainTextOf(article).length, open: () => article };
}

/** Nothing of it changes when the document does. */
function keep(element: DomElement): Part {
  const html = element.innerHTML;
  return { length: plainTextOf(element).length, open: () => fragment(html) };
}

function fragment(html: string): DomElement {
  return parseDocument(`<!doctype html><html><head></head><body>${html}</body></html>`).body;
}
