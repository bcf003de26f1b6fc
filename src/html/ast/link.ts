import type { Element } from "domhandler";
import { attribute, elementsUnder, findElement, isBlock, isHeading, rawText } from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import { attributeText, collapseAndTrim } from "../parse/white-space";
import { hasMark, type Mark } from "./blocks";
import type { AstBuilder } from "./builder";

const PERMALINK = /^[#¶§🔗]?$/u;

/** Adds a link or a reference to a footnote. */
export function handleLink(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (builder.footnotes.isBackLink(element) || (builder.breaks === "none" && isPermalink(element))) return;
  const note = builder.footnotes.labelOf(element);
  const mark = linkMark(builder, element, marks);
  if (note) builder.addInline({ type: "footnote", value: note, marks: null });
  else if (mark) addLinked(builder, element, mark);
  else builder.addChildren(element, marks);
}

function linkMark(builder: AstBuilder, element: Element, marks: Mark | null): Mark | null {
  if (!element.attribs.href || hasMark(marks, "link") || builder.linked) return null;
  const url = absoluteUrl(element.attribs.href, builder.base);
  if (!url || !builder.addresses.spend(url.length)) return null;
  const title = titleOf(element);
  return { kind: "link", outer: marks, url, ...(title && { title }) };
}

function addLinked(builder: AstBuilder, element: Element, mark: Mark): void {
  const target = builder.holdsBlocks ? linkTarget(element) : null;
  if (!target) {
    builder.addChildren(element, mark);
    return;
  }
  builder.linked = { target, mark };
  builder.addChildren(element, mark.outer);
  builder.linked = null;
}

/** Returns the title of a link, or an empty string if the title repeats the link's text. */
function titleOf(link: Element): string {
  const title = attributeText(attribute(link, "title"));
  return title && title.toLowerCase() !== collapseAndTrim(rawText(link)).toLowerCase() ? title : "";
}

/**
 * Returns the block that becomes the text of a link around several blocks, as on a card. Returns the first heading, or
 * without a heading, the first block with text or an image. Returns null if the link contains no such block.
 */
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

/** Returns true for a permalink: the "#" or "¶" in a heading that links to the heading itself. */
function isPermalink(link: Element): boolean {
  return PERMALINK.test(collapseAndTrim(rawText(link))) && !findElement(link, ({ name }) => name === "img");
}
