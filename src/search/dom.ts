import { compile } from "css-select";
import { type AnyNode, type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { attribute, elementsUnder, isBlock, isElement, NEVER_TEXT } from "../html/parse/dom";

export type Test = (element: Element) => boolean;

/** Characters that are there for the layout alone: bidi marks, soft hyphens, zero-width spaces. */
const INVISIBLE = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const BUTTON = /^(?:button|img)$/;

export function toTest(selector: string): Test {
  return compile<AnyNode, Element>(selector);
}

export const isLink = toTest("a[href]");

/** The element itself or the nearest one around it. */
export function closest(element: Element, test: Test): Element | null {
  for (let at: ParentNode | null = element; isElement(at); at = at.parent) if (test(at)) return at;
  return null;
}

export function findAll(root: ParentNode, test: Test, max = Number.POSITIVE_INFINITY): Element[] {
  const found: Element[] = [];
  for (const element of elementsUnder(root)) {
    if (!test(element)) continue;
    found.push(element);
    if (found.length >= max) break;
  }
  return found;
}

/** The first link in a title, or the one around it, as on mobile pages. */
export function linkIn(title: Element): Element | null {
  return findAll(title, isLink, 1)[0] ?? closest(title, isLink);
}

export function isButton(element: Element): boolean {
  return element.name === "button" || BUTTON.test(attribute(element, "role"));
}

/** What a person reads, tidied; blocks are apart, what `skip` takes is left out, what is longer than `maxChars` is cut. */
export function textOf(root: Element, maxChars: number, skip: Test = () => false): string {
  let text = "";
  const stack: (ChildNode | " ")[] = root.children.toReversed();
  // White space may be most of it.
  const enough = maxChars * 4;
  for (let node = stack.pop(); node !== undefined && text.length < enough; node = stack.pop()) {
    if (node === " ") text += " ";
    else if (isText(node)) text += node.data.slice(0, enough);
    else if (isElement(node) && !NEVER_TEXT.has(node.name) && !skip(node)) {
      const isApart = isBlock(node) || node.name === "br";
      if (isApart) stack.push(" ");
      for (const child of node.children.toReversed()) stack.push(child);
      if (isApart) text += " ";
    }
  }
  return tidy(text, maxChars);
}

/**
 * The text of the first element, by the order of `tests`, that has any. Links in it are left out, as they are "Read more"
 * and the like, unless it is nothing but a link.
 */
export function firstText(root: Element, tests: readonly Test[], maxChars: number, skip: Test): string {
  const elements = tests.flatMap((test) => findAll(root, test, 1));
  const texts = [(at: Element) => at.name === "a" || skip(at), skip].flatMap((isLeftOut) =>
    elements.map((element) => textOf(element, maxChars, isLeftOut)),
  );
  return texts.find((text) => text !== "") ?? "";
}

export function tidy(text: string, maxChars: number): string {
  return text.replace(INVISIBLE, "").replace(/\s+/g, " ").trim().slice(0, maxChars).toWellFormed();
}
