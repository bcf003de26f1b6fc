import type { Element } from "domhandler";
import { lazy } from "../../lib/lazy";
import { charsIn, collapseSpaces, isLinkLine, type TextLine, unlinkedCharsIn } from "../main-content/regions";
import { partsOfTitle } from "../page/headline";
import { type PageModel, readPageModel } from "../page/page-model";
import { bodyOf } from "../parse/document";
import { elementsAround, elementsUnder, separatedText } from "../parse/dom";
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

/** The minimum length of the text of a page under a dialog. */
const MIN_TEXTS_CHARS = 60;
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

/** The counts that the checks limit. Those that are known without a walk through the page are first. */
const COUNTS = {
  unlinkedChars: ({ unlinkedChars }) => unlinkedChars,
  proseChars: ({ proseChars }) => proseChars,
  lines: ({ lines }) => lines.length,
  /** 1 for a page that declares that it is an article. */
  articles: ({ head }) => Number(head.isArticle),
  prices: ({ content }) => content.filter((line) => line.hasPrice).length,
  links: ({ elements }) => elements.links,
  passwords: ({ elements }) => elements.passwords,
  textFields: ({ elements }) => elements.textFields,
  code: ({ elements }) => elements.code,
  /** The buttons that put a product into a cart. */
  offers: ({ elements }) => elements.buttons.filter((label) => PHRASES.ordinarySigns.cart.test(label)).length,
} satisfies Record<string, (facts: OutcomeFacts) => number>;

type Limits = { readonly [Count in keyof typeof COUNTS]?: number };

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
    const { lines } = page.page();
    const content = page.outside();
    this.lines = lines;
    this.content = content;
    this.proseChars = charsIn(content.filter(({ isProse }) => isProse));
    this.unlinkedChars = unlinkedCharsIn(content);
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

  get elements(): ReturnType<typeof readElements> {
    return this.#elements();
  }

  /** The parts of the title, and the headings. */
  get names(): string[] {
    return [...this.titleParts, ...this.headings];
  }

  /** The labels of buttons and of the first links. */
  get labels(): string[] {
    return [...this.elements.buttons, ...this.elements.linkLabels];
  }

  /** Returns true if the page has more of something than its limit. Checks the limits in their order. */
  exceeds(limits: Limits): boolean {
    const names = Object.keys(limits) as (keyof Limits)[];
    return names.some((name) => COUNTS[name](this) > (limits[name] ?? 0));
  }

  /** Returns true if such lines are only in the site's boilerplate, for example in a dialog. */
  isOutside(test: (line: TextLine) => boolean): boolean {
    return this.lines.some(test) && !this.content.some(test);
  }

  /** True if the page has text besides links and headings, over which a dialog can lie. */
  get hasTexts(): boolean {
    return charsIn(textsIn(this.content)) >= MIN_TEXTS_CHARS;
  }
}

/** Returns the lines outside of links and headings. */
export function textsIn(lines: readonly TextLine[]): TextLine[] {
  return lines.filter((line) => !isLinkLine(line) && line.headingLevel === 0);
}

/** Returns the whole title and its parts. */
function splitTitle(title: string): string[] {
  const whole = collapseSpaces(title.slice(0, MAX_TITLE_CHARS));
  const parts = partsOfTitle(whole).map(({ text }) => text.trim());
  return [...new Set([whole, ...parts])].filter((part) => part !== "");
}

/** Reads the visible elements of a page that distinguish outcomes. */
function readElements({ document, hidden }: VisiblePage) {
  const body = bodyOf(document);
  const found = {
    links: 0,
    passwords: 0,
    /** The fields for text, except passwords and searches. */
    textFields: 0,
    /** The labels of buttons. */
    buttons: [] as string[],
    /** The labels of the first links. */
    linkLabels: [] as string[],
    /** The <time> elements with a date. */
    dates: 0,
    /** The header cells of tables. */
    tableHeaders: 0,
    /** The blocks of code. */
    code: 0,
    /** The images, videos and other media that can be content. */
    media: 0,
    /** The first ids and classes of the page, separated by spaces. */
    names: namesOf(body),
  };
  let mediaSeen = 0;
  const isVisible = (element: Element) => !hidden.has(element) && element.name !== "noscript";
  for (const element of elementsUnder(body, isVisible)) {
    if (!isVisible(element)) continue;
    const { name, attribs } = element;
    if (found.names.length < MAX_NAMES_CHARS) found.names += namesOf(element);
    if (name === "a" && attribs.href) {
      found.links++;
      addLabel(found.linkLabels, () => labelOf(element));
    } else if (name === "time") found.dates += Number(Boolean(attribs.datetime));
    else if (name === "th") found.tableHeaders++;
    else if (name === "pre" || name === "code") found.code++;
    else if (MEDIA.has(name)) {
      if (mediaSeen++ < MAX_MEDIA) found.media += Number(isContentMedia(element));
    } else if (name === "input") {
      const type = (attribs.type ?? "").toLowerCase();
      if (type === "password") found.passwords++;
      else if (BUTTON_TYPES.has(type)) addLabel(found.buttons, () => attribs.value ?? attribs.alt ?? "");
      else if (TEXT_TYPES.has(type)) found.textFields++;
    }
    if (name === "button" || attribs.role === "button") addLabel(found.buttons, () => labelOf(element));
  }
  return found;
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
  return !elementsAround(element.parent).some((at) => SITE_PARTS.has(at.name));
}
