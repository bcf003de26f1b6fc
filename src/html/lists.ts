import type { DomElement, DomNode } from "./dom";
import { childrenOf, isElement, isText, plainTextOf } from "./dom";

/** What stands before an item of a prepared list: "-", "1." */
export const MARKER = "data-marker";

/** Leaves only items in a list, each with its marker: a list between items belongs to the one before it. */
export function prepareList(list: DomElement): void {
  let item: DomElement | null = null;
  let stray: DomElement | null = null;
  for (const child of childrenOf(list)) {
    if (isElement(child) && child.localName === "li") {
      stray = null;
      if (isEmpty(child)) child.remove();
      else item = child;
    } else if (isBlankText(child)) child.remove();
    else if (item && isElement(child) && /^[uo]l$/.test(child.localName)) item.appendChild(child);
    else {
      stray ??= insertItem(list, child);
      stray.appendChild(child);
      item = stray;
    }
  }
  markItems(list);
}

/** Two lists in a row would read as one: the second gets other signs, as CommonMark has it. */
function markItems(list: DomElement): void {
  const [bullet, delimiter] = isSecond(list) ? ["*", ")"] : ["-", "."];
  let number = Number.parseInt(list.getAttribute("start") ?? "1", 10);
  if (Number.isNaN(number) || number < 0) number = 1;
  for (const item of childrenOf(list).filter(isElement)) {
    const value = Number.parseInt(item.getAttribute("value") ?? "", 10);
    if (value >= 0) number = value;
    item.setAttribute(MARKER, list.localName === "ol" ? `${number}${delimiter}` : bullet);
    number++;
  }
}

function isSecond(list: DomElement): boolean {
  let before = list.previousSibling;
  while (before && isBlankText(before)) before = before.previousSibling;
  if (!isElement(before) || before.localName !== list.localName) return false;
  const marker = before.querySelector("li")?.getAttribute(MARKER) ?? "";
  return /^-$|\.$/.test(marker);
}

function insertItem(list: DomElement, before: DomNode): DomElement {
  const item = list.ownerDocument.createElement("li");
  list.insertBefore(item, before);
  return item;
}

function isEmpty(item: DomElement): boolean {
  return plainTextOf(item) === "" && !item.querySelector("img");
}

function isBlankText(node: DomNode): boolean {
  return !isElement(node) && (!isText(node) || node.data.trim() === "");
}
