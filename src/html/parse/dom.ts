import { type AnyNode, type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section " +
    "summary table tbody td tfoot th thead tr ul xmp caption"
  ).split(" "),
);

/**
 * The elements whose contents browsers never show as text: code, metadata and form fields. `insertDisplayedValues`
 * replaces the contents of drawings and embedded media by their names.
 */
export const NEVER_TEXT = new Set(
  (
    "script style template link meta base title head applet canvas map area select textarea datalist wbr param source " +
    "track col colgroup"
  ).split(" "),
);

/** The elements of embedded media. `insertDisplayedValues` replaces their contents by a link. */
export const MEDIA: ReadonlySet<string> = new Set("video audio iframe frame embed object".split(" "));

const HEADING = /^h[1-6]$/;
const always = () => true;
const never = () => false;

/** Returns true for an element. Returns false for other nodes, null and undefined. */
export function isElement(node: AnyNode | null | undefined): node is Element {
  return node !== null && node !== undefined && isTag(node);
}

/** Returns true for an element that starts a new line by default. */
export function isBlock(element: Element): boolean {
  return BLOCKS.has(element.name);
}

/** Returns true for <h1> to <h6>. */
export function isHeading(element: Element): boolean {
  return HEADING.test(element.name);
}

/** Returns the value of an attribute, or an empty string if the element doesn't have it. */
export function attribute(element: Element, name: string): string {
  return element.attribs[name] ?? "";
}

/** Returns true if the element has the attribute, even if it is empty. */
export function hasAttribute(element: Element, name: string): boolean {
  return element.attribs[name] !== undefined;
}

/** Returns the classes of an element. */
export function classesOf(element: Element): string[] {
  return tokensIn(element.attribs.class);
}

/** Returns the tokens of an attribute with a list, such as classes or ids. */
export function tokensIn(list = ""): string[] {
  return list.split(/\s+/).filter(Boolean);
}

/**
 * Yields the elements below `root` in document order. If `enter` returns false for an element, skips its descendants.
 */
export function elementsUnder(
  root: ParentNode,
  enter: (element: Element) => boolean = always,
): IteratorObject<Element> {
  return new ElementWalk(root, enter);
}

/** A generator would take much longer for each element. */
class ElementWalk extends Iterator<Element> {
  readonly #enter: (element: Element) => boolean;
  readonly #stack: ChildNode[];
  #last: Element | null = null;

  constructor(root: ParentNode, enter: (element: Element) => boolean) {
    super();
    this.#stack = root.children.toReversed();
    this.#enter = enter;
  }

  next(): IteratorResult<Element> {
    const stack = this.#stack;
    if (this.#last && this.#enter(this.#last)) {
      const { children } = this.#last;
      for (let at = children.length - 1; at >= 0; at--) stack.push(children[at] as ChildNode);
    }
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (!isElement(node)) continue;
      this.#last = node;
      return { done: false, value: node };
    }
    this.#last = null;
    return { done: true, value: undefined };
  }
}

/** Returns the first element below `root` for which `test` returns true, or undefined. */
export function findElement(root: ParentNode, test: (element: Element) => boolean): Element | undefined {
  for (const element of elementsUnder(root)) if (test(element)) return element;
  return undefined;
}

/** Returns the node, if it is an element, and the elements around it: all of them, or the first `count`. */
export function elementsAround(node: ChildNode | ParentNode | null, count = Number.POSITIVE_INFINITY): Element[] {
  const around: Element[] = [];
  for (let at = node; isElement(at) && around.length < count; at = at.parent) around.push(at);
  return around;
}

/** Returns the text nodes of an element as one text, without those of the elements in it. */
export function ownText({ children }: Element): string {
  return children.map((child) => (isText(child) ? child.data : "")).join("");
}

/** Returns true if `nodes` contains the node or one of its ancestors. */
export function isWithin(node: ChildNode | ParentNode | null, nodes: ReadonlySet<ChildNode>): boolean {
  for (let at = node; at; at = at.parent) if (nodes.has(at as ChildNode)) return true;
  return false;
}

/** Returns the text below `root` without any normalization. Skips the elements in `NEVER_TEXT`. */
export function rawText(root: ParentNode): string {
  return separatedText(root, { separator: "" });
}

/**
 * Returns true if there are more than `limit` characters of text below `root`. Stops counting at the limit, because the
 * element may contain the whole page.
 */
export function hasMoreText(root: ParentNode, limit: number): boolean {
  return separatedText(root, { separator: "", maxChars: limit + 1 }).length > limit;
}

/**
 * Returns the beginning of the text below `root`, with `separator` around line breaks and blocks, and with a space before
 * the elements named in `apart`. Skips the elements in `NEVER_TEXT` and the nodes for which `isSkipped` returns true.
 * Stops after `maxChars` characters.
 */
export function separatedText(
  root: ParentNode,
  {
    separator = " ",
    maxChars = Number.POSITIVE_INFINITY,
    isSkipped = never,
    apart,
  }: {
    separator?: string;
    maxChars?: number;
    isSkipped?: (node: ChildNode) => boolean;
    apart?: ReadonlySet<string>;
  },
): string {
  let text = "";
  const stack: (ChildNode | string)[] = root.children.toReversed();
  for (let node = stack.pop(); node !== undefined && text.length < maxChars; node = stack.pop()) {
    if (typeof node === "string") text += node;
    else if (isSkipped(node)) continue;
    else if (isText(node)) text += node.data;
    else if (isElement(node) && !NEVER_TEXT.has(node.name)) {
      if (node.name === "br" || isBlock(node)) {
        text += separator;
        stack.push(separator);
      } else if (apart?.has(node.name)) text += " ";
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
    }
  }
  return text;
}
