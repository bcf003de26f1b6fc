import type { Element } from "domhandler";
import { attribute, elementsUnder, findElement, hasAttribute, isElement, rawText } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import { attributeText, collapseAndTrim } from "../parse/white-space";
import type { Mark } from "./blocks";
import type { AstBuilder } from "./builder";

const LAZY_SOURCES = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-url", "data-hi-res-src"];
const SOURCE_SETS = ["srcset", "data-srcset", "data-lazy-srcset"];
/** The file names of placeholder images and tracking pixels. */
const PLACEHOLDER =
  /(?:^|[/_.-])(?:blank|spacer|pixel|placeholder|transparent|clear|dot|1x1|lazy[-_]?load(?:ing)?|grey|gray)\.(?:gif|png|svg|jpe?g)(?:$|[?#])/i;
const ONE_PIXEL = /^\s*[01](?:px)?\s*$/;
const TINY_STYLE = /(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|$|!)/i;

/** Adds an image with its alternative text and title. */
export function handleImage(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const url = imageUrl(element, builder.base);
  if (!url || !builder.addresses.spend(url.length)) return;
  const alternative = attributeText(attribute(element, "alt"));
  const title = builder.caption ?? attributeText(attribute(element, "title"));
  builder.caption = null;
  const isNew = title !== "" && title !== alternative;
  builder.addInline({ type: "image", value: alternative, marks, url, ...(isNew && { title }) });
}

/**
 * Adds the image inside a <noscript>. In a browser, a script loads the same image. Other contents of <noscript> are
 * left out, because they are messages for readers without scripts.
 */
export function handleNoscript(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const image = findElement(element, ({ name }) => name === "img");
  const url = image && imageUrl(image, builder.base);
  if (image && url && builder.lastImage?.url !== url) handleImage(builder, image, marks);
}

/**
 * Returns the URL of the image that a reader sees. Returns null if there is none, or if the image is a tracking pixel.
 */
function imageUrl(image: Element, base: string): string | null {
  if (isBeacon(image)) return null;
  const source = attribute(image, "src");
  const lazy = LAZY_SOURCES.map((name) => attribute(image, name));
  const sets = SOURCE_SETS.map((name) => largestOf(attribute(image, name)));
  const candidates = [...(isPlaceholder(source) ? [] : [source]), ...lazy, ...sets, ...pictureSources(image)];
  for (const address of hasAttribute(image, "data-src") ? [...lazy, ...candidates] : candidates) {
    // Some pages store JSON instead of a URL in these attributes.
    const url = address.trim() && !address.includes("{") ? absoluteUrl(address, base) : null;
    if (url) return url;
  }
  return null;
}

function isBeacon(image: Element): boolean {
  const sizes = [attribute(image, "width"), attribute(image, "height")].filter((size) => size !== "");
  return sizes.length > 0 ? sizes.every((size) => ONE_PIXEL.test(size)) : TINY_STYLE.test(attribute(image, "style"));
}

function isPlaceholder(source: string): boolean {
  return source.startsWith("data:") || PLACEHOLDER.test(source);
}

function pictureSources(image: Element): string[] {
  const picture = image.parent;
  if (!picture || !isElement(picture) || picture.name !== "picture") return [];
  return picture.children
    .filter(isElement)
    .filter(({ name }) => name === "source")
    .map((source) => largestOf(attribute(source, "srcset") || attribute(source, "data-srcset")));
}

/** Returns the URL with the greatest width or density from a `srcset` attribute. */
function largestOf(set: string): string {
  let largest = "";
  let most = -1;
  let url = "";
  for (const token of set.trim().split(/\s+/)) {
    const [size = "", next = ""] = url ? token.split(",") : [];
    if (!url && !token.endsWith(",")) {
      url = token;
      continue;
    }
    const candidate = url || token.replace(/,+$/, "");
    if (candidate && (Number.parseFloat(size) || 0) > most) [largest, most] = [candidate, Number.parseFloat(size) || 0];
    url = next;
  }
  return most < 0 ? url : largest;
}

/** A figure with one of these elements isn't only an image. Its caption then stays a paragraph. */
const NO_PICTURES = new Set(["table", "pre", "blockquote", "ul", "ol", "figure"]);

/**
 * Adds a figure. Its caption becomes the title of the image, because a paragraph would interrupt the text. In a list
 * item, such as an item of a gallery, the caption is the item's text, so it stays a paragraph.
 */
export function handleFigure(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const caption = builder.isInItem || builder.captions === "paragraphs" ? null : pictureCaption(element, builder.base);
  builder.endBlock();
  if (caption) {
    const outer = builder.caption;
    builder.caption = collapseAndTrim(rawText(caption)) || null;
    builder.skip(caption, () => builder.addChildren(element, marks));
    builder.caption = outer;
  } else builder.addChildren(element, marks);
  builder.endBlock();
}

function pictureCaption(figure: Element, base: string): Element | null {
  let caption: Element | null = null;
  let hasPicture = false;
  for (const element of elementsUnder(figure, ({ name }) => name !== "figcaption" && name !== "figure")) {
    if (NO_PICTURES.has(element.name)) return null;
    if (element.name === "figcaption") caption ??= element;
    hasPicture ||= element.name === "img" && imageUrl(element, base) !== null;
  }
  return hasPicture ? caption : null;
}
