import type { ChildNode, ParentNode } from "domhandler";

/** Appends a node that has no parent. */
export function append(parent: ParentNode, node: ChildNode): void {
  const last = parent.children.at(-1) ?? null;
  node.parent = parent;
  node.prev = last;
  node.next = null;
  if (last) last.next = node;
  // Most nodes have no siblings. A new array for the first child saves memory, because `push` on an empty array
  // reserves space for 17 items.
  if (last) parent.children.push(node);
  else parent.children = [node];
}

/** Inserts `node` before `next`. The node must not have a parent. */
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

/** Replaces the children of a node. The new children may have had another parent, which must not be used afterwards. */
export function setChildren(parent: ParentNode, children: ChildNode[]): void {
  parent.children = children;
  let prev: ChildNode | null = null;
  for (const child of children) {
    child.parent = parent;
    child.prev = prev;
    child.next = null;
    if (prev) prev.next = child;
    prev = child;
  }
}

/** Removes a node from its parent. */
export function detach(node: ChildNode): void {
  const siblings = node.parent?.children;
  if (node.prev) node.prev.next = node.next;
  if (node.next) node.next.prev = node.prev;
  siblings?.splice(siblings.lastIndexOf(node), 1);
  node.parent = node.prev = node.next = null;
}
