import { collapseSpaces, isLinkLine, type TextLine } from "../main-content/regions";
import { linesOutsideBoilerplate } from "../main-content/site-boilerplate";
import { type PageHead, readHead } from "../metadata/head";
import { typesOf } from "../metadata/json-ld";
import type { VisiblePage } from "../visible-page";
import { type ElementFacts, readElements } from "./element-facts";
import { PHRASES } from "./phrases";

export interface ResponseFacts {
  url: string;
  status: number;
  rendered: boolean;
}

const SEPARATOR = /\s+[|–—·•»«:/>-]+\s+|\s*[|｜–—»«]\s*|:\s+/;
const MAX_TITLE_CHARS = 400;
const MAX_HEADINGS = 6;
const MAX_LINES = 60;
const MAX_LINE_CHARS = 400;

/**
 * The features of a page that distinguish its outcomes. Those that only some checks need are computed on the first
 * access.
 */
export class OutcomeFacts {
  readonly page: VisiblePage;
  readonly response: ResponseFacts;
  /** All visible lines. */
  readonly lines: readonly TextLine[];
  /** The lines outside of the site's boilerplate. */
  readonly content: readonly TextLine[];
  /** The number of characters in lines of prose outside of the boilerplate. */
  readonly proseChars: number;
  /** The number of characters outside of the boilerplate and outside of links. */
  readonly unlinkedChars: number;
  /** The first headings of the page, in document order. */
  readonly headings: readonly string[];
  /** The texts of the first lines outside of the boilerplate. Leaves out long lines. */
  readonly notes: readonly string[];
  #titleParts: readonly string[] | null = null;
  #elements: ElementFacts | null = null;

  constructor(page: VisiblePage, response: ResponseFacts) {
    this.page = page;
    this.response = response;
    const { lines } = page.page;
    const content = linesOutsideBoilerplate(page.page);
    const sum = (of: (line: TextLine) => number) => content.reduce((total, line) => total + of(line), 0);
    this.lines = lines;
    this.content = content;
    this.proseChars = sum((line) => (line.isProse ? line.length : 0));
    this.unlinkedChars = sum((line) => (isLinkLine(line) ? 0 : line.length - line.linkLength));
    const headings = lines.filter(({ headingLevel }) => headingLevel > 0);
    this.headings = headings.slice(0, MAX_HEADINGS).map(({ text }) => text);
    this.notes = (content.length > 0 ? content : lines)
      .slice(0, MAX_LINES)
      .map(({ text }) => text)
      .filter((text) => text.length <= MAX_LINE_CHARS);
  }

  /** The elements in the page's head. */
  get head(): PageHead {
    return readHead(this.page.document);
  }

  /** The page's title and its parts, without the separators between them. */
  get titleParts(): readonly string[] {
    this.#titleParts ??= splitTitle(this.head.title);
    return this.#titleParts;
  }

  get elements(): ElementFacts {
    this.#elements ??= readElements(this.page);
    return this.#elements;
  }

  /** True if the page's metadata says that it is an article or a post. */
  get isArticle(): boolean {
    return (
      this.head.meta.has("article:published_time") ||
      this.head.nodes.some((node) => typesOf(node).some((type) => /Article$|Posting$/.test(type)))
    );
  }
}

/** Returns the whole title and its parts. */
function splitTitle(title: string): string[] {
  const whole = collapseSpaces(title.slice(0, MAX_TITLE_CHARS));
  const parts = whole.split(SEPARATOR).map((part) => part.trim());
  return [...new Set([whole, ...parts])].filter((part) => part !== "");
}

/** Returns true if one of the page's lines outside of the boilerplate has an amount of money. */
export function hasPrice({ content }: OutcomeFacts): boolean {
  return content.some(({ text }) => PHRASES.ordinarySigns.price.test(text));
}

/** Returns true if the page offers a product. */
export function isOffered({ elements }: OutcomeFacts): boolean {
  return elements.buttons.some((label) => PHRASES.ordinarySigns.cart.test(label));
}
