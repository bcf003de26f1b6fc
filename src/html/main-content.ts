import { Readability } from "@mozilla/readability";
import { clean, dropBoilerplate } from "./clean";
import { isTooCostly } from "./cost";
import type { DomDocument, DomElement } from "./dom";
import { plainTextOf, rename } from "./dom";
import { markHeadline, putFirst, wasTopLevel } from "./headline";
import { parseDocument } from "./parse";
import { baseUrl, resolveUrls } from "./urls";

/** Readability's own limit: below it, it has given up its rules one by one, and a page's landmark knows better. */
const SURE_ARTICLE_CHARS = 500;
/** Measured: an article this small against the rest is the wrong block. */
const MIN_ARTICLE_SHARE = 0.1;

/** The HTML of the main content, its headline first, with absolute addresses; empty when the page has no text. */
export function mainContent(html: string, pageUrl: string): string {
  const document = load(html, pageUrl, { controls: true });
  const headline = markHeadline(document);
  dropBoilerplate(document);
  const rest = document.body;
  const length = plainTextOf(rest).length;
  if (length === 0) return putFirst(headline, rest);

  const landmark = soleLandmark(document);
  // Readability takes the document apart: what may be needed afterwards is kept as text.
  const [restHtml, landmarkHtml] = [rest.innerHTML, landmark?.innerHTML];
  const landmarkLength = landmark ? plainTextOf(landmark).length : 0;

  const article = readArticle(document);
  const articleLength = article ? plainTextOf(article).length : 0;
  if (article && articleLength >= SURE_ARTICLE_CHARS && articleLength >= MIN_ARTICLE_SHARE * length)
    return putFirst(headline, article);
  if (landmarkHtml !== undefined && landmarkLength >= articleLength && landmarkLength >= MIN_ARTICLE_SHARE * length)
    return putFirst(headline, fragment(landmarkHtml));
  if (article && articleLength >= MIN_ARTICLE_SHARE * length) return putFirst(headline, article);
  return putFirst(headline, fragment(restHtml));
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

function readArticle(document: DomDocument): DomElement | null {
  if (isTooCostly(document.body)) return null;
  const reader = new Readability<DomElement>(document, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: (node: unknown) => node as DomElement,
  });
  const article = reader.parse()?.content ?? null;
  if (article)
    for (const heading of Array.from(article.querySelectorAll("h2"))) if (wasTopLevel(heading)) rename(heading, "h1");
  return article;
}

function fragment(html: string): DomElement {
  return parseDocument(`<!doctype html><html><head></head><body>${html}</body></html>`).body;
}
