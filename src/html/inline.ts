import type { DomElement, DomNode } from "./dom";
import {
  copyAttributes,
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

/** Stars upon stars would show: a stress inside of the same goes, and `**one****two**` becomes one. */
export function settleStress(element: DomElement): void {
  const stress = stressOf(element);
  if (!stress || !element.parentNode) return;
  for (let node: DomElement | null = element.parentNode; node; node = node.parentNode) {
    if (node.localName && stress.test(node.localName)) {
      unwrap(element);
      return;
    }
  }
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
  const isEmpty = plainTextOf(link) === "" && !link.querySelector("img");
  if (isEmpty || !link.getAttribute("href")) unwrap(link);
  else if (hasBlock(link)) {
    const blocks = innermostBlocks(link);
    const target = blocks.find(isHeading) ?? blocks[0];
    const image = link.querySelector("img");
    if (target) wrapContent(target, link);
    else if (image) wrap(image, link);
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
  const copy = emptyCopy(wrapper);
  moveChildren(block, copy);
  block.appendChild(copy);
}

function wrap(element: DomElement, wrapper: DomElement): void {
  const copy = emptyCopy(wrapper);
  replace(element, copy);
  copy.appendChild(element);
}

function emptyCopy(element: DomElement): DomElement {
  const copy = element.ownerDocument.createElement(element.localName);
  copyAttributes(element, copy);
  return copy;
}
