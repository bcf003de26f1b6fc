import { Element } from "domhandler";
import { findElement, MEDIA } from "../parse/dom";
import { isSectionName } from "../parse/element-categories";
import type { Region } from "./regions";
import { BOILERPLATE_NAMES, CAPTION_NAMES, EMBED_NAMES } from "./vocabulary";

/**
 * Returns true if a region's names mark it as boilerplate, such as promotion, share buttons, related stories, authors
 * or captions.
 */
export function isNamedBoilerplate(region: Region): boolean {
  // An embedded post of a social network is content, unless the region is its caption.
  return region.isNamed(BOILERPLATE_NAMES) && (!region.isNamed(EMBED_NAMES) || region.isNamed(CAPTION_NAMES));
}

const CONTENT_MARKS: ReadonlySet<string> = new Set(["article", "main", "h1"]);

const LAZY_SOURCE = /^(?:data-)?(?:[a-z]+-)?src(?:set)?$/;
/** A figure with one of these elements isn't only an image. The element's text is content, or it describes media. */
const NO_PICTURES = new Set(["table", "pre", "code", "blockquote", "ul", "ol", ...MEDIA]);
/** The maximum number of words in a figure that is only an image with a caption. */
const MAX_FIGURE_WORDS = 80;

/**
 * Returns a test that is true for elements that contain an element for which `test` is true. It remembers its results,
 * because a figure can have thousands of captions.
 */
function holds(test: (element: Element) => boolean): (element: Element) => boolean {
  const known = new WeakMap<Element, boolean>();
  return function isAround(element) {
    let is = known.get(element);
    if (is === undefined) {
      is = element.children.some((child) => child instanceof Element && (test(child) || isAround(child)));
      known.set(element, is);
    }
    return is;
  };
}

/** Returns true if the element contains an <article>, a <main> or an <h1>. */
export function holdsContent(element: Element): boolean {
  return findElement(element, ({ name }) => CONTENT_MARKS.has(name)) !== undefined;
}

const showsNoPicture = holds(({ name }) => NO_PICTURES.has(name));
const showsPicture = holds((element) => element.name === "img" && hasSource(element));

/** Returns true if all text of a region describes an image. Such regions are captions, and figures with few words. */
export function isPictureText(region: Region, totals: Totals): boolean {
  const { element } = region;
  if (element.name === "figure") return totals.words(region) < MAX_FIGURE_WORDS && !showsNoPicture(element);
  if (element.name !== "figcaption") return false;
  const figure = region.withAncestors().find((around) => around.element.name === "figure");
  return figure === undefined || !showsNoPicture(figure.element);
}

/** Returns true for a caption that becomes the title of its image in the output. */
export function isPictureTitle(region: Region): boolean {
  const around = region.withAncestors().map(({ element }) => element);
  const names = around.map(({ name }) => name);
  const at = names.indexOf("figure");
  const figure = around[at];
  if (!figure || names.includes("li") || !names.slice(0, at).includes("figcaption")) return false;
  return !showsNoPicture(figure) && showsPicture(figure);
}

function hasSource({ attribs }: Element): boolean {
  return Object.entries(attribs).some(
    ([name, value]) => LAZY_SOURCE.test(name) && value !== "" && !value.startsWith("data:"),
  );
}

/** The lengths of a region's text. See `Selection`. */
interface Totals {
  length(region: Region): number;
  words(region: Region): number;
}

/** The minimum number of rows in a data table. */
const MIN_ROWS = 2;
/** A table is a layout table if a cell contains regions and has more text than this. */
const MAX_CELL_CHARS = 1_500;

/**
 * Returns true for a data table, false for a layout table. A data table is kept or dropped as a whole. Without one of
 * its cells, the next values would be in the wrong columns.
 */
export function isDataTable({ element, children }: Region, totals: Totals): boolean {
  if (element.name !== "table" || /^(?:presentation|none)$/.test(element.attribs.role ?? "")) return false;
  const rows = children.flatMap((part) => (isSectionName(part.element.name) ? part.children : [part]));
  return (
    rows.filter((row) => row.children.length > 1).length >= MIN_ROWS &&
    !rows.some((row) => row.children.some((cell) => holdsPagePart(cell, totals)))
  );
}

function holdsPagePart(cell: Region, totals: Totals): boolean {
  return (cell.children.length > 0 && totals.length(cell) > MAX_CELL_CHARS) || holdsTable(cell);
}

function holdsTable({ children }: Region): boolean {
  return children.some((child) => child.element.name === "table" || holdsTable(child));
}
