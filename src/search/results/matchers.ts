import { compile } from "css-select";
import type { AnyNode, Element } from "domhandler";
import { attribute, hasAttribute } from "../../html/parse/dom";

export type Matcher = (element: Element) => boolean;

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

export function hasRole(role: string): Matcher {
  return (element) => element.attribs.role === role;
}

export function isNamed(name: string): Matcher {
  return (element) => element.name === name;
}

/** Returns true for an element that the page hides by an attribute. */
export function isHiddenByAttribute(element: Element): boolean {
  return hasAttribute(element, "hidden") || /display:\s*none/.test(attribute(element, "style"));
}

const BUTTON = /^(?:button|img)$/;

/** Returns true for buttons, and for elements with the role of a button or an image. */
export function isButton(element: Element): boolean {
  return element.name === "button" || BUTTON.test(attribute(element, "role"));
}

/** Returns true for <h3>, and for elements with the role of a heading of level 3. */
export const isTitle: Matcher = (element) => element.name === "h3" || isHeadingOf(element, "3");

export function isHeadingOf(element: Element, level: string): boolean {
  return attribute(element, "role") === "heading" && attribute(element, "aria-level") === level;
}
