import { type ChildNode, Element, type ParentNode } from "domhandler";
import { TABLE_CONTEXT } from "./parse/elements";
import { append, copyTo } from "./parse/tree";

/**
 * A copy of the elements, each a block of its own; rows and cells stand in a copy of the table around them, together with
 * those that come next to them.
 */
export function copyApart(elements: readonly Element[], excluded: ReadonlySet<ChildNode>): Element {
  const root = new Element("div", {});
  const isExcluded = (node: ChildNode) => excluded.has(node);
  /** The copies of the table around the element before, and of its sections and rows. */
  const copies = new Map<ParentNode, Element>();
  const copyAround = ({ parent }: Element): Element => {
    if (!(parent instanceof Element && TABLE_CONTEXT.has(parent.name))) return root;
    const known = copies.get(parent);
    if (known) return known;
    const copy = new Element(parent.name, parent.attribs);
    append(copyAround(parent), copy);
    copies.set(parent, copy);
    return copy;
  };
  for (const element of elements) {
    let place = copyAround(element);
    if (place === root) {
      copies.clear();
      place = new Element("div", {});
      append(root, place);
    }
    copyTo(place, element, isExcluded);
  }
  return root;
}
