import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { append } from "../parse/tree";

/** Copies a node and all below it but those that `isDropped`; the tree that it is taken from stays as it is. */
export function copyTo(parent: ParentNode, node: ChildNode, isDropped: (node: ChildNode) => boolean): void {
  if (isDropped(node)) return;
  if (node instanceof Text) append(parent, new Text(node.data));
  if (!(node instanceof Element)) return;
  const copy = new Element(node.name, node.attribs);
  for (const child of node.children) copyTo(copy, child, isDropped);
  append(parent, copy);
}
