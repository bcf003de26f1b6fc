import type { Element } from "domhandler";
import { attribute, hasAttribute, isElement } from "../parse/dom";
import type { Mark } from "./blocks";
import type { Reader } from "./reader";

export function visitList(reader: Reader, element: Element, marks: Mark | null): void {
  if (!reader.holdsBlocks || reader.isNestedDeep) {
    reader.boundary();
    reader.readChildren(element, marks);
    reader.boundary();
    return;
  }
  const ordered = element.name === "ol";
  const items = reader.collectItems({ ordered, ...numbering(element) }, () => reader.readChildren(element, marks));
  if (items.length > 0) reader.append({ type: "list", ordered, items });
}

export function visitItem(reader: Reader, element: Element, marks: Mark | null): void {
  if (reader.holdsBlocks && !reader.isNestedDeep) {
    const value = Number.parseInt(attribute(element, "value"), 10);
    reader.item(value >= 0 ? value : null, () => reader.readChildren(element, marks));
    return;
  }
  reader.boundary();
  reader.readChildren(element, marks);
  reader.boundary();
}

function numbering(list: Element): { number: number; step: number } {
  const isReversed = hasAttribute(list, "reversed");
  const start = Number.parseInt(attribute(list, "start"), 10);
  const items = isReversed ? list.children.filter((child) => isElement(child) && child.name === "li").length : 0;
  return { number: start >= 0 ? start : isReversed ? items : 1, step: isReversed ? -1 : 1 };
}
