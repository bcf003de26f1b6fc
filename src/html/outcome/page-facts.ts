import type { Element } from "domhandler";
import { collapseSpaces, isLinkLine, type TextLine } from "../main-content/regions";
import { linesOutsideBoilerplate } from "../main-content/site-boilerplate";
import { type HeadElements, readHeadElements } from "../metadata/head";
import { bodyOf } from "../parse/document";
import { elementsUnder } from "../parse/dom";
import type { VisiblePage } from "../visible-page";
import { typesInJsonLd } from "./json-ld-facts";

export interface ResponseFacts {
  url: string;
  status: number;
  rendered: boolean;
}

/** The features of a page that distinguish its outcomes. */
export interface PageFacts {
  response: ResponseFacts;
  html: string;
  head: HeadElements;
  /** The parts of the page's title, without the separators between them. */
  titleParts: readonly string[];
  /** The first headings of the page, in document order. */
  headings: readonly string[];
  /** All visible lines. */
  lines: readonly TextLine[];
  /** The lines outside of the site's boilerplate. */
  content: readonly TextLine[];
  /** The number of characters in lines of prose outside of the boilerplate. */
  proseChars: number;
  /** The number of characters outside of the boilerplate and outside of links. */
  unlinkedChars: number;
  elements: ElementFacts;
  /** The types of the JSON-LD nodes, without the address of the vocabulary. */
  types: ReadonlySet<string>;
}

/** The counts of the visible elements that distinguish outcomes. */
export interface ElementFacts {
  links: number;
  passwords: number;
  /** The fields for text, except passwords and searches. */
  textFields: number;
  otherFields: number;
  /** The labels of buttons. */
  buttons: readonly string[];
  /** The blocks of code. */
  code: number;
  /** The images, videos and other media that can be content. */
  media: number;
  /** The ids and classes of <body>, <main> and their first descendants. */
  names: string;
}

const SEPARATOR = /\s+[|–—·•»«:/>-]+\s+|\s*[|｜–—»«]\s*|:\s+|\s+::\s+/;
const MAX_TITLE_CHARS = 400;
const MAX_HEADINGS = 6;
const MAX_LABEL_CHARS = 60;
const MAX_BUTTONS = 60;
const MAX_NAMES_CHARS = 3_000;
const MEDIA = new Set(["img", "picture", "video", "audio", "object", "embed", "canvas", "iframe"]);
const BUTTON_TYPES = new Set(["submit", "button", "image", "reset"]);
const TEXT_TYPES = new Set(["", "text", "email", "tel", "url", "number"]);
/** An image with a smaller width or height is an icon or a counter. */
const MIN_IMAGE_PX = 32;

/** Reads the features of a page. */
export function readFacts(page: VisiblePage, response: ResponseFacts): PageFacts {
  const head = readHeadElements(page.document);
  const { lines } = page.page;
  const content = linesOutsideBoilerplate(page.page);
  const sum = (of: (line: TextLine) => number) => content.reduce((total, line) => total + of(line), 0);
  return {
    response,
    html: page.html,
    head,
    titleParts: splitTitle(head.title),
    headings: lines
      .filter(({ headingLevel }) => headingLevel > 0)
      .slice(0, MAX_HEADINGS)
      .map(({ text }) => text),
    lines,
    content,
    proseChars: sum((line) => (line.isProse ? line.length : 0)),
    unlinkedChars: sum((line) => (isLinkLine(line) ? 0 : line.length - line.linkLength)),
    elements: readElements(page),
    types: typesInJsonLd(head.jsonLd),
  };
}

/** Returns the whole title and its parts. */
function splitTitle(title: string): string[] {
  const whole = collapseSpaces(title.slice(0, MAX_TITLE_CHARS));
  if (whole === "") return [];
  const parts = whole.split(SEPARATOR).map((part) => part.trim());
  return [...new Set([whole, ...parts])].filter((part) => part !== "");
}

function readElements({ document, hidden }: VisiblePage): ElementFacts {
  const body = bodyOf(document);
  let [links, passwords, textFields, otherFields, code, media, names] = [
    0,
    0,
    0,
    0,
    0,
    0,
    `${body.attribs.id ?? ""} ${body.attribs.class ?? ""}`,
  ];
  const buttons: string[] = [];
  const isVisible = (element: Element) => !hidden.has(element) && element.name !== "noscript";
  for (const element of elementsUnder(body, isVisible)) {
    if (!isVisible(element)) continue;
    const { name, attribs } = element;
    if (names.length < MAX_NAMES_CHARS && (attribs.id || attribs.class))
      names += ` ${attribs.id ?? ""} ${(attribs.class ?? "").slice(0, 200)}`;
    if (name === "a" && attribs.href) links++;
    else if (name === "pre" || name === "code") code++;
    else if (MEDIA.has(name)) media += Number(isContentMedia(element));
    else if (name === "button") addButton(buttons, labelOf(element));
    else if (name === "textarea" || name === "select") otherFields++;
    else if (name === "input") {
      const type = (attribs.type ?? "").toLowerCase();
      if (type === "password") passwords++;
      else if (BUTTON_TYPES.has(type)) addButton(buttons, attribs.value ?? attribs.alt ?? "");
      else if (TEXT_TYPES.has(type)) textFields++;
      else if (type !== "hidden" && type !== "search") otherFields++;
    }
    if (attribs.role === "button") addButton(buttons, labelOf(element));
  }
  return { links, passwords, textFields, otherFields, buttons, code, media, names };
}

function addButton(buttons: string[], label: string): void {
  if (buttons.length < MAX_BUTTONS && label !== "") buttons.push(label);
}

function labelOf(element: Element): string {
  let text = "";
  const stack = element.children.toReversed();
  for (let node = stack.pop(); node && text.length <= MAX_LABEL_CHARS; node = stack.pop()) {
    if ("data" in node && node.type === "text") text += ` ${node.data}`;
    else if ("children" in node) stack.push(...node.children.toReversed());
  }
  const label = collapseSpaces(text);
  return label === "" ? collapseSpaces(element.attribs["aria-label"] ?? "").slice(0, MAX_LABEL_CHARS) : label;
}

/** Returns false for icons, counters and embedded scripts' frames. */
function isContentMedia({ name, attribs }: Element): boolean {
  const isSmall = [attribs.width, attribs.height].some(
    (size) => size !== undefined && Number.parseInt(size, 10) < MIN_IMAGE_PX,
  );
  if (isSmall) return false;
  return name !== "img" || Boolean(attribs.src || attribs["data-src"] || attribs.srcset);
}

const MAX_LINES = 60;
const MAX_LINE_CHARS = 400;

/** Returns the texts of the first lines outside of the boilerplate. Leaves out long lines. */
export function shortContent({ content, lines }: PageFacts): string[] {
  return (content.length > 0 ? content : lines)
    .slice(0, MAX_LINES)
    .map(({ text }) => text)
    .filter((text) => text.length <= MAX_LINE_CHARS);
}
