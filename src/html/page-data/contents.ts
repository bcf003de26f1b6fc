import { type ChildNode, Element, Text } from "domhandler";
import { isHeading, NEVER_TEXT } from "../parse/dom";

/** The contents of an element. */
export interface Contents {
  /** The number of texts that aren't empty, and of their characters. */
  texts: number;
  chars: number;
  /** True if it has a link to another page. */
  hasLink: boolean;
  /** True if such a link is a heading, or comes before all texts outside of links. */
  hasLinkedTitle: boolean;
}

export const NO_CONTENTS: Contents = { texts: 0, chars: 0, hasLink: false, hasLinkedTitle: false };

/** Returns the contents of an element, and of all elements in it. */
export function measureContents(root: Element, hidden: ReadonlySet<ChildNode>): ReadonlyMap<Element, Contents> {
  const measured = new Map<Element, Contents>();
  function measure(element: Element): Contents {
    const isLink = element.name === "a" && /^(?!#|javascript:)./i.test(element.attribs.href ?? "");
    const contents = { texts: 0, chars: 0, hasLink: isLink, hasLinkedTitle: false };
    for (const child of element.children) {
      if (hidden.has(child)) continue;
      if (child instanceof Text) {
        const { length } = child.data.trim();
        contents.texts += length > 0 ? 1 : 0;
        contents.chars += length;
      } else if (child instanceof Element && !NEVER_TEXT.has(child.name)) {
        const inner = measure(child);
        const isTitle = inner.hasLink && (isHeading(child) || (contents.texts === 0 && child.name === "a"));
        contents.hasLinkedTitle ||= isTitle || (inner.hasLinkedTitle && (contents.texts === 0 || isHeading(child)));
        contents.texts += inner.texts;
        contents.chars += inner.chars;
        contents.hasLink ||= inner.hasLink;
      }
    }
    contents.hasLinkedTitle ||= isLink && contents.texts > 0;
    measured.set(element, contents);
    return contents;
  }
  measure(root);
  return measured;
}
