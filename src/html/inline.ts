import type { DomElement, DomNode } from "./dom";
import {
  elementsUnder,
  hasBlock,
  isBlock,
  isElement,
  isHeading,
  moveChildren,
  plainTextOf,
  rename,
  replace,
  unwrap,
} from "./dom";

const STRONG = /^(?:b|strong)$/;
const EMPHASIS = /^(?:i|em)$/;
const STRUCK = /^(?:del|s|strike)$/;

/** Markdown has no inline element around blocks: a stress goes into each innermost one, others just go. */
export function pushDown(element: DomElement): void {
  if (stressOf(element)) for (const block of innermostBlocks(element)) wrapContent(block, element);
  // What stood around the blocks of a custom element must not run into its neighbours.
  if (element.localName.includes("-")) rename(element, "div");
  else unwrap(element);
}

/** `**one****two**` would show its stars: neighbours with the same stress become one. */
export function mergeNext(element: DomElement): void {
  const stress = stressOf(element);
  if (!stress || !element.parentNode) return;
  for (let next = element.nextSibling; isElement(next) && stress.test(next.localName); next = element.nextSibling) {
    moveChildren(next, element);
    next.remove();
  }
}

function stressOf(element: DomElement): RegExp | undefined {
  return [STRONG, EMPHASIS, STRUCK].find((stress) => stress.test(element.localName));
}

/** A link around blocks, as on a card, moves to the heading, else to the first text; one without content goes. */
export function prepareLink(link: DomElement): void {
  if (plainTextOf(link) === "" && !link.querySelector("img")) link.remove();
  else if (!link.getAttribute("href")) unwrap(link);
  else if (hasBlock(link)) {
    const blocks = innermostBlocks(link);
    const target = blocks.find(isHeading) ?? blocks[0];
    if (target) wrapContent(target, link);
    unwrap(link);
  }
}

/** A heading is one line: breaks and blocks in it become spaces. */
export function flattenHeading(heading: DomElement): void {
  for (const element of elementsUnder(heading)) {
    if (element.localName === "br") replace(element, heading.ownerDocument.createTextNode(" "));
    else if (isBlock(element)) flattenBlock(element);
  }
}

/** Takes the block away and leaves its content, apart from its neighbours. */
export function flattenBlock(
  block: DomElement,
  separator: () => DomNode = () => block.ownerDocument.createTextNode(" "),
): void {
  const parent = block.parentNode;
  if (!parent) return;
  if (block.previousSibling) parent.insertBefore(separator(), block);
  if (block.nextSibling) parent.insertBefore(separator(), block.nextSibling);
  unwrap(block);
}

function innermostBlocks(element: DomElement): DomElement[] {
  return elementsUnder(element).filter(
    (block) => isBlock(block) && block.localName !== "pre" && !hasBlock(block) && plainTextOf(block) !== "",
  );
}

function wrapContent(block: DomElement, wrapper: DomElement): void {
  const copy = block.ownerDocument.createElement(wrapper.localName);
  for (const { name, value } of Array.from(wrapper.attributes)) copy.setAttribute(name, value);
  moveChildren(block, copy);
  block.appendChild(copy);
}
