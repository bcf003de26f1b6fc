import { Element } from "domhandler";
import type { Block } from "./outline";

const LAZY_SOURCE = /^(?:data-)?(?:[a-z]+-)?src(?:set)?$/;
/** What figures show that isn't a picture: the words there are the content, or stand for what a text can't show. */
const OTHERS = new Set(["table", "pre", "code", "blockquote", "ul", "ol", "video", "audio"]);
/** A figure with more isn't a picture and its caption. */
const MAX_FIGURE_WORDS = 80;

/** Whether all its words are about a picture: a caption, or a figure with a few words. */
export function isPictureWords(block: Block, wordsOf: (block: Block) => number): boolean {
  if (block.element.name === "figure") return wordsOf(block) < MAX_FIGURE_WORDS && !showsOther(block.element);
  if (block.element.name !== "figcaption") return false;
  const figure = figureOf(block);
  return figure === null || !showsOther(figure.element);
}

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
  return isCaption && figure !== null && !showsOther(figure.element) && showsPicture(figure.element);
}

function figureOf(block: Block): Block | null {
  let at: Block | null = block;
  while (at && at.element.name !== "figure") at = at.parent;
  return at;
}

function showsOther(figure: Element): boolean {
  return elementsIn(figure).some((child) => OTHERS.has(child.name) || showsOther(child));
}

function showsPicture(figure: Element): boolean {
  return elementsIn(figure).some((child) => (child.name === "img" ? hasSource(child) : showsPicture(child)));
}

function elementsIn(element: Element): Element[] {
  return element.children.filter((child) => child instanceof Element);
}

function hasSource({ attribs }: Element): boolean {
  return Object.entries(attribs).some(
    ([name, value]) => LAZY_SOURCE.test(name) && value !== "" && !value.startsWith("data:"),
  );
}
