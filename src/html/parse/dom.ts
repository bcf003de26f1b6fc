import { type AnyNode, type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section " +
    "summary table tbody td tfoot th thead tr ul xmp caption"
  ).split(" "),
);

/** What no reader sees as text: code, metadata, drawings, embedded pages and form fields. */
export const NEVER_TEXT = new Set(
  (
    "script style template svg link meta base title head iframe object embed applet canvas audio video map area " +
    "select textarea datalist progress meter wbr input param source track col colgroup"
  ).split(" "),
);

const HEADING = /^h[1-6]$/;

export function isElement(node: AnyNode | null | undefined): node is Element {
  return node !== null && node !== undefined && isTag(node);
}

export function isBlock(element: Element): boolean {
  return BLOCKS.has(element.name);
}

export function isHeading(element: Element): boolean {
  return HEADING.test(element.name);
}

export function attribute(element: Element, name: string): string {
  return element.attribs[name] ?? "";
}

export function hasAttribute(element: Element, name: string): boolean {
  return element.attribs[name] !== undefined;
}

export function classesOf(element: Element): string[] {
  const names = element.attribs.class;
  return names ? names.trim().split(/\s+/) : [];
}

/** Elements below `root` in document order. What is inside of those that `enter` refuses is left out. */
export function* elementsUnder(root: ParentNode, enter: (element: Element) => boolean = always): Generator<Element> {
  const stack: ChildNode[] = root.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (!isElement(node)) continue;
    yield node;
    if (enter(node)) for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
  }
}

export function findElement(root: ParentNode, test: (element: Element) => boolean): Element | undefined {
  for (const element of elementsUnder(root)) if (test(element)) return element;
  return undefined;
}

/** All text below, scripts and styles aside, as it stands. */
export function rawText(root: ParentNode): string {
  let text = "";
  for (const part of textsUnder(root)) text += part;
  return text;
}

/** Stops counting as soon as it knows: the element may hold the whole page. */
export function hasMoreText(root: ParentNode, limit: number): boolean {
  let length = 0;
  for (const text of textsUnder(root)) {
    length += text.length;
    if (length > limit) return true;
  }
  return false;
}

function* textsUnder(root: ParentNode): Generator<string> {
  const stack: ChildNode[] = root.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isText(node)) yield node.data;
    else if (isElement(node) && !NEVER_TEXT.has(node.name))
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
  }
}

function always(): boolean {
  return true;
}
