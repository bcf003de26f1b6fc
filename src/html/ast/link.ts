import type { Element } from "domhandler";
import { attribute, elementsUnder, findElement, isBlock, isHeading, rawText } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import { hasMark, type Mark } from "./blocks";
import { attributeWords, collapseAndTrim } from "./line";
import type { Reader } from "./reader";

const PERMALINK = /^[#¶§🔗]?$/u;

export function visitLink(reader: Reader, element: Element, marks: Mark | null): void {
  if (reader.footnotes.isBackLink(element) || (reader.breaks === "none" && isPermalink(element))) return;
  const note = reader.footnotes.labelOf(element);
  const mark = linkMark(reader, element, marks);
  if (note) reader.add({ type: "footnote", value: note, marks: null });
  else if (mark) readLinked(reader, element, mark);
  else reader.readChildren(element, marks);
}

function linkMark(reader: Reader, element: Element, marks: Mark | null): Mark | null {
  if (!element.attribs.href || hasMark(marks, "link") || reader.linked) return null;
  const url = absoluteUrl(element.attribs.href, reader.base);
  if (!url || !reader.addresses.spend(url.length)) return null;
  const title = titleOf(element);
  return { kind: "link", outer: marks, url, ...(title && { title }) };
}

function readLinked(reader: Reader, element: Element, mark: Mark): void {
  const target = reader.holdsBlocks ? linkTarget(element) : null;
  if (!target) {
    reader.readChildren(element, mark);
    return;
  }
  reader.linked = { target, mark };
  reader.readChildren(element, mark.outer);
  reader.linked = null;
}

/** What a link's title adds to its words. */
function titleOf(link: Element): string {
  const title = attributeWords(attribute(link, "title"));
  return title && title.toLowerCase() !== collapseAndTrim(rawText(link)).toLowerCase() ? title : "";
}

/** A link around blocks, as on a card, belongs to the heading, else to the first block with words or a picture. */
function linkTarget(link: Element): Element | null {
  let first: Element | null = null;
  for (const element of elementsUnder(link)) {
    if (!isBlock(element) || !isInnermost(element)) continue;
    if (isHeading(element)) return element;
    first ??= element;
  }
  return first;
}

function isInnermost(block: Element): boolean {
  if (findElement(block, isBlock)) return false;
  return rawText(block).trim() !== "" || findElement(block, ({ name }) => name === "img") !== undefined;
}

/** The "#" or "¶" beside a heading that leads to the heading itself. */
function isPermalink(link: Element): boolean {
  return PERMALINK.test(collapseAndTrim(rawText(link))) && !findElement(link, ({ name }) => name === "img");
}
