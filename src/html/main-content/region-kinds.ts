import { Element } from "domhandler";
import { MEDIA } from "../parse/dom";
import type { Region } from "./regions";
import { BOILERPLATE_NAMES, CAPTION_NAMES, DISCUSSION_NAMES, EMBED_NAMES } from "./vocabulary";

/**
 * Returns true if a region's names mark it as boilerplate, such as promotion, share buttons, related stories, authors
 * or captions.
 */
export function isNamedBoilerplate({ names }: Region): boolean {
  if (!names.some((name) => BOILERPLATE_NAMES.test(name))) return false;
  // An embedded post of a social network is content, unless the region is its caption.
  return !names.some((name) => EMBED_NAMES.test(name)) || names.some((name) => CAPTION_NAMES.test(name));
}

/** Returns true if a region's names mark it as the caption of an image. */
export function isCaption({ names }: Region): boolean {
  return names.some((name) => CAPTION_NAMES.test(name));
}

/**
 * Returns true if a region's names mark it as a discussion, such as comments below an article or the posts of a forum.
 */
export function isDiscussion({ names }: Region): boolean {
  return names.some((name) => DISCUSSION_NAMES.test(name));
}

const CONTENT_MARKS: ReadonlySet<string> = new Set(["article", "main", "h1"]);

/** Returns true if the element contains an <article>, a <main> or an <h1>. */
export function holdsContent(element: Element): boolean {
  for (const child of element.children)
    if (child instanceof Element && (CONTENT_MARKS.has(child.name) || holdsContent(child))) return true;
  return false;
}

const LAZY_SOURCE = /^(?:data-)?(?:[a-z]+-)?src(?:set)?$/;
/** A figure with one of these elements isn't only an image. The element's text is content, or it describes media. */
const NO_PICTURES = new Set(["table", "pre", "code", "blockquote", "ul", "ol", ...MEDIA]);
/** The maximum number of words in a figure that is only an image with a caption. */
const MAX_FIGURE_WORDS = 80;

/** Returns true if all text of a region describes an image. Such regions are captions, and figures with few words. */
export function isPictureText(region: Region, wordsOf: (region: Region) => number): boolean {
  if (region.element.name === "figure") return wordsOf(region) < MAX_FIGURE_WORDS && !showsNoPicture(region.element);
  if (region.element.name !== "figcaption") return false;
  const figure = figureOf(region);
  return figure === null || !showsNoPicture(figure.element);
}

/** Returns true for a caption that becomes the title of its image in the output. */
export function isPictureTitle(region: Region): boolean {
  let figure: Region | null = null;
  let isCaption = false;
  for (let at: Region | null = region; at; at = at.parent) {
    const { name } = at.element;
    if (name === "li") return false;
    if (!figure && name === "figcaption") isCaption = true;
    if (name === "figure") figure ??= at;
  }
  return isCaption && figure !== null && !showsNoPicture(figure.element) && showsPicture(figure.element);
}

function figureOf(region: Region): Region | null {
  let at: Region | null = region;
  while (at && at.element.name !== "figure") at = at.parent;
  return at;
}

/** The answers for figures that were read already. A figure can have thousands of captions. */
const WITHOUT_PICTURE = new WeakMap<Element, boolean>();
const WITH_PICTURE = new WeakMap<Element, boolean>();

function showsNoPicture(figure: Element): boolean {
  const known = WITHOUT_PICTURE.get(figure);
  if (known !== undefined) return known;
  const is = elementsIn(figure).some((child) => NO_PICTURES.has(child.name) || showsNoPicture(child));
  WITHOUT_PICTURE.set(figure, is);
  return is;
}

function showsPicture(figure: Element): boolean {
  const known = WITH_PICTURE.get(figure);
  if (known !== undefined) return known;
  const is = elementsIn(figure).some((child) => (child.name === "img" ? hasSource(child) : showsPicture(child)));
  WITH_PICTURE.set(figure, is);
  return is;
}

function elementsIn(element: Element): Element[] {
  return element.children.filter((child) => child instanceof Element);
}

function hasSource({ attribs }: Element): boolean {
  return Object.entries(attribs).some(
    ([name, value]) => LAZY_SOURCE.test(name) && value !== "" && !value.startsWith("data:"),
  );
}

/** Provides the length of a region's text, in characters. */
interface Lengths {
  length(region: Region): number;
}

/** The minimum number of rows in a data table. */
const MIN_ROWS = 2;
/** A table is a layout table if a cell contains regions and has more text than this. */
const MAX_CELL_CHARS = 1_500;

/**
 * Returns true for a data table, false for a layout table. A data table is kept or dropped as a whole. Without one of
 * its cells, the next values would be in the wrong columns.
 */
export function isDataTable({ element, children }: Region, lengths: Lengths): boolean {
  if (element.name !== "table" || /^(?:presentation|none)$/.test(element.attribs.role ?? "")) return false;
  const rows = children.flatMap((part) => (/^(?:thead|tbody|tfoot)$/.test(part.element.name) ? part.children : [part]));
  return (
    rows.filter((row) => row.children.length > 1).length >= MIN_ROWS &&
    !rows.some((row) => row.children.some((cell) => holdsPagePart(cell, lengths)))
  );
}

function holdsPagePart(cell: Region, lengths: Lengths): boolean {
  return (cell.children.length > 0 && lengths.length(cell) > MAX_CELL_CHARS) || holdsTable(cell);
}

function holdsTable({ children }: Region): boolean {
  return children.some((child) => child.element.name === "table" || holdsTable(child));
}
