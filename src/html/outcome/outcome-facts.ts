import type { Element } from "domhandler";
import { lazy } from "../../lib/lazy";
import { collapseSpaces, isLinkLine, type TextLine } from "../main-content/regions";
import { partsOfTitle } from "../page/headline";
import { type PageModel, readPageModel } from "../page/page-model";
import { bodyOf } from "../parse/document";
import { elementsUnder, separatedText } from "../parse/dom";
import type { VisiblePage } from "../visible-page";
import { PHRASES } from "./phrases";

export interface ResponseFacts {
  url: string;
  status: number;
  rendered: boolean;
}

const MAX_TITLE_CHARS = 400;
const MAX_HEADINGS = 6;
const MAX_LINES = 60;
const MAX_LINE_CHARS = 400;

/** The counts of the visible elements that distinguish outcomes. */
interface ElementFacts {
  links: number;
  passwords: number;
  /** The fields for text, except passwords and searches. */
  textFields: number;
  /** The labels of buttons. */
  buttons: readonly string[];
  /** The labels of the first links. */
  linkLabels: readonly string[];
  /** The <time> elements with a date. */
  dates: number;
  /** The header cells of tables. */
  tableHeaders: number;
  /** The blocks of code. */
  code: number;
  /** The images, videos and other media that can be content. */
  media: number;
  /** The first ids and classes of the page, separated by spaces. */
  names: string;
}

const MAX_LABEL_CHARS = 60;
const MAX_LABELS = 60;
/** The number of images and other media that are checked. */
const MAX_MEDIA = 50;
const MAX_NAMES_CHARS = 3_000;
const MAX_CLASS_CHARS = 200;
const MEDIA = new Set(["img", "picture", "video", "audio", "object", "embed"]);
const BUTTON_TYPES = new Set(["submit", "button", "image"]);
const TEXT_TYPES = new Set(["", "text", "email", "tel", "url", "number"]);
/** An image with a smaller width or height is an icon or a counter. */
const MIN_IMAGE_PX = 32;
const LOGO = /logo|icon|sprite|spinner|loader|loading|placeholder|pixel|spacer|blank\./i;
const SITE_PARTS = new Set(["header", "footer", "nav", "noscript"]);

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
  /** The first headings of the page, in document order. Leaves out long ones. */
  readonly headings: readonly string[];
  /** The texts of the first lines outside of the boilerplate. Leaves out long lines. */
  readonly notes: readonly string[];
  readonly #titleParts = lazy(() => splitTitle(this.head.title));
  readonly #elements = lazy(() => readElements(this.page));

  constructor(page: VisiblePage, response: ResponseFacts) {
    this.page = page;
    this.response = response;
    const { lines } = page.page;
    const content = page.outside;
    const sum = (of: (line: TextLine) => number) => content.reduce((total, line) => total + of(line), 0);
    this.lines = lines;
    this.content = content;
    this.proseChars = sum((line) => (line.isProse ? line.length : 0));
    this.unlinkedChars = sum((line) => (isLinkLine(line) ? 0 : line.length - line.linkLength));
    const headings = lines.filter(({ headingLevel, text }) => headingLevel > 0 && text.length <= MAX_LINE_CHARS);
    this.headings = headings.slice(0, MAX_HEADINGS).map(({ text }) => text);
    this.notes = (content.length > 0 ? content : lines)
      .slice(0, MAX_LINES)
      .map(({ text }) => text)
      .filter((text) => text.length <= MAX_LINE_CHARS);
  }

  /** The elements in the page's head. */
  get head(): PageModel {
    return readPageModel(this.page.document);
  }

  /** The page's title and its parts, without the separators between them. */
  get titleParts(): readonly string[] {
    return this.#titleParts();
  }

  get isArticle(): boolean {
    return this.head.isArticle;
  }

  get elements(): ElementFacts {
    return this.#elements();
  }
}

/** Returns the whole title and its parts. */
function splitTitle(title: string): string[] {
  const whole = collapseSpaces(title.slice(0, MAX_TITLE_CHARS));
  const parts = partsOfTitle(whole).map(({ text }) => text.trim());
  return [...new Set([whole, ...parts])].filter((part) => part !== "");
}

/** Returns true if the page offers a product. */
export function isOffered({ elements }: OutcomeFacts): boolean {
  return elements.buttons.some((label) => PHRASES.ordinarySigns.cart.test(label));
}

/** Counts the visible elements of a page. */
function readElements({ document, hidden }: VisiblePage): ElementFacts {
  const body = bodyOf(document);
  let [links, passwords, textFields, dates, tableHeaders, code, media, names] = [0, 0, 0, 0, 0, 0, 0, namesOf(body)];
  const buttons: string[] = [];
  const linkLabels: string[] = [];
  let mediaSeen = 0;
  const isVisible = (element: Element) => !hidden.has(element) && element.name !== "noscript";
  for (const element of elementsUnder(body, isVisible)) {
    if (!isVisible(element)) continue;
    const { name, attribs } = element;
    if (names.length < MAX_NAMES_CHARS) names += namesOf(element);
    if (name === "a" && attribs.href) {
      links++;
      addLabel(linkLabels, () => labelOf(element));
    } else if (name === "time") dates += Number(Boolean(attribs.datetime));
    else if (name === "th") tableHeaders++;
    else if (name === "pre" || name === "code") code++;
    else if (MEDIA.has(name)) {
      if (mediaSeen++ < MAX_MEDIA) media += Number(isContentMedia(element));
    } else if (name === "input") {
      const type = (attribs.type ?? "").toLowerCase();
      if (type === "password") passwords++;
      else if (BUTTON_TYPES.has(type)) addLabel(buttons, () => attribs.value ?? attribs.alt ?? "");
      else if (TEXT_TYPES.has(type)) textFields++;
    }
    if (name === "button" || attribs.role === "button") addLabel(buttons, () => labelOf(element));
  }
  return { links, passwords, textFields, buttons, linkLabels, dates, tableHeaders, code, media, names };
}

function namesOf({ attribs: { id = "", class: classes = "" } }: Element): string {
  return id === "" && classes === "" ? "" : ` ${id.slice(0, MAX_CLASS_CHARS)} ${classes.slice(0, MAX_CLASS_CHARS)}`;
}

function addLabel(labels: string[], toLabel: () => string): void {
  if (labels.length < MAX_LABELS) labels.push(toLabel());
}

/** Returns the beginning of an element's text, or its `aria-label`. */
function labelOf(element: Element): string {
  const text = separatedText(element, { maxChars: 2 * MAX_LABEL_CHARS });
  return collapseSpaces(text.trim() === "" ? (element.attribs["aria-label"] ?? "") : text).slice(
    0,
    2 * MAX_LABEL_CHARS,
  );
}

/** Returns false for icons, logos, counters and placeholders. */
function isContentMedia(element: Element): boolean {
  const { name, attribs } = element;
  const sizes = [attribs.width, attribs.height].filter((size) => size !== undefined);
  if (sizes.some((size) => Number.parseInt(size, 10) < MIN_IMAGE_PX)) return false;
  if (name === "img" && !(attribs.src || attribs["data-src"] || attribs.srcset)) return false;
  const description = [attribs.src, attribs.alt, attribs.class, attribs.id].map((value) =>
    value?.slice(-MAX_CLASS_CHARS),
  );
  if (LOGO.test(description.join(" "))) return false;
  for (let at = element.parent; at; at = at.parent) if ("name" in at && SITE_PARTS.has(at.name)) return false;
  return true;
}
