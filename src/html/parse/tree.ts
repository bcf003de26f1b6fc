import type { ChildNode, ParentNode } from "domhandler";

export function append(parent: ParentNode, node: ChildNode): void {
  const last = parent.children.at(-1) ?? null;
  node.parent = parent;
  node.prev = last;
  node.next = null;
  if (last) last.next = node;
  // An array that grows makes room for 17, and most nodes are only children.
  if (last) parent.children.push(node);
  else parent.children = [node];
}

export function insertBefore(next: ChildNode, node: ChildNode): void {
  const { parent, prev } = next;
  if (!parent) return;
  node.parent = parent;
  node.prev = prev;
  node.next = next;
  next.prev = node;
  if (prev) prev.next = node;
  parent.children.splice(parent.children.lastIndexOf(next), 0, node);
}

export function detach(node: ChildNode): void {
  const siblings = node.parent?.children;
  if (node.prev) node.prev.next = node.next;
  if (node.next) node.next.prev = node.prev;
  siblings?.splice(siblings.lastIndexOf(node), 1);
  node.parent = node.prev = node.next = null;
}
