/** The part of the DOM that linkedom and domino share and that we use: the Workers types know no DOM. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly ownerDocument: DomDocument;
  readonly parentNode: DomElement | null;
  readonly firstChild: DomNode | null;
  readonly lastChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  textContent: string;
  remove(): void;
}

export interface DomText extends DomNode {
  data: string;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  readonly attributes: ArrayLike<{ readonly name: string; readonly value: string }>;
  innerHTML: string;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  hasAttribute(name: string): boolean;
  appendChild(node: DomNode): void;
  insertBefore(node: DomNode, before: DomNode | null): void;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement>;
  closest(selector: string): DomElement | null;
  matches(selector: string): boolean;
}

export interface DomDocument {
  readonly documentElement: DomElement | null;
  readonly body: DomElement;
  readonly firstChild: DomNode | null;
  createElement(name: string): DomElement;
  createTextNode(text: string): DomText;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): ArrayLike<DomElement>;
}

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody " +
    "td tfoot th thead tr ul caption"
  ).split(" "),
);

export function isElement(node: DomNode | null): node is DomElement {
  return node?.nodeType === 1;
}

export function isText(node: DomNode | null): node is DomText {
  return node?.nodeType === 3;
}

export function isBlock(node: DomNode | null): boolean {
  return isElement(node) && BLOCKS.has(node.localName);
}

export function isHeading(node: DomNode | null): node is DomElement {
  return isElement(node) && /^h[1-6]$/.test(node.localName);
}

/** All nodes below `root` in document order, as they are now: the tree may be changed while they are visited. */
export function nodesUnder(root: DomElement): DomNode[] {
  const nodes: DomNode[] = [];
  let node: DomNode | null = root.firstChild;
  while (node) {
    nodes.push(node);
    if (isElement(node) && node.firstChild) {
      node = node.firstChild;
      continue;
    }
    while (node && node !== root && !node.nextSibling) node = node.parentNode;
    node = node && node !== root ? node.nextSibling : null;
  }
  return nodes;
}

export function elementsUnder(root: DomElement): DomElement[] {
  return nodesUnder(root).filter(isElement);
}

export function childrenOf(node: DomElement): DomNode[] {
  const children: DomNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

export function hasBlock(element: DomElement): boolean {
  return nodesUnder(element).some(isBlock);
}

/** Text as a reader counts it: white space in runs is one space, none at the ends. */
export function plainTextOf(node: DomNode): string {
  return node.textContent.replace(/[\s\u200b\ufeff]+/g, " ").trim();
}

export function moveChildren(from: DomElement, to: DomElement): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}

/** Puts the children in the element's place. */
export function unwrap(element: DomElement): void {
  const parent = element.parentNode;
  if (!parent) return;
  while (element.firstChild) parent.insertBefore(element.firstChild, element);
  element.remove();
}

export function replace(node: DomNode, by: DomNode): void {
  node.parentNode?.insertBefore(by, node);
  node.remove();
}

/** Attributes whose names only a parser accepts, such as `"` in `<a href="x"">`, stay behind. */
export function copyAttributes(from: DomElement, to: DomElement): void {
  for (const { name, value } of Array.from(from.attributes)) if (/^[\w-]+$/.test(name)) to.setAttribute(name, value);
}

/** The same element under another name; attributes move along. */
export function rename(element: DomElement, name: string): DomElement {
  const renamed = element.ownerDocument.createElement(name);
  copyAttributes(element, renamed);
  moveChildren(element, renamed);
  replace(element, renamed);
  return renamed;
}
