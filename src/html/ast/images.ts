import type { Element } from "domhandler";
import { attribute, elementsUnder, findElement, rawText } from "../parse/dom";
import { attributeText, collapseAndTrim } from "../parse/white-space";
import type { Mark } from "./blocks";
import type { AstBuilder } from "./builder";
import { imageUrl } from "./image-url";

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
