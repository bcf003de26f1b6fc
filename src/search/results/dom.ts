import { compile } from "css-select";
import { type AnyNode, type ChildNode, type Element, isText, type ParentNode } from "domhandler";
import { attribute, elementsUnder, hasAttribute, isBlock, isElement, NEVER_TEXT } from "../../html/parse/dom";
import { tidy } from "./texts";

export type Matcher = (element: Element) => boolean;

const BUTTON = /^(?:button|img)$/;

const CLASSES = /^\.[\w-]+(?:, \.[\w-]+)*$/;

export function toMatcher(selector: string): Matcher {
  if (!CLASSES.test(selector)) return compile<AnyNode, Element>(selector);
  // css-select needs several times as long for class names.
  const names = selector.slice(1).split(", .");
  return ({ attribs: { class: value } }) => value !== undefined && hasClass(value, names);
}

/** Returns true if the value of a class attribute has one of the names. */
export function hasClass(value: string, names: readonly string[]): boolean {
  return names.some((name) => value.includes(name) && value.split(/\s/).includes(name));
}

export const isLink: Matcher = (element) => element.name === "a" && hasAttribute(element, "href");

/** Returns the element itself or its nearest ancestor that matches, or null. */
export function closest(element: Element, matches: Matcher): Element | null {
  for (let at: ParentNode | null = element; isElement(at); at = at.parent) if (matches(at)) return at;
  return null;
}

/** Returns the matching descendants in document order, at most `max`. */
export function findAll(root: ParentNode, matches: Matcher, max = Number.POSITIVE_INFINITY): Element[] {
  const found: Element[] = [];
  for (const element of elementsUnder(root)) {
    if (!matches(element)) continue;
    found.push(element);
    if (found.length >= max) break;
  }
  return found;
}

/** Returns true if the first element begins before the second one. Returns false if one contains the other. */
export function isBefore(first: Element, second: Element): boolean {
  const ancestors = new Map<ParentNode, Element>();
  for (let at = first; at.parent; at = at.parent as Element) ancestors.set(at.parent, at);
  let at = second;
  while (at.parent && !ancestors.has(at.parent)) at = at.parent as Element;
  const other = at.parent && ancestors.get(at.parent);
  return at.parent && other ? at.parent.children.indexOf(other) < at.parent.children.indexOf(at) : false;
}

/** Returns the first link inside the title, or on mobile pages the link around it, or null. */
export function linkIn(title: Element): Element | null {
  return findAll(title, isLink, 1)[0] ?? closest(title, isLink);
}

/** Returns true for buttons, and for elements with the role of a button or an image. */
export function isButton(element: Element): boolean {
  return element.name === "button" || BUTTON.test(attribute(element, "role"));
}

/** Returns the visible text, cut to `maxChars`, with spaces between blocks and without elements that `skip` matches. */
export function textOf(root: Element, maxChars: number, skip: Matcher = () => false): string {
  let text = "";
  const stack: (ChildNode | " ")[] = root.children.toReversed();
  // The raw text can be longer than `maxChars`, because `tidy` collapses its white space.
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

/** Returns the first text of `matchers` that isn't empty. Skips links such as "Read more" if there is other text. */
export function firstText(root: Element, matchers: readonly Matcher[], maxChars: number, skip: Matcher): string {
  const elements = matchers.flatMap((matches) => findAll(root, matches, 1));
  const texts = [(at: Element) => at.name === "a" || skip(at), skip].flatMap((isSkipped) =>
    elements.map((element) => textOf(element, maxChars, isSkipped)),
  );
  return texts.find((text) => text !== "") ?? "";
}
