import type { Element } from "domhandler";
import { elementsUnder, rawText } from "../parse/dom";
import type { Mark } from "./blocks";
import { imageUrl } from "./images";
import { collapseAndTrim } from "./line";
import type { Reader } from "./reader";

/** What a caption may describe that isn't a picture: there it stays prose. */
const SHOWN_OTHERWISE = new Set(["table", "pre", "blockquote", "ul", "ol", "figure"]);

/**
 * A picture takes its caption along as its title: as prose it would stand among the sentences of the text. In lists, as of
 * pictures to choose from, it is what the item says.
 */
export function visitFigure(reader: Reader, element: Element, marks: Mark | null): void {
  const caption = reader.isInItem || reader.captions === "paragraphs" ? null : pictureCaption(element, reader.base);
  reader.boundary();
  if (caption) {
    const outer = reader.caption;
    reader.caption = collapseAndTrim(rawText(caption)) || null;
    reader.skip(caption, () => reader.readChildren(element, marks));
    reader.caption = outer;
  } else reader.readChildren(element, marks);
  reader.boundary();
}

function pictureCaption(figure: Element, base: string): Element | null {
  let caption: Element | null = null;
  let hasPicture = false;
  for (const element of elementsUnder(figure, ({ name }) => name !== "figcaption" && name !== "figure")) {
    if (SHOWN_OTHERWISE.has(element.name)) return null;
    if (element.name === "figcaption") caption ??= element;
    hasPicture ||= element.name === "img" && imageUrl(element, base) !== null;
  }
  return hasPicture ? caption : null;
}
