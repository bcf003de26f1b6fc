import { Element } from "domhandler";
import type { Block } from "./outline";

const LAZY_SOURCE = /^(?:data-)?(?:[a-z]+-)?src(?:set)?$/;
/** What a caption may describe that isn't a picture. */
const OTHERS = new Set(["table", "pre", "blockquote", "ul", "ol"]);

/** Whether it is a caption that the writers make the title of its picture, so that it doesn't stand among sentences. */
export function isPictureTitle(block: Block): boolean {
  let figure: Block | null = null;
  let isCaption = false;
  for (let at: Block | null = block; at; at = at.parent) {
    const { name } = at.element;
    if (name === "li") return false;
    if (!figure && name === "figcaption") isCaption = true;
    if (name === "figure") figure ??= at;
  }
  return isCaption && figure !== null && showsPicture(figure.element);
}

function showsPicture(figure: Element): boolean {
  let hasPicture = false;
  function visit(element: Element): boolean {
    if (element.name === "img") hasPicture ||= hasSource(element);
    return element.children.every((child) => !(child instanceof Element) || (!OTHERS.has(child.name) && visit(child)));
  }
  return visit(figure) && hasPicture;
}

function hasSource({ attribs }: Element): boolean {
  return Object.entries(attribs).some(
    ([name, value]) => LAZY_SOURCE.test(name) && value !== "" && !value.startsWith("data:"),
  );
}
